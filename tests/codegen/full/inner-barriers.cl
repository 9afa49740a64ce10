constant int oclmm_initial_s[1] = {1};
constant int oclmm_initial_m[1] = {0};
static size_t oclmm_get_group_id(uint d)
{
	return d == 0u ? get_group_id(0) % 2u : get_group_id(d);
}
static size_t oclmm_instance(void)
{
	return get_group_id(0) / 2u;
}
#define OCLMM_INSTANCE oclmm_instance()
#define get_group_id(d) oclmm_get_group_id(d)
kernel void oclmm_test(local int *s, local atomic_int *m, global int *a_, global atomic_int *y_, global int *P1_r0_, global ulong *P0_r2_, global int *P1_r2__, global int *m_0_)
{
  global int *a = a_ + OCLMM_INSTANCE * 9u;
  global atomic_int *y = y_ + OCLMM_INSTANCE * 9u;
  global int *P1_r0 = P1_r0_ + OCLMM_INSTANCE * 9u;
  global ulong *P0_r2 = P0_r2_ + OCLMM_INSTANCE * 9u;
  global int *P1_r2_ = P1_r2__ + OCLMM_INSTANCE * 9u;
  global int *m_0 = m_0_ + OCLMM_INSTANCE * 9u;
  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0)
    for (uint oclmm_k = 0u; oclmm_k < 1u; oclmm_k++)
      ((local int *)s)[oclmm_k] = oclmm_initial_s[oclmm_k];
  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0)
    for (uint oclmm_k = 0u; oclmm_k < 1u; oclmm_k++)
      ((local int *)m)[oclmm_k] = oclmm_initial_m[oclmm_k];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int role = get_local_id(0);
  const int group = get_group_id(0);
  int r0 = 0;
  int i = 0;
  ulong r2 = 0;
  int r1 = 5;
  int P1_r2 = 0;
  if (group == 0) {
    r0 = 0;
    i = 0;
    if (role == 0) {
      r2 = 7;
    }
    if (role == 1) {
      P1_r2 = 3;
    }
    if (*a > 0) {
      if (role == 0) {
        *s = 4;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (role == 1) {
        r0 = *s;
      }
    } else {
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
    while (role == 0 ? (i < 2) : (i < 3)) {
      if (role == 0 ? (1) : (i < 2)) {
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      }
      i = i + 1;
      if (role == 1) {
        P1_r2 = P1_r2 + r1;
      }
    }
    if (role == 0 ? (r0 == 0) : (1)) {
      barrier(CLK_LOCAL_MEM_FENCE);
    } else {
      if (role == 0) {
        r0 = 2;
      }
    }
    if (role == 1) {
      atomic_store_explicit(m, 2, memory_order_relaxed, memory_scope_work_group);
    }
  }
  if (group == 1 && role < 1) {
    atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);
  }
  if (group == 0 && role == 0) {
    *P0_r2 = r2;
  }
  if (group == 0 && role == 1) {
    *P1_r0 = r0;
    *P1_r2_ = P1_r2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (group == 0 && role == 0) {
    *m_0 = atomic_load_explicit(&m[0], memory_order_relaxed, memory_scope_work_group);
  }
}
#undef get_group_id
#undef OCLMM_INSTANCE

// SPDX-License-Identifier: Apache-2.0
// What some devices have: text for the rewriter, not to be compiled.
global atomic_int program_x[16384];
global int program_y[4];

static void P0(global atomic_int *at_x, global int *at_y)
{
	atomic_store_explicit(at_x, 1, memory_order_release, memory_scope_device);
	*at_y = 1;
}

kernel void test(global int *program)
{
	global int *pointer[2];

	P0(program_x + slot(0), program_y + 1);
	*program = ((global int *)program_x)[1];
}

kernel void copies(global int *x, local int *l)
{
	event_t e = async_work_group_copy(l, x + f(1, 2), (4), 0);
	e = async_work_group_strided_copy(l + 4, x, n, 2, e);
	g(1, 2, 3, 4); // async_work_group_copy(l, x, 1, 0)
	wait_group_events(1, &e);
}

kernel void parent(global int *x)
{
	clk_event_t e_P1, e_P2;

	enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, NULL, &e_P1, ^{ child(x, 1); });
	enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e_P1, &e_P2, ^{ child(x, 2); });
	enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), 1, &e_P2, NULL, ^{ child(x, 3); });
	enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ child(1, &e_P1); });
}

kernel void images(read_write image1d_buffer_t x)
{
	write_imagei(x, 0, (int4)(1, 0, 0, 0));
	int r = read_imagei(x, 0).x + read_imagei(x, read_imageui(x, 1).x).x; // read_imagei(x, 0)
}

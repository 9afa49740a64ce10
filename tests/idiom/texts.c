// SPDX-License-Identifier: Apache-2.0
/*
 * What the programs of the five texts do, host and kernel, written down a second
 * time in the texts' own shape and without anything of the project: the measure
 * for what `oclmm idiom --as-published` runs.
 *
 *     texts barrier FORM N GROUP STEPS | staged N GROUP | tree N GROUP | scan N GROUP |
 *           progress UNITS GROUP
 *
 * Prints "right" or "wrong" by the check that the text itself makes. May hang or
 * crash, as the texts' programs may.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static void need(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "texts: %s\n", what);
	exit(99);
}

static void open_device(void)
{
	cl_platform_id platform;

	need(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no platform");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS,
	     "no device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	need(context, "no context");
	queue = clCreateCommandQueue(context, device, 0, NULL);
	need(queue, "no queue");
}

static cl_program build(const char *source, const char *options)
{
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

	need(program && clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS,
	     "the kernel is refused");
	return program;
}

static cl_mem buffer(const void *data, size_t bytes)
{
	cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes ? bytes : 4, NULL, NULL);
	void *zero = calloc(bytes ? bytes : 4, 1);

	need(memory && clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, data ? data : zero, 0,
	                                    NULL, NULL) == CL_SUCCESS,
	     "no buffer");
	free(zero);
	return memory;
}

static void launch(cl_kernel kernel, size_t all, size_t group)
{
	need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL) ==
	             CL_SUCCESS,
	     "no launch");
	clFinish(queue);
}

static void argument(cl_kernel kernel, cl_uint number, size_t size, const void *value)
{
	need(clSetKernelArg(kernel, number, size, value) == CL_SUCCESS, "a wrong argument");
}

/* ---- global synchronisation, three ways ---- */

static const char barriers[] = "#define FOR(i, a, b) for (int i = (a); i < (b); i++)\n"
			       "void globalSync1(volatile global int *s) {\n"
			       "  atomic_inc(s);\n"
			       "  while (*s!=get_global_size(0));\n"
			       "  if (get_global_id(0)==0) atomic_sub(s,get_global_size(0));\n"
			       "}\n"
			       "void globalSync2(volatile global int *s) {\n"
			       "  if (get_local_id(0)==0) {\n"
			       "    atomic_inc(s);\n"
			       "    while (*s!=get_num_groups(0));\n"
			       "  };\n"
			       "  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n"
			       "  if (get_global_id(0)==0) atomic_sub(s,get_num_groups(0));\n"
			       "}\n"
			       "void globalSync3(volatile global int *s) {\n"
			       "  const int lid=get_local_id(0);\n"
			       "  const int gid=get_group_id(0);\n"
			       "  if (!lid) s[gid]=1;\n"
			       "  if (!gid) {\n"
			       "    if (lid<get_num_groups(0))\n"
			       "      while (!s[lid]);\n"
			       "    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n"
			       "    s[lid]=0;\n"
			       "  }\n"
			       "  while (!lid && s[gid]);\n"
			       "  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n"
			       "}\n"
			       "kernel void test(volatile global int *a, global int *flags) {\n"
			       "  int i=get_global_id(0);\n"
			       "  FOR(j,0,STEPS) {\n"
			       "    int temp=a[i]+a[(i+1)&(N-1)]+a[(i+2)&(N-1)];\n"
			       "    globalSync(flags);\n"
			       "    a[i]=temp;\n"
			       "    globalSync(flags);\n"
			       "  }\n"
			       "}\n";

static bool run_barrier(const char *form, size_t n, size_t group, const char *steps)
{
	int *a = malloc(n * sizeof(int));
	char options[100];
	bool same = true;
	cl_kernel kernel;
	cl_mem elements, flags;

	for (size_t i = 0; i < n; i++)
		a[i] = 1;
	snprintf(options, sizeof(options), "-DN=%zu -DSTEPS=%s -DglobalSync=globalSync%s", n, steps,
	         form);
	kernel = clCreateKernel(build(barriers, options), "test", NULL);
	elements = buffer(a, n * sizeof(int));
	flags = buffer(NULL, n * sizeof(int));
	argument(kernel, 0, sizeof(elements), &elements);
	argument(kernel, 1, sizeof(flags), &flags);
	launch(kernel, n, group);
	clEnqueueReadBuffer(queue, elements, CL_TRUE, 0, n * sizeof(int), a, 0, NULL, NULL);
	for (size_t i = 1; i < n; i++)
		same &= a[i] == a[0];
	free(a);
	return same;
}

/* ---- sums ---- */

static const char staged[] =
	"__kernel void kernel_test(__global int *pDst, __global int *pSrc1,\n"
	"                          __global int *pLocks)\n"
	"{\n"
	"  local int tmpBuffer[GROUP_NUMBER_OF_WORKITEMS];\n"
	"  const int index = get_local_id(0);\n"
	"  const int group_index = get_group_id(0);\n"
	"  int group_count = get_num_groups(0);\n"
	"  int address_offset = group_index * GROUP_NUMBER_OF_WORKITEMS + index;\n"
	"  __global int *pData = pSrc1;\n"
	"  while(group_count >= GROUP_NUMBER_OF_WORKITEMS && group_index < group_count)\n"
	"  {\n"
	"    if(index == 0) atomic_or(&pLocks[group_index], 1);\n"
	"    tmpBuffer[index] = pData[address_offset];\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    if(index == 0) {\n"
	"      int sum = 0;\n"
	"      for(int i = 0; i < GROUP_NUMBER_OF_WORKITEMS; i++) sum += tmpBuffer[i];\n"
	"      pDst[group_index] = sum;\n"
	"      if((group_index & (GROUP_NUMBER_OF_WORKITEMS - 1)) ==\n"
	"         GROUP_NUMBER_OF_WORKITEMS - 1)\n"
	"        atomic_xchg(&pLocks[group_index / GROUP_NUMBER_OF_WORKITEMS], 0);\n"
	"    }\n"
	"    group_count /= GROUP_NUMBER_OF_WORKITEMS;\n"
	"    if(index == 0 && group_index < group_count) {\n"
	"      int lock;\n"
	"      do { lock = atomic_add(&pLocks[group_index], 0); } while(lock != 0);\n"
	"    }\n"
	"    pData = pDst;\n"
	"  }\n"
	"  if(get_global_id(0) == 0) pLocks[0] = group_count * GROUP_NUMBER_OF_WORKITEMS;\n"
	"}\n";

static bool run_staged(size_t n, size_t group)
{
	int *host = malloc(n * sizeof(int)), *sums = malloc(n * sizeof(int)), remain = 0;
	unsigned device_sum = 0, host_sum = 0;
	char options[60];
	cl_kernel kernel;
	cl_mem src, locks, dst;

	for (size_t i = 0; i < n; i++)
		host[i] = (int)i + 1;
	snprintf(options, sizeof(options), "-D GROUP_NUMBER_OF_WORKITEMS=%zu", group);
	kernel = clCreateKernel(build(staged, options), "kernel_test", NULL);
	src = buffer(host, n * sizeof(int));
	locks = buffer(NULL, n * sizeof(int) / group / group);
	dst = buffer(NULL, group * group * sizeof(int));
	argument(kernel, 0, sizeof(dst), &dst);
	argument(kernel, 1, sizeof(src), &src);
	argument(kernel, 2, sizeof(locks), &locks);
	launch(kernel, n, group);
	clEnqueueReadBuffer(queue, locks, CL_TRUE, 0, sizeof(int), &remain, 0, NULL, NULL);
	if (clEnqueueReadBuffer(queue, dst, CL_TRUE, 0, (size_t)remain * sizeof(int), sums, 0, NULL,
	                        NULL) != CL_SUCCESS)
		remain = 0;
	for (int i = 0; i < remain; i++)
		device_sum += (unsigned)sums[i];
	for (size_t i = 0; i < n; i++)
		host_sum += (unsigned)host[i];
	free(host);
	free(sums);
	return device_sum == host_sum;
}

static const char tree[] =
	"__kernel void reduce(__global uint4* input, __global uint4* output, int NUM)\n"
	"{\n"
	"  NUM = NUM / 4;\n"
	"  unsigned int tid = get_local_id(0);\n"
	"  unsigned int localSize = get_local_size(0);\n"
	"  unsigned int globalSize = get_global_size(0);\n"
	"  uint4 res=(uint4){0,0,0,0};\n"
	"  __local uint4 resArray[64];\n"
	"  unsigned int i = get_global_id(0);\n"
	"  while(i < NUM) { res+=input[i]; i+=globalSize; }\n"
	"  resArray[tid]=res;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  for(unsigned int s = localSize >> 1; s > 0; s >>= 1) {\n"
	"    if(tid < s) resArray[tid] += resArray[tid + s];\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  }\n"
	"  if(tid == 0) output[get_group_id(0)] = resArray[0];\n"
	"}\n";

static bool run_tree(int n, size_t group)
{
	size_t groups = 640 / group;
	int *input = malloc((size_t)n * sizeof(int)), *output = malloc(groups * 4 * sizeof(int));
	unsigned sum = 0;
	cl_kernel kernel = clCreateKernel(build(tree, ""), "reduce", NULL);
	cl_mem in, out;

	for (int i = 0; i < n; i++)
		input[i] = i + 1;
	in = buffer(input, (size_t)n * sizeof(int));
	out = buffer(NULL, groups * 4 * sizeof(int));
	argument(kernel, 0, sizeof(in), &in);
	argument(kernel, 1, sizeof(out), &out);
	argument(kernel, 2, sizeof(n), &n);
	launch(kernel, 640, group);
	clEnqueueReadBuffer(queue, out, CL_TRUE, 0, groups * 4 * sizeof(int), output, 0, NULL,
	                    NULL);
	for (size_t i = 0; i < groups * 4; i++)
		sum += (unsigned)output[i];
	free(input);
	free(output);
	return sum == (unsigned)(n + 1) * (unsigned)n / 2;
}

/* ---- how many groups run ---- */

static const char progress[] = "kernel void kernel_test(global volatile int *pDst,\n"
			       "                        global int *pSrc1, global int *pSrc2)\n"
			       "{\n"
			       "  const int gid = get_group_id(0);\n"
			       "  const int index = get_local_id(0);\n"
			       "  if(index == 0)\n"
			       "  {\n"
			       "    if(gid < MAX_COMPUTE_UNITS * 3 / 2)\n"
			       "      while(pDst[1] == 0);\n"
			       "    if(gid == 10000)\n"
			       "      pDst[1] = 1;\n"
			       "    atomic_add(pDst, 1);\n"
			       "  }\n"
			       "}\n";

/* The text does not say how many groups it starts. */
static bool run_progress(const char *units, size_t group)
{
	const int groups = 16384;
	int words[2];
	char options[60];
	cl_kernel kernel;
	cl_mem dst = buffer(NULL, sizeof(words)), unused = buffer(NULL, 4);

	snprintf(options, sizeof(options), "-D MAX_COMPUTE_UNITS=%s", units);
	kernel = clCreateKernel(build(progress, options), "kernel_test", NULL);
	argument(kernel, 0, sizeof(dst), &dst);
	argument(kernel, 1, sizeof(unused), &unused);
	argument(kernel, 2, sizeof(unused), &unused);
	launch(kernel, (size_t)groups * group, group);
	clEnqueueReadBuffer(queue, dst, CL_TRUE, 0, sizeof(words), words, 0, NULL, NULL);
	return words[0] == groups && words[1] == 1;
}

/* ---- prefix sums ---- */

static const char scan[] =
	"__kernel void column_sum(__global float *src, __global float *dst, __global float *tmpc,\n"
	"                         __global float *temp, const int n1, const int globalsize)\n"
	"{\n"
	"  const int X=get_global_id(0);\n"
	"  const int n=n1>>2;\n"
	"  int count=(n+globalsize-1)/globalsize;\n"
	"  for(int I=0;I<count;I++){\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    temp[2*X]=src[globalsize*I+2*X];\n"
	"    temp[2*X+1]=src[globalsize*I+2*X+1];\n"
	"    int offset=1;\n"
	"    for(int d=(globalsize>n? n:globalsize)>>1;d>0;d>>=1){\n"
	"      barrier(CLK_LOCAL_MEM_FENCE);\n"
	"      if(X<d){\n"
	"        int ai=offset*(2*X+1)-1;\n"
	"        int bi=offset*(2*X+2)-1;\n"
	"        temp[bi]+=temp[ai];\n"
	"      }\n"
	"      offset*=2;\n"
	"    }\n"
	"    if(X==0){\n"
	"      if(n>=globalsize)tmpc[I]=temp[globalsize-1];\n"
	"      temp[(globalsize>n? n:globalsize)-1]=0;\n"
	"    }\n"
	"    for(int d=1;d<globalsize&&d<n;d*=2){\n"
	"      offset>>=1;\n"
	"      barrier(CLK_LOCAL_MEM_FENCE);\n"
	"      if(X<d){\n"
	"        int ai=offset*(2*X+1)-1;\n"
	"        int bi=offset*(2*X+2)-1;\n"
	"        float t=temp[ai];\n"
	"        temp[ai]=temp[bi];\n"
	"        temp[bi]+=t;\n"
	"      }\n"
	"    }\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    dst[globalsize*I+2*X]=temp[2*X];\n"
	"    dst[globalsize*I+2*X+1]=temp[2*X+1];\n"
	"  }\n"
	"}\n"
	"__kernel void scan_sum(__global float *sumtmpc, __global float *dst, const int n1,\n"
	"                       const int globalsize)\n"
	"{\n"
	"  const int X=get_global_id(0);\n"
	"  if(X<(n1>>2))dst[X]+=sumtmpc[X/globalsize];\n"
	"}\n";

static void column_sum(cl_program program, cl_mem memory[4], int n, int group)
{
	cl_kernel kernel = clCreateKernel(program, "column_sum", NULL);
	int bytes = 4 * n;

	for (cl_uint i = 0; i < 4; i++)
		argument(kernel, i, sizeof(cl_mem), &memory[i]);
	argument(kernel, 4, sizeof(bytes), &bytes);
	argument(kernel, 5, sizeof(group), &group);
	launch(kernel, (size_t)group, (size_t)group);
}

static void add_sums(cl_program program, cl_mem sums, cl_mem dst, int n, int group)
{
	cl_kernel kernel = clCreateKernel(program, "scan_sum", NULL);
	int bytes = 4 * n;

	argument(kernel, 0, sizeof(cl_mem), &sums);
	argument(kernel, 1, sizeof(cl_mem), &dst);
	argument(kernel, 2, sizeof(bytes), &bytes);
	argument(kernel, 3, sizeof(group), &group);
	launch(kernel, (size_t)((n + group - 1) / group * group), (size_t)group);
}

static bool run_scan(int n, int group)
{
	int count = (n + group - 1) / group, more = (count + group - 1) / group;
	size_t room = (size_t)(count + 2) * (size_t)group * 4;
	float *a = calloc(1, room), *b = malloc((size_t)n * 4), sum = 0.0f;
	cl_program program = build(scan, "");
	cl_mem temp, src, dst, totals, sums, rest;
	bool same = true;

	for (int i = 0; i < n; i++)
		a[i] = (float)(i % 5);
	src = buffer(a, room);
	dst = buffer(NULL, room);
	totals = buffer(NULL, (size_t)(more + 2) * (size_t)group * 4);
	sums = buffer(NULL, (size_t)(more + 2) * (size_t)group * 4);
	rest = buffer(NULL, (size_t)more * 4);
	temp = buffer(NULL, 2 * (size_t)group * 4);
	column_sum(program, (cl_mem[4]){src, dst, totals, temp}, n, group);
	if (count > 1) {
		column_sum(program, (cl_mem[4]){totals, sums, rest, temp}, count, group);
		add_sums(program, sums, dst, n, group);
	}
	clEnqueueReadBuffer(queue, dst, CL_TRUE, 0, (size_t)n * 4, b, 0, NULL, NULL);
	for (int i = 0; i < n; sum += a[i++])
		same &= memcmp(&b[i], &sum, sizeof(sum)) == 0 || (b[i] >= sum && b[i] <= sum);
	free(a);
	free(b);
	return same;
}

int main(int argc, char **argv)
{
	bool right = false;

	need(argc >= 4,
	     "usage: texts barrier FORM N GROUP STEPS | staged|tree|scan|progress N GROUP");
	open_device();
	if (strcmp(argv[1], "barrier") == 0 && argc == 6)
		right = run_barrier(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10),
		                    argv[5]);
	else if (strcmp(argv[1], "staged") == 0)
		right = run_staged(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
	else if (strcmp(argv[1], "tree") == 0)
		right = run_tree(atoi(argv[2]), strtoul(argv[3], NULL, 10));
	else if (strcmp(argv[1], "progress") == 0)
		right = run_progress(argv[2], strtoul(argv[3], NULL, 10));
	else if (strcmp(argv[1], "scan") == 0)
		right = run_scan(atoi(argv[2]), atoi(argv[3]));
	else
		need(false, "no such text");
	puts(right ? "right" : "wrong");
	return 0;
}

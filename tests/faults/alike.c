// SPDX-License-Identifier: Apache-2.0
/*
 * A device that has its bug in test and control alike, and shows it by a rule: a layer of the ICD
 * loader. Of each program that plays one test it makes two, one in which all orders are relaxed and
 * one in which all are sequentially consistent; programs that play more are not built, so that each
 * is compiled by itself. At each launch the rule OCLMM_ALIKE says which of the two runs. Test code
 * only.
 */
#include "plant/icd_layer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

ICD_LAYER("oclmm alike");

static const char PLAYS[] = "kernel void oclmm_test";
static const char RELAXED[] = "memory_order_relaxed", STRONG[] = "memory_order_seq_cst";

/* ---- programs and kernels, each with its strong twin ---- */

enum { MOST = 1024, PATTERN = 29 /* of the words of a kernel's parameters */ };
static struct {
	cl_program weak, strong;
} programs[MOST];
static struct played {
	cl_kernel weak, strong;
	uint32_t pattern;  /* of the stress of its next launch */
	uint64_t hash;     /* of all its parameters */
	unsigned launches; /* that it had */
} kernels[MOST];
static unsigned program_count, kernel_count;

/* `from` and `to` are as long as each other. */
static char *with_orders(const char *text, const char *from, const char *to)
{
	char *copy = strdup(text);

	for (char *at = copy; (at = strstr(at, from)); at += strlen(to))
		memcpy(at, to, strlen(to));
	return copy;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	const char *first = count == 1 ? strstr(strings[0], PLAYS) : NULL, *nothing = "none";
	char *weak, *strong;
	cl_program made;

	if (!first)
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	if (strstr(first + 1, PLAYS) || program_count == MOST)
		return layer_real->clCreateProgramWithSource(context, 1, &nothing, NULL, code);
	weak = with_orders(strings[0], STRONG, RELAXED);
	strong = with_orders(strings[0], RELAXED, STRONG);
	made = layer_real->clCreateProgramWithSource(context, 1, (const char **)&weak, NULL, code);
	programs[program_count].weak = made;
	programs[program_count++].strong = layer_real->clCreateProgramWithSource(
		context, 1, (const char **)&strong, NULL, NULL);
	free(weak);
	free(strong);
	return made;
}

static cl_program twin_of(cl_program program)
{
	for (unsigned i = program_count; i-- > 0;)
		if (programs[i].weak == program)
			return programs[i].strong;
	return NULL;
}

static struct played *find(cl_kernel kernel)
{
	for (unsigned i = kernel_count; i-- > 0;)
		if (kernels[i].weak == kernel)
			return &kernels[i];
	return NULL;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	cl_program strong = twin_of(program);

	if (strong)
		layer_real->clBuildProgram(strong, count, devices, options, NULL, NULL);
	return layer_real->clBuildProgram(program, count, devices, options, notify, data);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel made = layer_real->clCreateKernel(program, name, code);
	cl_program strong = twin_of(program);

	if (!made || !strong || strncmp(name, "oclmm_test", strlen("oclmm_test")) != 0 ||
	    kernel_count == MOST)
		return made;
	kernels[kernel_count++] = (struct played){
		.weak = made, .strong = layer_real->clCreateKernel(strong, name, NULL)};
	return made;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	struct played *own = find(kernel);
	const uint32_t *words = value;

	if (own)
		layer_real->clSetKernelArg(own->strong, index, size, value);
	if (own && value && size > PATTERN * sizeof(*words)) {
		own->pattern = words[PATTERN];
		own->hash = 0;
		for (size_t i = 0; i < size / sizeof(*words); i++)
			own->hash = (own->hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		own->hash ^= own->hash >> 32;
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

/* ---- rules ---- */

static unsigned launched; /* kernels that play, of either kind */
static struct played *last, *last_but_one, *owner;
static uint32_t last_pattern;
static uint64_t last_hash;

static bool is_weak(struct played *own)
{
	const struct {
		const char *name;
		bool weak;
	} rules[] = {
		{"same-kernel-and-pattern", own->pattern < 2 && last == own},
		{"same-kernel", last == own},
		{"other-kernel", last != own},
		{"last-but-one", last_but_one == own && last != own},
		{"pattern", own->pattern < 2},
		{"pattern-before", last_pattern < 2},
		{"pattern-before-and-same", last_pattern < 2 && last == own},
		{"pattern-as-before", last_pattern == own->pattern},
		{"each-second", launched % 2 == 1},
		{"each-third", launched % 3 == 0},
		{"each-second-of-a-kernel", own->launches % 2 == 1},
		{"second-and-pattern", launched % 2 == (own->pattern & 1)},
		{"parameters", own->hash % 2 == 1},
		{"parameters-before", last_hash % 2 == 1},
		{"parameters-as-before", own->hash % 2 == last_hash % 2},
		{"bursts", launched / 16 % 4 == 0},
		{"not-at-first", own->launches >= 16},
		{"at-first", own->launches < 16},
		{"twice", last != own && last == last_but_one},
		{"by-turns", owner != own},
	};
	const char *rule = getenv("OCLMM_ALIKE");

	for (size_t i = 0; rule && i < sizeof(rules) / sizeof(*rules); i++)
		if (strcmp(rules[i].name, rule) == 0)
			return rules[i].weak;
	abort(); /* there is no such rule */
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	struct played *own = find(kernel);
	bool weak = !own || is_weak(own);

	if (own) {
		owner = weak ? own : owner;
		last_but_one = last;
		last = own;
		last_pattern = own->pattern;
		last_hash = own->hash;
		own->launches++;
		launched++;
	}
	return layer_real->clEnqueueNDRangeKernel(queue, weak ? kernel : own->strong, dimensions,
	                                          offset, global, local, wait_count, waits, event);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	own->clBuildProgram = build_program;
	own->clCreateKernel = create_kernel;
	own->clSetKernelArg = set_argument;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	return true;
}

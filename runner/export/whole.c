// SPDX-License-Identifier: Apache-2.0
/*
 * A test whose work-items share a text: the kernel as it stands, launched with a number of
 * instances side by side, each of whole work-groups and with objects of its own.
 */
#include <errno.h>
#include <stdio.h>

#include "exchange/exchange.h"
#include "internal.h"

struct writing {
	const struct export_job *job;
	const struct export_setting *setting;
	const struct oclmm_program *program;
	const struct oclmm_shared_text *shared;
	struct oclmm_text *text;
};

static void put(const struct writing *w, const char *string)
{
	oclmm_text_add(w->text, string);
}

static const struct oclmm_location *location_of(const struct writing *w, uint32_t location)
{
	return &w->program->locations[location];
}

static bool is_buffer(const struct oclmm_location *l)
{
	return l->space != OCLMM_SPACE_LOCAL;
}

static bool begins_with_zero(const struct oclmm_location *l)
{
	for (uint32_t e = 0; e < l->elements; e++)
		if (l->initial && l->initial[e])
			return false;
	return true;
}

/* Work-items of a launch, at most, and cells of its objects: so that it is short. */
static uint32_t instances_of(const struct writing *w)
{
	enum { INSTANCES = 1024, CELLS = 1 << 18 };
	uint64_t cells = w->program->thread_count;
	uint32_t instances = INSTANCES;

	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_buffer(location_of(w, i)))
			cells += oclmm_whole_stride(location_of(w, i));
	while (instances > 1 && instances * cells > CELLS)
		instances /= 2;
	return instances;
}

/* ---- what stands before main() -------------------------------------------------------------- */

static void add_statics(const struct writing *w)
{
	const char *comma = "static cl_mem ";

	oclmm_text_printf(w->text,
	                  "/* Instances of a launch, side by side in its first dimension. */\n"
	                  "enum { INSTANCES = %u, LAUNCHES = %u, SECONDS = %u, ENOUGH = %u };\n"
	                  "static cl_context context;\nstatic cl_command_queue queue;\n",
	                  instances_of(w), w->setting->launches, EXPORT_SECONDS, EXPORT_ENOUGH);
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (!is_buffer(l))
			continue;
		oclmm_text_printf(w->text, "%s%s_mem", comma, l->name);
		comma = ", ";
	}
	put(w, ";\n");
	/* a cell behind each instance's objects is part of none */
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (is_buffer(l))
			oclmm_text_printf(w->text, "static %s %s_host[INSTANCES * %u];\n",
			                  export_host_type(l->type), l->name,
			                  oclmm_whole_stride(l));
	}
}

/* ---- main() --------------------------------------------------------------------------------- */

static void add_opening(const struct writing *w, const char *kernels)
{
	struct oclmm_text own = {0};

	oclmm_text_add(&own, "\tcl_kernel kernel;\n\tcl_device_id device;\n");
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);
		struct oclmm_text row = {0};

		if (!is_buffer(l) || begins_with_zero(l))
			continue;
		oclmm_text_printf(&own, "\tstatic const %s %s_first[] = {",
		                  export_host_type(l->type), l->name);
		for (uint32_t e = 0; e < l->elements; e++) {
			oclmm_text_add(&row, e ? ", " : "");
			export_add_number(&row, l->initial[e]);
		}
		oclmm_text_add_wrapped(&own, oclmm_text_string(&row), 95, 50, 8);
		own.length -= own.data[own.length - 1] == '\n';
		oclmm_text_add(&own, "};\n");
		oclmm_text_finish(&row);
	}
	export_add_opening(w->job, 1, oclmm_text_string(&own), "", kernels, w->text);
	oclmm_text_finish(&own);
	put(w, "\tqueue = clCreateCommandQueue(context, device, 0, &code), check(code, "
	       "\"clCreateCommandQueue\");\n"
	       "\tkernel = clCreateKernel(program, \"oclmm_test\", &code), check(code, "
	       "\"clCreateKernel\");\n");
}

static void add_sizes(const struct writing *w)
{
	const struct oclmm_shared_text *s = w->shared;

	oclmm_text_printf(w->text,
	                  "\t\tconst size_t local[] = {%u, %u, %u}, global[] = {%u * INSTANCES, "
	                  "%u, %u};\n",
	                  s->items[0], s->items[1], s->items[2], s->groups[0] * s->items[0],
	                  s->groups[1] * s->items[1], s->groups[2] * s->items[2]);
	if (s->offset_given)
		oclmm_text_printf(w->text, "\t\tconst size_t offset[] = {%u, %u, %u};\n",
		                  s->offset[0], s->offset[1], s->offset[2]);
	put(w, "\n");
}

static void add_objects(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (!is_buffer(l))
			continue;
		oclmm_text_printf(w->text, "\t\tmemset(%s_host, 0, sizeof(%s_host));\n", l->name,
		                  l->name);
		if (!begins_with_zero(l))
			oclmm_text_printf(w->text,
			                  "\t\tfor (int i = 0; i < INSTANCES; i++)\n"
			                  "\t\t\tmemcpy(%s_host + i * %u, %s_first, "
			                  "sizeof(%s_first));\n",
			                  l->name, oclmm_whole_stride(l), l->name, l->name);
		oclmm_text_printf(w->text, "\t\t%s_mem = memory(sizeof(%s_host), %s_host);\n",
		                  l->name, l->name, l->name);
	}
}

static void add_arguments(const struct writing *w)
{
	for (uint32_t i = 0; i < w->shared->parameter_count; i++) {
		const struct oclmm_shared_parameter *p = &w->shared->parameters[i];
		const struct oclmm_location *l = location_of(w, p->location);

		oclmm_text_printf(w->text, "\t\tCHECK(clSetKernelArg(kernel, %u, ", i);
		if (p->by_value) {
			const char *type = export_host_type(p->type);

			oclmm_text_printf(w->text, "sizeof(%s), &(%s){", type, type);
			export_add_number(w->text, p->value);
			put(w, "}));\n");
		} else if (is_buffer(l)) {
			oclmm_text_printf(w->text, "sizeof(cl_mem), &%s_mem));\n", l->name);
		} else {
			oclmm_text_printf(w->text, "%u * sizeof(%s), NULL));\n", l->elements,
			                  export_host_type(l->type));
		}
	}
}

static void add_launch(const struct writing *w)
{
	oclmm_text_printf(w->text,
	                  "\t\tCHECK(clEnqueueNDRangeKernel(queue, kernel, %u, %s, global, local, "
	                  "0, NULL, NULL));\n",
	                  w->shared->dimensions, w->shared->offset_given ? "offset" : "NULL");
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (is_buffer(l) && export_is_observed(w->program, i))
			oclmm_text_printf(w->text,
			                  "\t\tCHECK(clEnqueueReadBuffer(queue, %s_mem, CL_TRUE, "
			                  "0, sizeof(%s_host), %s_host, 0, NULL, NULL));\n",
			                  l->name, l->name, l->name);
	}
	put(w, "\t\tCHECK(clFinish(queue));\n");
}

/* Observed elements of an object from the k-th on, one behind the other. */
static uint32_t row_of(const struct writing *w, uint32_t k)
{
	const struct oclmm_observable *o = &w->program->observables[k];
	uint32_t row = 1;

	while (k + row < w->program->observable_count && o[row].location == o->location &&
	       o[row].element == o->element + row)
		row++;
	return row;
}

static void add_row(const struct writing *w, uint32_t k, uint32_t row)
{
	const struct oclmm_observable *o = &w->program->observables[k];
	const struct oclmm_location *l = location_of(w, o->location);

	if (row == 1)
		oclmm_text_printf(w->text, "\t\t\tv[%u] = (long long)%s_host[i * %u + %u];\n", k,
		                  l->name, oclmm_whole_stride(l), o->element);
	else
		oclmm_text_printf(w->text,
		                  "\t\t\tfor (int k = 0; k < %u; k++)\n"
		                  "\t\t\t\tv[%u + k] = (long long)%s_host[i * %u + %u + k];\n",
		                  row, k, l->name, oclmm_whole_stride(l), o->element);
}

static void add_count(const struct writing *w)
{
	uint32_t width = w->program->observable_count;

	oclmm_text_printf(w->text,
	                  "\t\tfor (int i = 0; i < INSTANCES; i++) {\n\t\t\tlong long v[%u] = "
	                  "{0};\n\n",
	                  width ? width : 1);
	for (uint32_t k = 0; k < width; k += row_of(w, k))
		add_row(w, k, row_of(w, k));
	if (w->program->filter) {
		put(w, "\t\t\tif (!(");
		export_add_condition(w->text, w->program->filter);
		put(w, "))\n\t\t\t\tcontinue; /* the test asks of the others alone */\n");
	}
	export_add_note(w->text);
	put(w, "\t\t}\n");
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_buffer(location_of(w, i)))
			oclmm_text_printf(w->text, "\t\tclReleaseMemObject(%s_mem);\n",
			                  location_of(w, i)->name);
	put(w, "\t}\n");
}

/* What the file has no words for. */
static const char *missing_of(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (is_buffer(l) && !oclmm_location_is_buffer(l))
			return "an object is not a buffer";
		if (is_buffer(l) && l->type == OCLMM_TYPE_HALF)
			return "an object is a half";
	}
	for (uint32_t i = 0; i < program->observable_count; i++)
		if (program->observables[i].is_register ||
		    !is_buffer(&program->locations[program->observables[i].location]))
			return "what it ends with is not in a buffer";
	return NULL;
}

int export_whole(const struct export_job *job, const struct oclmm_program *launched,
                 const struct export_setting *setting, struct oclmm_error *error,
                 struct oclmm_text *ret_kernels, struct oclmm_text *ret_planted,
                 struct oclmm_text *text)
{
	const struct writing w = {.job = job,
	                          .setting = setting,
	                          .program = launched,
	                          .shared = launched->shared,
	                          .text = text};
	const char *missing = missing_of(launched);

	if (missing)
		return oclmm_error_set(error, -ENOTSUP, "%s: not exported: %s", job->program->name,
		                       missing);
	oclmm_generate_whole(launched, ret_kernels);
	exchange_plant_ids(ret_kernels, ret_planted);
	put(&w, export_includes);
	put(&w, export_standard_includes);
	if (!job->module) {
		put(&w, "static const char source[] =\n");
		export_add_string(text, oclmm_text_string(ret_kernels));
		text->length--;
		put(&w, ";\n\n");
	}
	add_statics(&w);
	export_add_frame(job, 1, text);
	put(&w, export_memory_function);
	add_opening(&w, oclmm_text_string(ret_kernels));
	export_add_loop(text);
	add_sizes(&w);
	add_objects(&w);
	add_arguments(&w);
	add_launch(&w);
	add_count(&w);
	export_add_end(job, text);
	return 0;
}

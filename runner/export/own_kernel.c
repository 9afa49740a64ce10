// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel of somebody's own as one C file: its text, the launch that the oracle answered for, and
 * the ends that are allowed.
 */
#include "own_kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct writing {
	const struct kernel_file *file;
	const struct oclmm_kernel_answer *answer;
	const struct oclmm_program *program; /* the launch as a test */
	const char *name;                    /* of the file, for its head */
	struct oclmm_text *text;
};

/* ---- what stands alone ---------------------------------------------------------------------- */

enum { CELLS_MOST = 160 };

/* Why no file can be written, or NULL. */
static const char *missing_of(const struct oclmm_kernel_answer *answer)
{
	if (answer->verdict == OCLMM_KERNEL_UNDEFINED)
		return "it is undefined, so that no end is a device's fault";
	if (answer->verdict != OCLMM_KERNEL_SOUND || answer->cut || answer->early)
		return "the oracle does not know every end that is allowed";
	if (answer->value_count == 0)
		return "nothing is asked: --ask 'x[0] == 3'";
	if (oclmm_kernel_unseen(answer))
		return "it is asked for what no host sees";
	if (answer->launch.kept)
		return "a variable at program scope keeps its value from one launch to the next";
	if (answer->launch.sub_group)
		return "it depends on the size of a sub-group";
	if (answer->state_count * answer->value_count > CELLS_MOST)
		return "too many ends are allowed to list them";
	return NULL;
}

/* Options of the compiler that become lines of the text: macros. The version of the language is
 * tried by the file itself. */
static int add_macros(const struct kernel_file *file, struct oclmm_error *error,
                      struct oclmm_text *source)
{
	const char *options = oclmm_text_string(&file->compile);
	char *o;
	int r = 0;

	for (; r == 0 && (o = oclmm_quoted_word(&options)); free(o)) {
		char *value = strchr(o, '=');

		if (strncmp(o, "-cl-std=", 8) == 0 || strncmp(o, "-O", 2) == 0)
			continue;
		if (strncmp(o, "-D", 2) != 0 || !o[2])
			r = oclmm_error_set(error, -ENOTSUP,
			                    "%s: not exported: it is compiled with %s, which is "
			                    "neither a macro nor a version",
			                    file->path, o);
		else
			oclmm_text_printf(source, "#define %.*s %s\n",
			                  (int)(value ? value - o - 2 : (long)strlen(o + 2)), o + 2,
			                  value ? value + 1 : "1");
	}
	return r;
}

/* ---- the file ------------------------------------------------------------------------------- */

static void put(const struct writing *w, const char *string)
{
	oclmm_text_add(w->text, string);
}

static void add_paragraph(const struct writing *w, const char *words)
{
	export_paragraph(w->text, "%s", words);
	put(w, " *\n");
}

static void add_sizes(struct oclmm_text *text, const size_t sizes[3], unsigned dimensions)
{
	for (unsigned i = 0; i < dimensions; i++)
		oclmm_text_printf(text, "%s%zu", i ? " x " : "", sizes[i]);
}

static void add_comment(const struct writing *w)
{
	const struct oclmm_kernel_launch *l = &w->answer->launch;
	struct oclmm_text line = {0};
	char now[32];

	oclmm_print_now(now, sizeof(now));
	now[10] = '\0';
	put(w, "/*\n");
	oclmm_text_printf(&line, "%s: a kernel, launched with ", w->answer->name);
	add_sizes(&line, l->global, l->dimensions);
	oclmm_text_add(&line, " work-items in groups of ");
	add_sizes(&line, l->local, l->dimensions);
	oclmm_text_printf(&line, ". Written by oclmm %s on %s.", OCLMM_VERSION, now);
	add_paragraph(w, oclmm_text_string(&line));
	line.length = 0;
	oclmm_text_add(&line, "    cc -std=c11 ");
	oclmm_text_add_quoted(&line, w->name);
	oclmm_text_add(&line, ".c -lOpenCL -o test && ./test [DEVICE [LAUNCHES]]");
	add_paragraph(w, oclmm_text_string(&line));
	add_paragraph(w, export_usage);
	line.length = 0;
	oclmm_text_printf(&line, "The OpenCL memory model allows %s and nothing else: ",
	                  w->answer->state_count == 1 ? "this end" : "these ends");
	for (uint64_t k = 0; k < w->answer->state_count && k < 4; k++) {
		oclmm_text_add(&line, k ? " or " : "");
		oclmm_kernel_print_state(&line, w->answer, w->answer->states[k].values);
	}
	oclmm_text_add(&line, w->answer->state_count > 4 ? " … (`allowed` has all)" : "");
	add_paragraph(w, oclmm_text_string(&line));
	w->text->length -= strlen(" *\n");
	put(w, " */\n");
	oclmm_text_finish(&line);
}

/* What a parameter begins with, as words where it is made of them. */
static void add_first(const struct oclmm_kernel_parameter *p, struct oclmm_text *text)
{
	const bool words = p->size % sizeof(int32_t) == 0;
	const size_t size = words ? sizeof(int32_t) : 1;
	size_t count = p->size / size;
	struct oclmm_text row = {0};

	oclmm_text_printf(text, "\tstatic const %s %s_first[%zu] = {",
	                  words ? "cl_int" : "cl_uchar", p->name, count);
	while (count > 1 &&
	       memcmp((const char *)p->bytes + (count - 1) * size, "\0\0\0\0", size) == 0)
		count--; /* what is left out is 0 */
	for (size_t i = 0; i < count; i++) {
		int32_t word;

		memcpy(&word, (const char *)p->bytes + i * size * words, sizeof(word) * words);
		oclmm_text_add(&row, i ? ", " : "");
		export_add_number(&row, words ? word : ((const unsigned char *)p->bytes)[i]);
	}
	oclmm_text_add_wrapped(text, oclmm_text_string(&row), 95, 60, 8);
	text->length -= text->data[text->length - 1] == '\n';
	oclmm_text_add(text, "};\n");
	oclmm_text_finish(&row);
}

static void add_array(const struct writing *w, struct oclmm_text *text, const char *name,
                      const size_t sizes[3])
{
	oclmm_text_printf(text, "\tconst size_t %s[] = {", name);
	for (unsigned i = 0; i < w->answer->launch.dimensions; i++)
		oclmm_text_printf(text, "%s%zu", i ? ", " : "", sizes[i]);
	oclmm_text_add(text, "};\n");
}

static void add_opening(const struct writing *w, const struct export_job *job, const char *kernels)
{
	const struct oclmm_kernel_launch *l = &w->answer->launch;
	struct oclmm_text own = {0};

	oclmm_text_add(&own, "\tcl_kernel kernel;\n\tcl_device_id device;\n");
	for (unsigned n = 0; n < l->parameter_count; n++)
		if (l->parameters[n].bytes)
			add_first(&l->parameters[n], &own);
	add_array(w, &own, "global", l->global);
	add_array(w, &own, "local", l->local);
	add_array(w, &own, "offset", l->offset);
	export_add_opening(job, 1, oclmm_text_string(&own), "", kernels, w->text);
	oclmm_text_finish(&own);
	oclmm_text_printf(w->text,
	                  "\tqueue = clCreateCommandQueue(context, device, 0, &code), check(code, "
	                  "\"clCreateCommandQueue\");\n"
	                  "\tkernel = clCreateKernel(program, \"%s\", &code), check(code, "
	                  "\"clCreateKernel\");\n",
	                  w->answer->name);
}

static void add_launch(const struct writing *w)
{
	const struct oclmm_kernel_launch *l = &w->answer->launch;

	export_add_loop(w->text);
	for (unsigned n = 0; n < l->parameter_count; n++) {
		const struct oclmm_kernel_parameter *p = &l->parameters[n];

		if (p->kind == OCLMM_KERNEL_BUFFER)
			oclmm_text_printf(
				w->text,
				"\t\tcl_mem %s_mem = memory(sizeof(%s_first), (void *)%s_first);\n",
				p->name, p->name, p->name);
	}
	put(w, "\n");
	for (unsigned n = 0; n < l->parameter_count; n++) {
		const struct oclmm_kernel_parameter *p = &l->parameters[n];

		if (p->kind == OCLMM_KERNEL_BUFFER)
			oclmm_text_printf(
				w->text,
				"\t\tCHECK(clSetKernelArg(kernel, %u, sizeof(cl_mem), &%s_mem));\n",
				n, p->name);
		else if (p->kind == OCLMM_KERNEL_SCALAR)
			oclmm_text_printf(w->text,
			                  "\t\tCHECK(clSetKernelArg(kernel, %u, sizeof(%s_first), "
			                  "%s_first));\n",
			                  n, p->name, p->name);
		else
			oclmm_text_printf(w->text,
			                  "\t\tCHECK(clSetKernelArg(kernel, %u, %zu, NULL));\n", n,
			                  p->size);
	}
	oclmm_text_printf(
		w->text,
		"\t\tCHECK(clEnqueueNDRangeKernel(queue, kernel, %u, offset, global, local, "
		"0, NULL, NULL));\n\t\tlong long v[%u] = {0};\n",
		l->dimensions, w->program->observable_count);
}

/* Each cell that is asked for, from its buffer. */
static void add_count(const struct writing *w)
{
	const struct oclmm_kernel_launch *l = &w->answer->launch;

	for (uint32_t i = 0; i < w->program->observable_count; i++) {
		const struct oclmm_observable *o = &w->program->observables[i];
		const struct oclmm_location *in = &w->program->locations[o->location];
		const char *type = export_host_type(o->type);

		oclmm_text_printf(w->text,
		                  "\t\t%s got_%u;\n"
		                  "\t\tCHECK(clEnqueueReadBuffer(queue, %s_mem, CL_TRUE, %u, "
		                  "sizeof(got_%u), &got_%u, 0, NULL, NULL));\n"
		                  "\t\tv[%u] = (long long)got_%u;\n",
		                  type, i, in->name, o->element * oclmm_type_bits(in->type) / 8, i,
		                  i, i, i);
	}
	export_add_note(w->text);
	for (unsigned n = 0; n < l->parameter_count; n++)
		if (l->parameters[n].kind == OCLMM_KERNEL_BUFFER)
			oclmm_text_printf(w->text, "\t\tclReleaseMemObject(%s_mem);\n",
			                  l->parameters[n].name);
	put(w, "\t}\n");
}

/* The ends as an answer: the condition of none of them is asked for, so that all others count. */
static struct oclmm_answer list_ends(const struct writing *w)
{
	struct oclmm_arena *arena = w->answer->arena;
	struct oclmm_answer ends = {.program = w->program,
	                            .state_count = (uint32_t)w->answer->state_count};

	ends.states = OCLMM_NEW_ARRAY(arena, struct oclmm_state, ends.state_count + 1);
	for (uint32_t i = 0; i < ends.state_count; i++) {
		int64_t *values = OCLMM_NEW_ARRAY(arena, int64_t, w->program->observable_count + 1);

		oclmm_kernel_observed(w->answer, w->answer->states[i].values, values);
		ends.states[i] = (struct oclmm_state){.values = values};
		for (int m = 0; m < OCLMM_MODEL_COUNT; m++)
			ends.states[i].status[m] = OCLMM_STATUS_ALLOWED;
	}
	return ends;
}

int export_kernel(const struct kernel_file *file, const struct oclmm_kernel_answer *answer,
                  const char *name, struct oclmm_error *error, struct oclmm_text *ret_file)
{
	const char *missing = missing_of(answer);
	struct oclmm_text source = {0};
	struct writing w = {.file = file, .answer = answer, .name = name, .text = ret_file};
	struct oclmm_answer ends;
	struct export_job job;
	int r;

	*ret_file = (struct oclmm_text){0};
	if (missing)
		return oclmm_error_set(error, -ENOTSUP, "%s: not exported: %s", file->path,
		                       missing);
	r = add_macros(file, error, &source);
	w.program = oclmm_kernel_program(answer);
	ends = list_ends(&w);
	job = (struct export_job){.program = w.program, .answer = &ends, .name = name};
	if (r == 0) {
		oclmm_text_add(&source,
		               file->whole.length ? oclmm_text_string(&file->whole) : file->text);
		add_comment(&w);
		put(&w, export_includes);
		put(&w, export_standard_includes);
		put(&w, "static const char source[] =\n");
		export_add_string(w.text, oclmm_text_string(&source));
		w.text->length--;
		oclmm_text_printf(w.text,
		                  ";\n\nenum { LAUNCHES = 10000, SECONDS = %d, ENOUGH = %d };\n"
		                  "static cl_context context;\nstatic cl_command_queue queue;\n",
		                  EXPORT_SECONDS, EXPORT_ENOUGH);
		export_add_frame(&job, 1, w.text);
		put(&w, export_memory_function);
		add_opening(&w, &job, oclmm_text_string(&source));
		add_launch(&w);
		add_count(&w);
		export_add_end(&job, w.text);
	}
	oclmm_text_finish(&source);
	return r;
}

// SPDX-License-Identifier: Apache-2.0
/* A test whose threads are work-items, and perhaps threads of the host: its kernels, and the calls
 * that launch them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/exchange.h"
#include "internal.h"

struct writing {
	const struct export_job *job;
	const struct export_setting *setting;
	const struct oclmm_program *program;
	struct oclmm_kernel_plan plan;
	struct oclmm_lone lone;
	struct oclmm_text *text;
	bool host; /* threads of the host play, too */
	bool svm;  /* some object lies in shared virtual memory */
};

/* ---- what stands alone ---------------------------------------------------------------------- */

static int is_loop(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	return statement->kind == OCLMM_STATEMENT_WHILE;
}

static bool has_loop(const struct oclmm_thread *thread)
{
	static const struct oclmm_visitor visitor = {.statement = is_loop};

	return oclmm_visit_body(&visitor, thread->body, NULL);
}

/* The words of these types mean the same to a compiler of the host. */
static int check_host(const struct writing *w, struct oclmm_error *error)
{
	for (uint32_t i = 0; w->host && i < w->program->location_count; i++) {
		enum oclmm_type type = w->program->locations[i].type;

		if (type != OCLMM_TYPE_INT && type != OCLMM_TYPE_LONG)
			return export_refuse(w->program, error,
			                     "a thread of the host uses an object that is no int "
			                     "and no long");
	}
	return 0;
}

static int begin(struct writing *w, struct oclmm_error *error)
{
	int r = oclmm_kernel_plan(w->program, &w->job->answer->space, error, &w->plan);
	bool meet = w->plan.parts > 1 || w->plan.work_groups > 1;

	if (r < 0)
		return r;
	w->host = w->plan.parts > w->plan.kernels;
	for (uint32_t i = 0; i < w->program->location_count; i++)
		w->svm |= oclmm_storage_is_svm(w->program->locations[i].storage);
	w->lone.scatters = w->setting->scatters;
	for (uint32_t i = 0; i < w->setting->count; i++) {
		w->lone.meets |= meet && w->setting->environments[i].polls > 0;
		w->lone.stresses |= w->setting->environments[i].busy > 0;
	}
	return check_host(w, error);
}

/* ---- objects -------------------------------------------------------------------------------- */

static void put(const struct writing *w, const char *string)
{
	oclmm_text_add(w->text, string);
}

static bool is_of_host(const struct writing *w, uint32_t thread)
{
	return w->plan.role_part[thread] >= w->plan.kernels;
}

static bool is_svm(const struct oclmm_location *l)
{
	return oclmm_storage_is_svm(l->storage);
}

static bool is_local(const struct oclmm_location *l)
{
	return l->space == OCLMM_SPACE_LOCAL;
}

/* Of several kernels each has its queue and its results, in arrays. */
static const char *each(const struct writing *w)
{
	return w->plan.kernels > 1 ? "[k]" : "";
}

static const char *first_queue(const struct writing *w)
{
	return w->plan.kernels > 1 ? "queue[0]" : "queue";
}

static bool begins_with_zero(const struct oclmm_location *l)
{
	for (uint32_t e = 0; e < l->elements; e++)
		if (l->initial && l->initial[e])
			return false;
	return true;
}

/* Whether the host has a copy of the objects. */
static bool has_copy(const struct writing *w, uint32_t location)
{
	const struct oclmm_location *l = &w->program->locations[location];

	return !is_local(l) && (export_is_observed(w->program, location) || !begins_with_zero(l) ||
	                        l->storage == OCLMM_STORAGE_SVM_SYSTEM);
}

static void add_index(const struct writing *w, uint32_t location)
{
	if (w->setting->scatters)
		oclmm_text_printf(w->text, "(i * 0x%xu & (n - 1)) * stride",
		                  oclmm_lone_factor(location));
	else
		put(w, "i * stride");
}

static const char *name_of(const struct writing *w, uint32_t location)
{
	return w->program->locations[location].name;
}

/* The host's copies, and the values that are not 0 in them. */
static void add_copies(const struct writing *w)
{
	bool any = false;

	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const char *type = export_host_type(w->program->locations[k].type);

		if (has_copy(w, k))
			oclmm_text_printf(w->text,
			                  "\t\t%s *%s_host = calloc((size_t)n * stride, "
			                  "sizeof(%s));\n",
			                  type, name_of(w, k), type);
	}
	put(w, "\n");
	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];

		for (uint32_t e = 0; has_copy(w, k) && e < l->elements; e++) {
			if (!l->initial || !l->initial[e])
				continue;
			if (!any)
				put(w, "\t\tfor (unsigned i = 0; i < n; i++) {\n");
			any = true;
			oclmm_text_printf(w->text, "\t\t\t%s_host[", name_of(w, k));
			add_index(w, k);
			oclmm_text_printf(w->text, " + %u] = ", e);
			export_add_initial(w->text, l->type, l->initial[e]);
			put(w, ";\n");
		}
	}
	put(w, any ? "\t\t}\n" : "");
}

static const char *svm_flags(enum oclmm_storage storage)
{
	if (storage == OCLMM_STORAGE_SVM_COARSE)
		return "CL_MEM_READ_WRITE";
	if (storage == OCLMM_STORAGE_SVM_FINE)
		return "CL_MEM_SVM_FINE_GRAIN_BUFFER";
	return "ATOMICS";
}

/* What is no object of the test: where work-items meet, their results. */
static void add_made(const struct writing *w, const char *name, const char *size)
{
	if (w->svm)
		oclmm_text_printf(w->text, "\t\t%s = share(%s, NULL, %s);\n", name, size,
		                  oclmm_on_one_device(&w->plan) ? "CL_MEM_READ_WRITE" : "ATOMICS");
	else
		oclmm_text_printf(w->text, "\t\t%s = memory(%s, NULL);\n", name, size);
}

static void add_memory(const struct writing *w)
{
	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];
		char copy[128] = "NULL";

		if (is_local(l))
			continue;
		if (has_copy(w, k))
			snprintf(copy, sizeof(copy), "%.100s_host", l->name);
		if (l->storage == OCLMM_STORAGE_SVM_SYSTEM)
			oclmm_text_printf(w->text, "\t\t%s_mem = %s; /* the heap itself */\n",
			                  l->name, copy);
		else if (is_svm(l))
			oclmm_text_printf(w->text,
			                  "\t\t%s_mem = share(size * sizeof(%s), %s, %s);\n",
			                  l->name, export_host_type(l->type), copy,
			                  svm_flags(l->storage));
		else
			oclmm_text_printf(w->text, "\t\t%s_mem = memory(size * sizeof(%s), %s);\n",
			                  l->name, export_host_type(l->type), copy);
		if (oclmm_location_is_image(l))
			oclmm_text_printf(
				w->text,
				"\t\tdesc.image_width = size;\n\t\tdesc.buffer = %s_mem;\n"
				"\t\t%s_image = clCreateImage(context, CL_MEM_READ_WRITE, "
				"&format, &desc, NULL, &code);\n"
				"\t\tcheck(code, \"clCreateImage\");\n",
				l->name, l->name);
	}
	if (w->lone.meets)
		add_made(w, "met", "e->pairs * local * sizeof(cl_uint)");
	if (w->lone.stresses)
		add_made(w, "scratch", "4096 * sizeof(cl_uint)");
}

/* ---- arguments ------------------------------------------------------------------------------ */

struct arguments {
	const struct writing *w;
	uint32_t count;
};

static void OCLMM_PRINTF(2, 3) add_argument(struct arguments *a, const char *format, ...)
{
	va_list arguments;
	char *words;

	va_start(arguments, format);
	words = export_words(format, arguments);
	va_end(arguments);
	oclmm_text_printf(a->w->text, "%s\t\tCHECK(clSetKernelArg(kernel%s, %u, %s));\n",
	                  a->w->plan.kernels > 1 ? "\t" : "", each(a->w), a->count++, words);
	free(words);
}

/* Memory of any kind. */
static void add_memory_argument(struct arguments *a, const char *name, const char *end)
{
	if (a->w->svm)
		oclmm_text_printf(a->w->text,
		                  "%s\t\tCHECK(clSetKernelArgSVMPointer(kernel%s, %u, %s%s));\n",
		                  a->w->plan.kernels > 1 ? "\t" : "", each(a->w), a->count++, name,
		                  end);
	else
		add_argument(a, "sizeof(cl_mem), &%s%s", name, end);
}

static void add_arguments(const struct writing *w)
{
	struct arguments a = {.w = w};

	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];

		if (is_local(l) || l->storage == OCLMM_STORAGE_PROGRAM)
			continue;
		if (w->svm && !is_svm(l))
			add_argument(&a, "sizeof(cl_mem), &%s_mem", l->name);
		else
			add_memory_argument(&a, l->name,
			                    oclmm_location_is_image(l) ? "_image" : "_mem");
	}
	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];

		if (is_local(l))
			add_argument(&a, "local * %u * sizeof(%s), NULL", l->elements,
			             export_host_type(l->type));
	}
	add_memory_argument(&a, "out", each(w));
	if (w->lone.meets)
		add_memory_argument(&a, "met", "");
	if (w->lone.stresses)
		add_memory_argument(&a, "scratch", "");
	add_argument(&a, "sizeof(*e), e");
}

/* ---- threads of the host -------------------------------------------------------------------- */

static void add_host_objects(const struct writing *w, const struct oclmm_thread *t)
{
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_parameter *p = &t->parameters[i];
		const char *type = oclmm_type_spelling(p->type, p->atomic);

		oclmm_text_printf(w->text, "\t\t%s%s *%s = (%s *)%s_mem + ",
		                  p->is_volatile ? "volatile " : "", type, name_of(w, p->location),
		                  type, name_of(w, p->location));
		add_index(w, p->location);
		put(w, ";\n");
	}
}

static const char *word_of(const struct writing *w)
{
	return w->plan.wide ? "cl_ulong" : "cl_uint";
}

static bool has_long(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->location_count; i++)
		if (program->locations[i].type == OCLMM_TYPE_LONG)
			return true;
	return false;
}

static bool is_observed(const struct oclmm_program *program, uint32_t thread, uint32_t reg)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (o->is_register && o->thread == thread && o->reg == reg)
			return true;
	}
	return false;
}

static void add_host_thread(const struct writing *w, uint32_t thread)
{
	const struct oclmm_program *program = w->program;
	const struct oclmm_thread *t = &program->threads[thread];

	oclmm_text_printf(w->text,
	                  "static void *play_P%u(void *data)\n{\n"
	                  "\tconst struct environment *e = data;\n"
	                  "\tconst unsigned n = e->pairs * e->lanes * e->rounds, stride = "
	                  "e->stride;\n%s\n"
	                  "\tfor (unsigned i = 0; i < n; i++) {\n",
	                  t->id, w->lone.meets ? "\tunsigned budget = e->polls;\n" : "");
	add_host_objects(w, t);
	put(w, "\n");
	if (w->lone.meets && w->plan.crowd > 1)
		oclmm_text_printf(w->text,
		                  "\t\tfor (int k = 1; k < %u; k++)\n"
		                  "\t\t\tatomic_fetch_add(met + k, 1);\n",
		                  w->plan.crowd);
	if (w->lone.meets)
		oclmm_text_printf(w->text,
		                  "\t\tatomic_fetch_add(met, 1);\n"
		                  "\t\twhile (atomic_load(met) < (i + 1) * %u && budget > 0)\n"
		                  "\t\t\tbudget--;\n",
		                  oclmm_lone_parties(&w->plan));
	oclmm_generate_lone_host(program, thread, 2, w->text);
	put(w, "\t\t");
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (o->is_register && o->thread == thread)
			oclmm_text_printf(w->text, "mine[%u * n + i] = (%s)%s, ",
			                  oclmm_lone_plane(program, i), word_of(w),
			                  t->registers[o->reg].name);
	}
	/* compilers warn of what nobody reads */
	for (uint32_t i = 0; i < t->register_count; i++)
		if (!is_observed(program, thread, i))
			oclmm_text_printf(w->text, "(void)%s, ", t->registers[i].name);
	oclmm_text_printf(w->text, "mine[%u * n + i] = 1", oclmm_lone_played(program, thread));
	if (has_loop(t))
		oclmm_text_printf(w->text, " + cut_P%u", t->id);
	put(w, ";\n\t}\n\treturn NULL;\n}\n\n");
}

/* ---- the count ------------------------------------------------------------------------------ */

static void add_word(const struct writing *w, uint32_t plane, uint32_t thread)
{
	if (is_of_host(w, thread))
		oclmm_text_printf(w->text, "mine[%u * n + i]", plane);
	else
		oclmm_text_printf(w->text,
		                  w->plan.kernels > 1 ? "got[%u][%u * n + i]"
		                                      : "got%.0u[%u * n + i]",
		                  w->plan.kernels > 1 ? w->plan.role_part[thread] : 0, plane);
}

/* The first thread that uses a local object, who observes it. */
static uint32_t local_user(const struct writing *w, uint32_t location)
{
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		for (uint32_t k = 0; k < w->program->threads[i].parameter_count; k++)
			if (w->program->threads[i].parameters[k].location == location)
				return i;
	return 0;
}

static const char *signed_word(enum oclmm_type type)
{
	bool is_signed = oclmm_type_is_signed(type) || oclmm_type_is_floating(type);

	if (oclmm_type_observed_bits(type) == 64)
		return is_signed ? "cl_long" : "cl_ulong";
	return is_signed ? "cl_int" : "cl_uint";
}

/* As the kernel tells values of registers. */
static const char *reader_of(enum oclmm_type type)
{
	switch (type) {
	case OCLMM_TYPE_HALF: return "value_half(";
	case OCLMM_TYPE_FLOAT: return "value_float(";
	case OCLMM_TYPE_DOUBLE: return "value_double(";
	default: return "";
	}
}

static void add_value(const struct writing *w, uint32_t observable)
{
	const struct oclmm_observable *o = &w->program->observables[observable];

	oclmm_text_printf(w->text, "\t\t\tv[%u] = (long long)", observable);
	if (!o->is_register && !is_local(&w->program->locations[o->location])) {
		oclmm_text_printf(w->text, "%s%s_host[",
		                  o->type == OCLMM_TYPE_FLAG ? "!!" : reader_of(o->type),
		                  name_of(w, o->location));
		add_index(w, o->location);
		oclmm_text_printf(w->text, " + %u]%s;\n", o->element,
		                  *reader_of(o->type) ? ")" : "");
		return;
	}
	oclmm_text_printf(w->text, "(%s)", signed_word(o->type));
	add_word(w, oclmm_lone_plane(w->program, observable),
	         o->is_register ? o->thread : local_user(w, o->location));
	put(w, ";\n");
}

static void add_count(const struct writing *w)
{
	uint32_t width = w->program->observable_count;

	oclmm_text_printf(w->text,
	                  "\t\tfor (unsigned i = 0; i < n; i++) {\n\t\t\tlong long v[%u] = "
	                  "{0};\n\n\t\t\tif (",
	                  width ? width : 1);
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		put(w, i == 0 ? "" : i % 3 ? " || " : " ||\n\t\t\t    ");
		add_word(w, oclmm_lone_played(w->program, i), i);
		put(w, " != 1");
	}
	put(w, ")\n\t\t\t\tcontinue; /* not played to its end */\n");
	for (uint32_t i = 0; i < width; i++)
		add_value(w, i);
	if (w->program->filter) {
		put(w, "\t\t\tif (!(");
		export_add_condition(w->text, w->program->filter);
		put(w, "))\n\t\t\t\tcontinue; /* the test asks of the others alone */\n");
	}
	export_add_note(w->text);
	put(w, "\t\t}\n");
}

/* ---- what stands before main() -------------------------------------------------------------- */

static void add_includes(const struct writing *w)
{
	put(w, export_includes);
	if (w->host)
		put(w, "#include <pthread.h>\n#include <stdatomic.h>\n");
	put(w, export_standard_includes);
	if (w->svm)
		put(w, "#define ATOMICS (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)\n\n");
}

static void add_environment(const struct writing *w, const struct export_environment *e)
{
	oclmm_text_printf(w->text, "{%u, %u, %u, %u", e->pairs, e->lanes, e->rounds, e->stride);
	if (w->lone.meets)
		oclmm_text_printf(w->text, ", %u", e->polls);
	if (w->lone.stresses)
		oclmm_text_printf(w->text, ", %u, %u", e->busy, e->stress);
	put(w, "}");
}

static void add_environments(const struct writing *w)
{
	put(w, "/* Work-groups for each of the test's; instances that one has at once, and one "
	       "after\n * the other; the distance of their objects");
	put(w, w->lone.meets ? "; polls for the others" : "");
	put(w, w->lone.stresses ? "; groups that make traffic, and how much. */\n" : ". */\n");
	put(w, "static const struct environment { cl_uint pairs, lanes, rounds, stride");
	put(w, w->lone.meets ? ", polls" : "");
	put(w, w->lone.stresses ? ", busy, stress" : "");
	put(w, "; } environments[] = {\n\t");
	for (uint32_t i = 0; i < w->setting->count; i++) {
		put(w, i == 0 ? "" : i % 2 ? ", " : ",\n\t");
		add_environment(w, &w->setting->environments[i]);
	}
	oclmm_text_printf(
		w->text,
		"};\nenum { LAUNCHES = %u, SECONDS = %u, ENOUGH = %u, ENVIRONMENTS = %u };\n",
		w->setting->launches, EXPORT_SECONDS, EXPORT_ENOUGH, w->setting->count);
}

static void add_array(const struct writing *w, const char *type, const char *name)
{
	oclmm_text_printf(w->text, "%s%s", type, name);
	if (w->plan.kernels > 1)
		oclmm_text_printf(w->text, "[%u]", w->plan.kernels);
}

static void add_statics(const struct writing *w)
{
	const char *kinds[] = {"static cl_mem ", "static void *"};

	put(w, "static cl_context context;\n");
	add_array(w, "static cl_command_queue ", "queue");
	put(w, ";\n");
	for (int svm = 0; svm <= 1; svm++) {
		const char *comma = kinds[svm];

		for (uint32_t k = 0; k < w->program->location_count; k++) {
			const struct oclmm_location *l = &w->program->locations[k];

			if (is_local(l) || is_svm(l) != svm)
				continue;
			oclmm_text_printf(w->text, "%s%s_mem", comma, l->name);
			comma = svm ? ", *" : ", ";
			if (oclmm_location_is_image(l))
				oclmm_text_printf(w->text, ", %s_image", l->name);
		}
		if (svm == w->svm) {
			add_array(w, comma, "out");
			comma = svm ? ", *" : ", ";
			if (w->lone.meets && !w->host)
				oclmm_text_printf(w->text, "%smet", comma);
			if (w->lone.stresses)
				oclmm_text_printf(w->text, "%sscratch", comma);
		}
		put(w, comma == kinds[svm] ? "" : ";\n");
	}
	if (w->host && w->lone.meets)
		put(w, "static atomic_uint *met;\n");
	if (w->host)
		oclmm_text_printf(w->text, "static %s *mine; /* what threads of the host saw */\n",
		                  word_of(w));
	if (w->host && has_long(w->program))
		put(w, "_Static_assert(sizeof(long) == sizeof(cl_long), \"longs of 64 bits\");\n");
}

static const char share_function[] =
	"/* Shared virtual memory with the contents of `from`, or zeros. */\n"
	"static void *share(size_t size, void *from, cl_svm_mem_flags flags)\n"
	"{\n"
	"\tvoid *zeros = calloc(1, size), *made = clSVMAlloc(context, flags, size, 0);\n"
	"\n"
	"\tif (!made && fprintf(stderr, \"the device lacks such shared virtual memory\\n\"))\n"
	"\t\texit(77);\n"
	"\tCHECK(clEnqueueSVMMemcpy(%s, CL_TRUE, made, from ? from : zeros, size, 0, NULL, "
	"NULL));\n"
	"\tfree(zeros);\n"
	"\treturn made;\n"
	"}\n"
	"\n";

/* The pairs of oclmm_value_of_bits(), here and below. */
static const char half_functions[] =
	"/* The whole number that a half holds; LLONG_MIN if it holds none. */\n"
	"static long long whole(cl_half bits)\n"
	"{\n"
	"\tconst int e = (bits >> 10 & 31) - 25, m = (bits & 1023) | 1024;\n"
	"\n"
	"\tif (bits == 0)\n"
	"\t\treturn 0;\n"
	"\tif (e < -10 || e > 1 || (e == 1 && m > 1024) || (e < 0 && (m & ((1 << -e) - 1))))\n"
	"\t\treturn (-0x7fffffffffffffffLL - 1);\n"
	"\treturn (bits >> 15 ? -1 : 1) * (e < 0 ? m >> -e : m << e);\n"
	"}\n"
	"\n"
	"/* Where it holds none, the bits; where those are a whole number, the bits of that. */\n"
	"static long long value_half(cl_half bits)\n"
	"{\n"
	"\tconst cl_short as_integer = (cl_short)bits;\n"
	"\tcl_half other = 0;\n"
	"\n"
	"\tif (whole(bits) >= -2048)\n"
	"\t\treturn whole(bits);\n"
	"\tif (as_integer < -2048 || as_integer > 2048)\n"
	"\t\treturn as_integer;\n"
	"\twhile (whole(other) != as_integer)\n"
	"\t\tother++;\n"
	"\treturn (cl_short)other;\n"
	"}\n"
	"\n";

static void add_floating_function(const struct writing *w, enum oclmm_type type)
{
	const char *number = export_host_type(type),
		   *word = oclmm_type_bits(type) == 32 ? "cl_int" : "cl_long";
	long long most = (long long)oclmm_type_greatest(type);

	oclmm_text_printf(w->text,
	                  "/* A whole number, or the bits, or where those are one, its bits. */\n"
	                  "static long long value_%s(%s number)\n"
	                  "{\n"
	                  "\tconst int small = number >= -%lld && number <= %lld;\n"
	                  "\t%s whole = small ? (%s)(%s)number : 0;\n"
	                  "\t%s bits;\n"
	                  "\n"
	                  "\tif (memcmp(&whole, &number, sizeof(whole)) == 0)\n"
	                  "\t\treturn (long long)number;\n"
	                  "\tmemcpy(&bits, &number, sizeof(bits));\n"
	                  "\tif (bits < -%lld || bits > %lld)\n"
	                  "\t\treturn bits;\n"
	                  "\twhole = (%s)bits;\n"
	                  "\tmemcpy(&bits, &whole, sizeof(bits));\n"
	                  "\treturn bits;\n"
	                  "}\n"
	                  "\n",
	                  oclmm_type_name(type), number, most, most, number, number, word, word,
	                  most, most, number);
}

/* Whether the host reads objects of a type. */
static bool reads(const struct writing *w, enum oclmm_type type)
{
	for (uint32_t i = 0; i < w->program->observable_count; i++) {
		const struct oclmm_observable *o = &w->program->observables[i];

		if (!o->is_register && o->type == type &&
		    !is_local(&w->program->locations[o->location]))
			return true;
	}
	return false;
}

/* Whether an object is a buffer although others are shared virtual memory. */
static bool has_buffers(const struct writing *w)
{
	bool any = !w->svm;

	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];

		any |= !is_local(l) && !is_svm(l);
	}
	return any;
}

static void add_functions(const struct writing *w)
{
	if (has_buffers(w))
		put(w, export_memory_function);
	if (reads(w, OCLMM_TYPE_HALF))
		put(w, half_functions);
	if (reads(w, OCLMM_TYPE_FLOAT))
		add_floating_function(w, OCLMM_TYPE_FLOAT);
	if (reads(w, OCLMM_TYPE_DOUBLE))
		add_floating_function(w, OCLMM_TYPE_DOUBLE);
	if (w->svm)
		oclmm_text_printf(w->text, share_function, first_queue(w));
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (is_of_host(w, i))
			add_host_thread(w, i);
}

/* ---- main() --------------------------------------------------------------------------------- */

static uint32_t planes(const struct writing *w)
{
	return oclmm_lone_played(w->program, w->program->thread_count);
}

static bool has_program_scope(const struct writing *w)
{
	for (uint32_t k = 0; k < w->program->location_count; k++)
		if (w->program->locations[k].storage == OCLMM_STORAGE_PROGRAM)
			return true;
	return false;
}

static bool has_image(const struct writing *w)
{
	for (uint32_t k = 0; k < w->program->location_count; k++)
		if (oclmm_location_is_image(&w->program->locations[k]))
			return true;
	return false;
}

/* The default one, which enqueue_kernel() is given. It stays to the end. A device of 3.0 need not
 * have any, and says so by capabilities (PoCL counts one that it does not have); before that it
 * counts them. */
static const char queue_on_device[] =
	"\tstatic const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, "
	"CL_QUEUE_ON_DEVICE |\n"
	"\t\tCL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};\n"
	"\tcl_uint queues = 0;\n"
	"\tcl_bitfield can = 1; /* before 3.0 it is not asked */\n";
static const char make_queue_on_device[] =
	"\tclGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(queues), &queues, "
	"NULL);\n"
	"\tclGetDeviceInfo(device, 0x1070 /* CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES */, "
	"sizeof(can), &can, NULL);\n"
	"\tif ((!queues || !can) && fprintf(stderr, \"the device has no queues of its own\\n\"))\n"
	"\t\treturn 77;\n"
	"\tclCreateCommandQueueWithProperties(context, device, on_device, &code);\n"
	"\tcheck(code, \"clCreateCommandQueueWithProperties\");\n";

static void add_opening(const struct writing *w, const char *kernels)
{
	struct oclmm_text own = {0};

	oclmm_text_add(&own, "\tcl_kernel kernel");
	if (w->plan.kernels > 1)
		oclmm_text_printf(&own, "[%u]", w->plan.kernels);
	if (has_program_scope(w))
		oclmm_text_add(&own, ", mover");
	oclmm_text_printf(&own, ";\n\tcl_device_id device%s;\n", w->plan.devices > 1 ? "[2]" : "");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (is_of_host(w, i))
			oclmm_text_printf(&own, "\tpthread_t thread_P%u;\n",
			                  w->program->threads[i].id);
	if (has_image(w))
		oclmm_text_add(&own, "\tconst cl_image_format format = {CL_R, CL_SIGNED_INT32};\n"
		                     "\tcl_image_desc desc = {.image_type = "
		                     "CL_MEM_OBJECT_IMAGE1D_BUFFER};\n");
	if (w->plan.children)
		oclmm_text_add(&own, queue_on_device);
	export_add_opening(w->job, w->plan.devices, oclmm_text_string(&own),
	                   w->plan.children ? make_queue_on_device : "", kernels, w->text);
	oclmm_text_finish(&own);
	for (uint32_t k = 0; k < w->plan.kernels; k++) {
		char device[24] = "device", at[16] = "", number[16] = "";

		if (w->plan.devices > 1)
			snprintf(device, sizeof(device), "device[%u]", w->plan.part_device[k]);
		if (w->plan.kernels > 1) {
			snprintf(at, sizeof(at), "[%u]", k);
			snprintf(number, sizeof(number), "%u", k);
		}
		oclmm_text_printf(
			w->text,
			"\tqueue%s = clCreateCommandQueue(context, %s, 0, &code), check(code, "
			"\"clCreateCommandQueue\");\n"
			"\tkernel%s = clCreateKernel(program, \"test%s\", &code), check(code, "
			"\"clCreateKernel\");\n",
			at, device, at, number);
	}
}

/* Into variables at program scope, or back. */
static void add_moves(const struct writing *w, const char *what)
{
	for (uint32_t k = 0; k < w->program->location_count; k++)
		if (w->program->locations[k].storage == OCLMM_STORAGE_PROGRAM)
			oclmm_text_printf(
				w->text,
				"\t\tmover = clCreateKernel(program, \"%s_%u\", &code);\n"
				"\t\tCHECK(clSetKernelArg(mover, 0, sizeof(cl_mem), &%s_mem));\n"
				"\t\tCHECK(clEnqueueNDRangeKernel(queue, mover, 1, NULL, "
				"&size, NULL, 0, NULL, NULL));\n"
				"\t\tclReleaseKernel(mover);\n",
				what, k, name_of(w, k));
}

static uint32_t groups_of(const struct writing *w, uint32_t part)
{
	uint32_t groups = 0;

	for (uint32_t i = 0; i < w->plan.roles; i++)
		if (w->plan.role_part[i] == part && w->plan.role_work_group[i] >= groups)
			groups = w->plan.role_work_group[i] + 1;
	return groups;
}

/* Of a launch of each kernel the global size. */
static void add_global(const struct writing *w)
{
	put(w, w->plan.kernels > 1 ? ", global[] = {" : ", global = ");
	for (uint32_t k = 0; k < w->plan.kernels; k++)
		oclmm_text_printf(w->text, "%s(%u * e->pairs%s) * local", k ? ", " : "",
		                  groups_of(w, k), w->lone.stresses ? " + e->busy" : "");
	put(w, w->plan.kernels > 1 ? "};\n" : ";\n");
}

static bool has_global(const struct writing *w)
{
	for (uint32_t k = 0; k < w->program->location_count; k++)
		if (!is_local(&w->program->locations[k]))
			return true;
	return false;
}

static void add_sizes(const struct writing *w)
{
	uint32_t crowd = w->plan.crowd ? w->plan.crowd : 1;

	export_add_loop(w->text);
	put(w, "\t\tconst struct environment *e = &environments[launch % ENVIRONMENTS];\n"
	       "\t\tconst size_t local = e->lanes");
	if (crowd > 1)
		oclmm_text_printf(w->text, " * %u", crowd);
	add_global(w);
	oclmm_text_printf(w->text,
	                  "\t\tconst unsigned n = e->pairs * %s * e->rounds%s;\n"
	                  "\t\tconst size_t %swords = (size_t)n * %u * sizeof(%s);\n",
	                  w->plan.in_sub_groups ? "(unsigned)local" : "e->lanes",
	                  has_global(w) ? ", stride = e->stride" : "",
	                  has_global(w) ? "size = (size_t)n * stride, " : "", planes(w),
	                  word_of(w));
	if (w->plan.kernels > 1)
		oclmm_text_printf(w->text, "\t\t%s *got[%u];\n", word_of(w), w->plan.kernels);
	else
		oclmm_text_printf(w->text, "\t\t%s *got = calloc(1, words);\n", word_of(w));
}

static void add_launch_of_each(const struct writing *w)
{
	const char *tab = w->plan.kernels > 1 ? "\t" : "";

	oclmm_text_printf(
		w->text,
		"%s\t\tCHECK(clEnqueueNDRangeKernel(queue%s, kernel%s, 1, NULL, &global%s, "
		"&local, 0, NULL, NULL));\n",
		tab, each(w), each(w), each(w));
	if (w->plan.kernels > 1 || w->host)
		oclmm_text_printf(w->text, "%s\t\tclFlush(queue%s);\n", tab, each(w));
}

static void add_results(const struct writing *w)
{
	const char *tab = w->plan.kernels > 1 ? "\t" : "";

	if (w->svm)
		oclmm_text_printf(w->text,
		                  "%s\t\tCHECK(clEnqueueSVMMemcpy(queue%s, CL_TRUE, got%s, out%s, "
		                  "words, 0, NULL, NULL));\n",
		                  tab, each(w), each(w), each(w));
	else
		oclmm_text_printf(
			w->text,
			"%s\t\tCHECK(clEnqueueReadBuffer(queue%s, out%s, CL_TRUE, 0, words, "
			"got%s, 0, NULL, NULL));\n",
			tab, each(w), each(w), each(w));
}

/* Around what is done for each kernel, where there are several. */
static void add_loop(const struct writing *w, bool opens)
{
	if (w->plan.kernels > 1 && opens)
		oclmm_text_printf(w->text, "\t\tfor (int k = 0; k < %u; k++) {\n", w->plan.kernels);
	else if (w->plan.kernels > 1)
		put(w, "\t\t}\n");
}

static void add_launches(const struct writing *w)
{
	char out[16];

	snprintf(out, sizeof(out), "%sout%s", w->plan.kernels > 1 ? "\t" : "", each(w));
	add_loop(w, true);
	if (w->plan.kernels > 1)
		put(w, "\t\t\tgot[k] = calloc(1, words);\n");
	add_made(w, out, "words");
	add_arguments(w);
	add_loop(w, false);
	add_moves(w, "set");
	if (w->host)
		put(w, "\t\tmine = calloc(1, words);\n");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (is_of_host(w, i))
			oclmm_text_printf(
				w->text,
				"\t\tpthread_create(&thread_P%u, NULL, play_P%u, (void *)e);\n",
				w->program->threads[i].id, w->program->threads[i].id);
	add_loop(w, true);
	add_launch_of_each(w);
	add_loop(w, false);
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (is_of_host(w, i))
			oclmm_text_printf(w->text, "\t\tpthread_join(thread_P%u, NULL);\n",
			                  w->program->threads[i].id);
	if (w->plan.kernels > 1)
		oclmm_text_printf(w->text, "\t\tfor (int k = 0; k < %u; k++)\n", w->plan.kernels);
	add_results(w);
	add_moves(w, "get");
}

static void add_ends(const struct writing *w)
{
	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];

		if (!has_copy(w, k) || !export_is_observed(w->program, k) ||
		    l->storage == OCLMM_STORAGE_SVM_SYSTEM)
			continue;
		if (is_svm(l))
			oclmm_text_printf(
				w->text,
				"\t\tCHECK(clEnqueueSVMMemcpy(%s, CL_TRUE, %s_host, %s_mem, "
				"size * sizeof(%s), 0, NULL, NULL));\n",
				first_queue(w), l->name, l->name, export_host_type(l->type));
		else
			oclmm_text_printf(
				w->text,
				"\t\tCHECK(clEnqueueReadBuffer(%s, %s_mem, CL_TRUE, 0, size * "
				"sizeof(%s), %s_host, 0, NULL, NULL));\n",
				first_queue(w), l->name, export_host_type(l->type), l->name);
	}
}

/* What a launch has made, side by side. */
struct frees {
	const struct writing *w;
	size_t column;
};

static void OCLMM_PRINTF(2, 3) add_free(struct frees *f, const char *format, ...)
{
	va_list arguments;
	char *words;

	va_start(arguments, format);
	words = export_words(format, arguments);
	va_end(arguments);
	if (f->column + strlen(words) > 80)
		f->column = 0;
	oclmm_text_printf(f->w->text, "%s%s", f->column ? " " : "\n\t\t", words);
	f->column += strlen(words) + 1;
	free(words);
}

static void add_frees(const struct writing *w)
{
	const char *release = w->svm ? "clSVMFree(context, " : "clReleaseMemObject(";
	struct frees f = {.w = w};

	w->text->length--; /* each line is begun here, and ended at the end */
	for (uint32_t k = 0; k < w->program->location_count; k++) {
		const struct oclmm_location *l = &w->program->locations[k];

		if (is_local(l))
			continue;
		if (oclmm_location_is_image(l))
			add_free(&f, "clReleaseMemObject(%s_image);", l->name);
		if (is_svm(l) && l->storage != OCLMM_STORAGE_SVM_SYSTEM)
			add_free(&f, "clSVMFree(context, %s_mem);", l->name);
		else if (!is_svm(l))
			add_free(&f, "clReleaseMemObject(%s_mem);", l->name);
		if (has_copy(w, k))
			add_free(&f, "free(%s_host);", l->name);
	}
	if (w->lone.meets)
		add_free(&f, "%s%s);", release, "met");
	if (w->lone.stresses)
		add_free(&f, "%s%s);", release, "scratch");
	for (uint32_t k = 0; k < w->plan.kernels; k++) {
		char name[24] = "out";

		if (w->plan.kernels > 1)
			snprintf(name, sizeof(name), "out[%u]", k);
		add_free(&f, "%s%s);", release, name);
		if (w->plan.kernels > 1)
			add_free(&f, "free(got[%u]);", k);
		else
			add_free(&f, "free(%s);", "got");
	}
	if (w->host)
		add_free(&f, "free(%s);", "mine");
	put(w, "\n\t}\n");
}

int export_roles(const struct export_job *job, const struct export_setting *setting,
                 struct oclmm_error *error, struct oclmm_text *ret_kernels,
                 struct oclmm_text *ret_planted, struct oclmm_text *text)
{
	struct writing w = {.job = job, .setting = setting, .program = job->program, .text = text};
	int r = begin(&w, error);

	if (r == 0)
		r = exchange_generate_lone(job->program, &job->answer->space, w.lone, error,
		                           ret_kernels, ret_planted);
	if (r < 0)
		return r;
	add_includes(&w);
	if (!job->module) {
		put(&w, "static const char source[] =\n");
		export_add_string(text, oclmm_text_string(ret_kernels));
		text->length--;
		put(&w, ";\n\n");
	}
	add_environments(&w);
	add_statics(&w);
	export_add_frame(job, w.plan.devices, text);
	add_functions(&w);
	add_opening(&w, oclmm_text_string(ret_kernels));
	add_sizes(&w);
	add_copies(&w);
	add_memory(&w);
	add_launches(&w);
	add_ends(&w);
	add_count(&w);
	add_frees(&w);
	export_add_end(job, text);
	return 0;
}

/* ---- how it is run unless something smaller was found --------------------------------------- */

static uint32_t most_elements(const struct oclmm_program *program)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < program->location_count; i++)
		if (program->locations[i].elements > most)
			most = program->locations[i].elements;
	return most;
}

/* Objects of all instances at most: variables at program scope and images are small. */
static uint32_t objects_most(const struct oclmm_program *program)
{
	uint32_t most = 1u << 24;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		uint32_t own = most;

		if (l->storage == OCLMM_STORAGE_PROGRAM)
			own = OCLMM_KERNEL_PROGRAM_BYTES / (oclmm_type_bits(l->type) / 8);
		if (oclmm_location_is_image(l))
			own = OCLMM_KERNEL_IMAGE_ELEMENTS;
		most = own < most ? own : most;
	}
	return most;
}

static bool has_host(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			return true;
	return false;
}

/* So that all its objects have room. */
static struct export_environment fit(const struct oclmm_program *program,
                                     struct export_environment e)
{
	const uint32_t elements = most_elements(program), objects = objects_most(program);
	uint32_t children = 0;

	for (uint32_t i = 0; i < program->thread_count; i++)
		children += program->threads[i].placement.child;

	e.stride *= elements;
	while ((uint64_t)e.pairs * e.lanes * e.rounds * children > OCLMM_KERNEL_CHILDREN) {
		uint32_t *most = e.rounds > 1 ? &e.rounds : e.pairs > 1 ? &e.pairs : &e.lanes;

		*most /= 2;
	}
	while ((uint64_t)e.pairs * e.lanes * e.rounds * e.stride * 8 > objects) {
		if (e.stride > elements)
			e.stride /= 2;
		else if (e.rounds > 1)
			e.rounds /= 2;
		else if (e.pairs > 1)
			e.pairs /= 2;
		else
			break;
	}
	return e;
}

/* A thread of the host plays the instances of one work-item. */
static bool is_played(const struct oclmm_program *program, const struct export_environment *e)
{
	return !has_host(program) || (e->pairs == 1 && e->lanes == 1) || e->polls == 0;
}

static bool is_among(const struct export_setting *setting, const struct export_environment *e)
{
	for (uint32_t i = 0; i < setting->count; i++)
		if (memcmp(&setting->environments[i], e, sizeof(*e)) == 0)
			return true;
	return false;
}

/* Where there is room for the rows behind them. */
static void add_failed(const struct oclmm_program *program, const struct export_environment *failed,
                       uint32_t count, uint32_t room, struct export_setting *setting)
{
	for (uint32_t i = 0; i < count && setting->count < room; i++) {
		struct export_environment e = fit(program, failed[i]);

		if (is_played(program, &e) && !is_among(setting, &e))
			setting->environments[setting->count++] = e;
	}
}

/*
 * Two that keep the processors of a CPU at one instance after the other, as litmus7 does, and three
 * that give a GPU many at once, the last of them with traffic beside it. Chosen by hand. The polls
 * of the first are some slices of a processor's time: with 2^22, two work-groups of PoCL 3.1 on two
 * busy processors (load 15) seldom met, and store buffering showed in one file of three; with 2^25
 * it shows in one instance of a few hundred.
 */
void export_setting_default(const struct oclmm_program *program,
                            const struct export_environment *failed, uint32_t failed_count,
                            struct export_setting *ret_setting)
{
	static const struct export_environment rows[] = {
		{1, 1, 4096, 16, 1u << 25, 0, 0}, {4, 1, 4096, 1, 1u << 23, 0, 0},
		{256, 32, 8, 1, 0, 0, 0},         {64, 64, 8, 4, 1024, 0, 0},
		{128, 32, 8, 1, 256, 64, 4096},
	};
	const bool alone = program->shared || oclmm_has_inner_barrier(program) ||
	                   oclmm_program_has_commands(program);
	struct export_setting setting = {.launches = 200, .scatters = !alone, .lags = true};

	_Static_assert(OCLMM_COUNT(rows) < EXPORT_ENVIRONMENTS_MOST,
	               "no room for those that failed");
	if (!alone)
		add_failed(program, failed, failed_count,
		           EXPORT_ENVIRONMENTS_MOST - OCLMM_COUNT(rows), &setting);
	for (size_t i = 0; i < OCLMM_COUNT(rows) && !alone; i++)
		if (is_played(program, &rows[i]))
			setting.environments[setting.count++] = fit(program, rows[i]);
	if (alone)
		setting.environments[setting.count++] = (struct export_environment){1, 1, 1, 1,
		                                                                    0, 0, 0};
	*ret_setting = setting;
}

// SPDX-License-Identifier: Apache-2.0
/* What every exported file has, whatever its test is: devices, outcomes, the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- pieces of C ---------------------------------------------------------------------------- */

int export_refuse(const struct oclmm_program *program, struct oclmm_error *error, const char *why)
{
	return oclmm_error_set(error, -ENOTSUP, "%s: not exported: %s", program->name, why);
}

char *export_words(const char *format, va_list arguments)
{
	char *words;

	if (vasprintf(&words, format, arguments) < 0)
		oclmm_no_memory();
	return words;
}

static void add_character(struct oclmm_text *text, char c)
{
	if (c == '"' || c == '\\')
		oclmm_text_printf(text, "\\%c", c);
	else if (c == '\t')
		oclmm_text_add(text, "\\t");
	else if (c == '\r')
		oclmm_text_add(text, "\\r");
	else
		oclmm_text_add_bytes(text, &c, 1);
}

const char export_includes[] = "#define CL_TARGET_OPENCL_VERSION 300\n"
			       "#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue "
			       "*/\n"
			       "#include <CL/cl.h>\n";
const char export_standard_includes[] = "#include <stdio.h>\n#include <stdlib.h>\n"
					"#include <string.h>\n#include <time.h>\n\n";

/* Of a type that the host has, too. */
const char *export_host_type(enum oclmm_type type)
{
	switch (type) {
	case OCLMM_TYPE_INT: return "cl_int";
	case OCLMM_TYPE_UINT: return "cl_uint";
	case OCLMM_TYPE_LONG:
	case OCLMM_TYPE_PTRDIFF: return "cl_long";
	case OCLMM_TYPE_ULONG:
	case OCLMM_TYPE_SIZE: return "cl_ulong";
	case OCLMM_TYPE_FLOAT: return "cl_float";
	case OCLMM_TYPE_DOUBLE: return "cl_double";
	case OCLMM_TYPE_HALF: return "cl_half";
	case OCLMM_TYPE_CHAR: return "cl_char";
	case OCLMM_TYPE_SHORT: return "cl_short";
	case OCLMM_TYPE_USHORT: return "cl_ushort";
	case OCLMM_TYPE_FLAG: return "cl_int";
	default: return "cl_uchar";
	}
}

const char export_memory_function[] =
	"/* With the contents of `from`, or zeros. */\n"
	"static cl_mem memory(size_t size, void *from)\n"
	"{\n"
	"\tvoid *zeros = calloc(1, size);\n"
	"\tcl_int code;\n"
	"\tcl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, from ? from : zeros, "
	"&code);\n"
	"\n"
	"\tcheck(code, \"clCreateBuffer\");\n"
	"\tfree(zeros);\n"
	"\treturn made;\n"
	"}\n"
	"\n";

void export_add_string(struct oclmm_text *text, const char *string)
{
	while (*string) {
		oclmm_text_add(text, "\t\"");
		for (; *string && *string != '\n'; string++)
			add_character(text, *string);
		oclmm_text_add(text, *string ? "\\n\"\n" : "\"\n");
		string += *string != '\0';
	}
}

void export_add_number(struct oclmm_text *text, int64_t value)
{
	if (value == INT64_MIN)
		oclmm_text_add(text, "(-9223372036854775807LL - 1)");
	else if (value >= INT32_MIN && value <= INT32_MAX)
		oclmm_text_printf(text, "%lld", (long long)value);
	else
		oclmm_text_printf(text, "%lldLL", (long long)value);
}

void export_add_initial(struct oclmm_text *text, enum oclmm_type type, int64_t value)
{
	if (type == OCLMM_TYPE_HALF) {
		oclmm_text_printf(text, "0x%04llx /* %lld */",
		                  (unsigned long long)oclmm_value_bits(type, value),
		                  (long long)value);
		return;
	}
	if (oclmm_type_is_floating(type) && !oclmm_value_is_whole(type, value)) {
		const char *word = oclmm_type_bits(type) == 32 ? "cl_uint" : "cl_ulong";

		oclmm_text_printf(text, "(union { %s bits; %s number; }){0x%llxu} /* ", word,
		                  export_host_type(type),
		                  (unsigned long long)oclmm_value_bits(type, value));
		oclmm_value_print(text, type, value);
		oclmm_text_add(text, " */.number");
		return;
	}
	oclmm_text_printf(text, "(%s)", export_host_type(type));
	export_add_number(text, value);
}

/* ---- which outcomes count ------------------------------------------------------------------- */

enum { ALLOWED_MOST = 160, ALLOWED_ROW_MOST = 512, NAMED_MOST = 16, ALLOWED_COLUMNS = 90 };

static bool is_listed(const struct oclmm_state *state)
{
	return state->status[OCLMM_MODEL_CONSENSUS] != OCLMM_STATUS_FORBIDDEN;
}

static bool asks_too(const struct oclmm_answer *answer)
{
	enum oclmm_observation o = oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS);

	return o != OCLMM_OBSERVATION_NEVER && o != OCLMM_OBSERVATION_ALWAYS;
}

static bool lists_states(const struct oclmm_answer *answer)
{
	uint32_t listed = 0;

	for (uint32_t i = 0; i < answer->state_count; i++)
		listed += is_listed(&answer->states[i]);
	return !answer->undefined[OCLMM_MODEL_CONSENSUS] && listed > 0 &&
	       listed * answer->program->observable_count <=
	               (listed == 1 ? ALLOWED_ROW_MOST : ALLOWED_MOST);
}

static void add_operand(struct oclmm_text *text, const struct oclmm_operand *operand)
{
	if (operand->is_constant)
		export_add_number(text, operand->constant);
	else
		oclmm_text_printf(text, "v[%u]", operand->observable);
}

bool export_is_observed(const struct oclmm_program *program, uint32_t location)
{
	for (uint32_t i = 0; i < program->observable_count; i++)
		if (!program->observables[i].is_register &&
		    program->observables[i].location == location)
			return true;
	return false;
}

void export_add_condition(struct oclmm_text *text, const struct oclmm_condition *c)
{
	switch (c->kind) {
	case OCLMM_CONDITION_TRUE: oclmm_text_add(text, "1"); break;
	case OCLMM_CONDITION_COMPARE:
		add_operand(text, &c->a);
		oclmm_text_printf(text, " %s ", oclmm_operator_spelling(c->op));
		add_operand(text, &c->b);
		break;
	case OCLMM_CONDITION_NOT:
		oclmm_text_add(text, "!(");
		export_add_condition(text, c->left);
		oclmm_text_add(text, ")");
		break;
	default:
		oclmm_text_add(text, "(");
		export_add_condition(text, c->left);
		oclmm_text_add(text, c->kind == OCLMM_CONDITION_AND ? " && " : " || ");
		export_add_condition(text, c->right);
		oclmm_text_add(text, ")");
		break;
	}
}

static void add_asked(struct oclmm_text *text, const struct oclmm_program *program)
{
	bool all = program->quantifier == OCLMM_QUANTIFIER_FORALL;

	oclmm_text_add(text, all ? "!(" : "");
	export_add_condition(text, program->condition);
	oclmm_text_add(text, all ? ")" : "");
}

static void add_allowed(struct oclmm_text *text, const struct oclmm_answer *answer)
{
	uint32_t width = answer->program->observable_count;
	struct oclmm_text rows = {0};
	bool first = true;

	for (uint32_t i = 0; i < answer->state_count; i++) {
		if (!is_listed(&answer->states[i]))
			continue;
		/* a row is a word, so that lines end between rows */
		oclmm_text_add(&rows, first ? "{" : ", {");
		first = false;
		for (uint32_t k = 0; k < width; k++) {
			oclmm_text_add(&rows, k ? "," : "");
			export_add_number(&rows, answer->states[i].values[k]);
		}
		oclmm_text_add(&rows, width ? "}" : "0}");
	}
	oclmm_text_printf(text, "static const long long allowed[][%u] = {", width ? width : 1);
	if (rows.length < ALLOWED_COLUMNS - 50) {
		oclmm_text_add(text, oclmm_text_string(&rows));
	} else {
		oclmm_text_add(text, "\n        ");
		oclmm_text_add_wrapped(text, oclmm_text_string(&rows), ALLOWED_COLUMNS, 8, 8);
	}
	oclmm_text_add(text, "};\n");
	oclmm_text_finish(&rows);
}

/* Whether an outcome is what is asked, or forbidden. */
static void add_counts(const struct export_job *job, struct oclmm_text *text)
{
	bool lists = lists_states(job->answer), asks = asks_too(job->answer);

	oclmm_text_add(text, "/* What is asked");
	oclmm_text_add(text, !lists ? ""
	                     : asks ? ", or forbidden"
	                            : ", and what else is forbidden");
	oclmm_text_add(text, ". */\nstatic int counts(const long long *v)\n{\n");
	if (!lists || asks) {
		oclmm_text_add(text, lists ? "\tint wanted = " : "\treturn (void)v, ");
		add_asked(text, job->program);
		oclmm_text_add(text, lists ? ", listed = 0;\n\n" : ";\n");
	} else {
		oclmm_text_add(text, "\tint wanted = 1;\n\n");
	}
	if (lists)
		oclmm_text_printf(
			text,
			"\tfor (size_t k = 0; k < sizeof(allowed) / sizeof(*allowed); k++)\n"
			"\t\t%s memcmp(v, allowed[k], sizeof(*allowed)) %s 0;\n"
			"\treturn wanted%s;\n",
			asks ? "listed |=" : "wanted &=", asks ? "==" : "!=",
			asks ? " || !listed" : "");
	oclmm_text_add(text, "}\n\n");
}

/* ---- devices, outcomes ---------------------------------------------------------------------- */

static const char check_macro[] = "#define CHECK(call) check(call, #call)\n\n";

static const char check_function[] = "static void check(cl_int code, const char *call)\n"
				     "{\n"
				     "\tif (code == CL_SUCCESS)\n"
				     "\t\treturn;\n"
				     "\tfprintf(stderr, \"%s: error %d\\n\", call, code);\n"
				     "\texit(2);\n"
				     "}\n"
				     "\n";

static const char find_device[] =
	"%sstatic cl_device_id find_device(const char *wanted%s)\n"
	"{\n"
	"\tcl_platform_id platforms[16];\n"
	"\tcl_device_id devices[64];\n"
	"\tcl_uint count = 0, number = 0;\n"
	"\tchar name[256] = \"\", driver[256] = \"\";\n"
	"\n"
	"\tclGetPlatformIDs(16, platforms, &count);\n"
	"\tfor (cl_uint i = 0; i < count && i < 16; i++, number = 0) {\n"
	"\t\tclGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 64, devices, &number);\n"
	"\t\tfor (cl_uint k = 0; k < number && k < 64; k++) {\n"
	"\t\t\tclGetDeviceInfo(devices[k], CL_DEVICE_NAME, sizeof(name), name, NULL);\n"
	"\t\t\tclGetDeviceInfo(devices[k], CL_DRIVER_VERSION, sizeof(driver), driver, NULL);\n"
	"\t\t\tif (strstr(name, wanted) && %sprintf(\"%%s, driver %%s\\n\", name, driver))\n"
	"\t\t\t\treturn devices[k];\n"
	"\t\t}\n"
	"\t}\n"
	"\tfprintf(stderr, \"no %sdevice named \\\"%%s\\\"\\n\", wanted);\n"
	"\texit(77);\n"
	"}\n"
	"\n";

void export_add_frame(const struct export_job *job, uint32_t devices, struct oclmm_text *text)
{
	uint32_t width = job->program->observable_count;

	oclmm_text_printf(text,
	                  "static struct outcome { long long v[%u]; unsigned long count; } "
	                  "outcomes[256];\n",
	                  width ? width : 1);
	if (lists_states(job->answer))
		add_allowed(text, job->answer);
	add_counts(job, text);
	oclmm_text_add(text, check_macro);
	oclmm_text_add(text, check_function);
	if (devices > 1)
		oclmm_text_printf(
			text, find_device,
			"/* The first device of this name, or that behind `skip` others. */\n",
			", int skip", "skip-- == 0 && ", "second ");
	else
		oclmm_text_printf(text, find_device, "", "", "", "");
}

void export_add_note(struct oclmm_text *text)
{
	oclmm_text_add(text, "\t\t\to = outcomes;\n"
	                     "\t\t\twhile (o->count && memcmp(o->v, v, sizeof(v)) && o < "
	                     "&outcomes[254])\n"
	                     "\t\t\t\to++;\n"
	                     "\t\t\tmemcpy(o->v, v, sizeof(v));\n"
	                     "\t\t\to->count++, all++, hits += counts(v);\n");
}

void export_add_loop(struct oclmm_text *text)
{
	oclmm_text_add(text,
	               "\tfor (int launch = 0; launch < launches || (!hits && time(NULL) < end); "
	               "launch++) {\n"
	               "\t\tif (argc <= 2 && hits >= ENOUGH)\n\t\t\tbreak;\n");
}

/* ---- the beginning and the end of main() ---------------------------------------------------- */

static const char create_of_source[] =
	"\tprogram = clCreateProgramWithSource(context, 1, &text, NULL, &code), check(code, "
	"\"clCreateProgramWithSource\");\n";
static const char create_of_module[] =
	"\tlength = file ? fread(il, 1, sizeof(il), file) : 0;\n"
	"\tif (!length && fprintf(stderr, \"cannot read %%s\\n\", \"%s\"))\n\t\treturn 2;\n"
	"\tclGetDeviceInfo(%s, CL_DEVICE_IL_VERSION, sizeof(log), log, NULL);\n"
	"\tif (!*log && fprintf(stderr, \"the device takes no SPIR-V\\n\"))\n\t\treturn 77;\n"
	"\tprogram = clCreateProgramWithIL(context, il, length, &code), check(code, "
	"\"clCreateProgramWithIL\");\n";
/* Of a module the options say which atomic functions the driver's own code is to have: Intel's
 * runtime for CPUs builds none without them. */
static const char build_program[] =
	"\tfor (int k = 0; k == 0 || (code && k < %d); k++)\n"
	"\t\tcode = clBuildProgram(program, %u, %s%s, options[k], NULL, NULL);\n";
static const char read_log[] =
	"\tclGetProgramBuildInfo(program, %s, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);\n";
static const char print_log[] =
	"\tfprintf(stderr, \"%%s\", code ? log : \"\"), check(code, \"clBuildProgram\");\n";

/* As runs do: 3.0 comes first, for some such devices refuse 2.0, which is optional for them. */
static const char options_all[] =
	"\tstatic const char *const options[] = {\n"
	"\t\t\"-cl-std=CL3.0\", \"-cl-std=CL2.0\", /* or with a scope that headers lack */\n"
	"\t\t\"-cl-std=CL3.0 -Dmemory_scope_all_svm_devices=((memory_scope)3)\"};\n";
static const char options_device[] =
	"\tstatic const char *const options[] = {\"-cl-std=CL3.0\", \"-cl-std=CL2.0\", \"\"};\n";

/* ---- what a device need not have ---- */

/* Asked only where the compiler refuses the kernels. */
struct asking {
	struct oclmm_text *text;
	const char *device;
	bool of_source;   /* a compiler names the functions that it does not know */
	bool declared[2]; /* `has`, `extensions` */
};

/* `start` is the answer of a device that does not know the question. Where all that needs it are
 * functions, what the compiler says has a part of their names, `word`, if that is why it refuses;
 * NULL: it need not. */
static void add_need(struct asking *asking, const char *query, unsigned bit, unsigned start,
                     const char *what, const char *word)
{
	char of_bit[16], named[48] = "";

	if (word && asking->of_source)
		snprintf(named, sizeof(named), " && strstr(log, \"%s\")", word);
	snprintf(of_bit, sizeof(of_bit), bit ? "(has & %u)" : "has", bit);
	oclmm_text_printf(asking->text, "\t%shas = %u;%s\n", asking->declared[0] ? "" : "cl_ulong ",
	                  start, start ? " /* before 3.0 it is not asked */" : "");
	oclmm_text_printf(asking->text,
	                  "\tclGetDeviceInfo(%s, %s, sizeof(has), &has, NULL);\n"
	                  "\tif (code && !%s%s && fprintf(stderr, \"the device has no %s\\n\"))\n"
	                  "\t\treturn 77;\n",
	                  asking->device, query, of_bit, named, what);
	asking->declared[0] = true;
}

static void add_need_of_extension(struct asking *asking, const char *name)
{
	if (!asking->declared[1])
		oclmm_text_printf(asking->text,
		                  "\tstatic char extensions[1 << 16];\n"
		                  "\tclGetDeviceInfo(%s, CL_DEVICE_EXTENSIONS, sizeof(extensions), "
		                  "extensions, NULL);\n",
		                  asking->device);
	asking->declared[1] = true;
	oclmm_text_printf(asking->text,
	                  "\tif (code && !strstr(extensions, \"%s\") && "
	                  "fprintf(stderr, \"the device has no %s\\n\"))\n"
	                  "\t\treturn 77;\n",
	                  name, name);
}

static void add_needs_of_types(struct asking *asking, const struct oclmm_features *need)
{
	/* headers are older than the extension */
	static const struct {
		const char *query, *type;
	} floats[OCLMM_FLOAT_TYPES] = {
		{"0x4233 /* …HALF_FP_ATOMIC_CAPABILITIES_EXT */", "half"},
		{"0x4231 /* …SINGLE_FP_ATOMIC_CAPABILITIES_EXT */", "float"},
		{"0x4232 /* …DOUBLE_FP_ATOMIC_CAPABILITIES_EXT */", "double"},
	};

	if (need->floating_types >> OCLMM_TYPE_HALF & 1)
		add_need_of_extension(asking, "cl_khr_fp16");
	if (need->floating_types >> OCLMM_TYPE_DOUBLE & 1)
		add_need_of_extension(asking, "cl_khr_fp64");
	if (need->atomic_types & oclmm_types_of_width(64))
		add_need_of_extension(asking, "cl_khr_int64_base_atomics");
	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++) {
		for (unsigned bits = need->float_atomics[i]; bits; bits &= bits - 1) {
			char what[64];

			snprintf(what, sizeof(what), "such atomics of %s", floats[i].type);
			add_need(asking, floats[i].query, bits & -bits, 0, what, NULL);
		}
	}
}

/* A device that need not have what the kernels use, and has it not, does nothing wrong. */
static void add_needs(const struct export_job *job, const char *device, struct oclmm_text *text)
{
	struct asking asking = {.text = text, .device = device, .of_source = !job->module};
	struct oclmm_features need;

	oclmm_program_features(job->program, &need);
	if (need.sub_groups)
		add_need(&asking, "0x105C /* CL_DEVICE_MAX_NUM_SUB_GROUPS */", 0, 1, "sub-groups",
		         "sub_group_");
	if (need.collectives)
		add_need(&asking, "0x1068 /* CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT */",
		         0, 1, "collective functions of work-groups", "work_group_");
	if (need.split_barriers)
		add_need_of_extension(&asking, "cl_intel_split_work_group_barrier");
	if (need.clocks)
		add_need_of_extension(&asking, "cl_khr_kernel_clock");
	for (unsigned scope = 0, bits = need.clocks; bits >> scope; scope++)
		if (bits >> scope & 1)
			add_need(&asking, "0x1076 /* CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR */",
			         scope == OCLMM_SCOPE_DEVICE       ? 1
			         : scope == OCLMM_SCOPE_WORK_GROUP ? 2
			                                           : 4,
			         0, "clock of this scope", NULL);
	if (need.generic_pointers)
		add_need(&asking, "0x1069 /* CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT */", 0, 1,
		         "generic address space", NULL);
	if (need.images)
		add_need(&asking, "CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS", 0, 1,
		         "images that a kernel reads and writes", NULL);
	if (need.program_scope)
		add_need(&asking, "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE", 0, 1,
		         "variables at program scope", NULL);
	add_needs_of_types(&asking, &need);
}

void export_add_opening(const struct export_job *job, uint32_t devices, const char *declarations,
                        const char *needs, const char *kernels, struct oclmm_text *text)
{
	const char *first = devices > 1 ? "device[0]" : "device";
	oclmm_text_add(text, "int main(int argc, char **argv)\n{\n"
	                     "\tconst char *wanted = argc > 1 ? argv[1] : "
	                     "getenv(\"OPENCL_DEVICE\")");
	if (job->module)
		oclmm_text_printf(text,
		                  ";\n\tstatic char il[1 << 20];\n"
		                  "\tFILE *file = fopen(\"%s\", \"rb\");\n\tsize_t length;\n",
		                  job->module);
	else
		oclmm_text_add(text, ", *text = source;\n");
	oclmm_text_add(text, "\tchar log[8192] = \"\";\n");
	oclmm_text_add(text, !job->module && strstr(kernels, "memory_scope_all_svm_devices")
	                             ? options_all
	                             : options_device);
	oclmm_text_add(text, "\tconst int launches = argc > 2 ? atoi(argv[2]) : LAUNCHES;\n"
	                     "\tconst time_t end = argc > 2 ? 0 : time(NULL) + SECONDS;\n"
	                     "\tunsigned long hits = 0, all = 0;\n\tstruct outcome *o;\n");
	oclmm_text_add(text, declarations);
	oclmm_text_add(text, "\tcl_program program;\n\tcl_int code;\n\n");
	for (uint32_t i = 0; i < devices; i++) {
		oclmm_text_printf(text,
		                  devices > 1 ? "\tdevice[%u] = find_device(wanted ? wanted : \""
		                              : "\tdevice%.0u = find_device(wanted ? wanted : \"",
		                  i);
		for (const char *c = job->device ? job->device : ""; *c; c++)
			oclmm_text_printf(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
		oclmm_text_printf(text, devices > 1 ? "\", %u);\n" : "\"%.0u);\n", i);
	}
	oclmm_text_printf(
		text,
		"\tcontext = clCreateContext(NULL, %u, %sdevice, NULL, NULL, &code), check(code, "
		"\"clCreateContext\");\n",
		devices, devices > 1 ? "" : "&");
	oclmm_text_add(text, needs);
	if (job->module)
		oclmm_text_printf(text, create_of_module, job->module, first);
	else
		oclmm_text_add(text, create_of_source);
	oclmm_text_printf(text, build_program, 3, devices, devices > 1 ? "" : "&", "device");
	oclmm_text_printf(text, read_log, first);
	add_needs(job, first, text);
	oclmm_text_printf(text, print_log);
}

/* A line for each outcome; the values of many have no names. */
static void add_histogram(const struct oclmm_program *program, struct oclmm_text *text)
{
	if (program->observable_count > NAMED_MOST) {
		oclmm_text_printf(text,
		                  "\tfor (o = outcomes; o->count; o++, printf(\"\\n\")) {\n"
		                  "\t\tprintf(\"%%12lu %%c> %s=\", o->count, counts(o->v) ? '*' "
		                  ": ':');\n"
		                  "\t\tfor (int k = 0; k < %u; k++)\n"
		                  "\t\t\tprintf(\"%%lld; \", o->v[k]);\n\t}\n",
		                  program->observables[0].name, program->observable_count);
		return;
	}
	oclmm_text_add(text, "\tfor (o = outcomes; o->count; o++)\n"
	                     "\t\tprintf(\"%12lu %c>");
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_text_printf(text, " %s=%%lld;", program->observables[i].name);
	oclmm_text_add(text, "\\n\", o->count, counts(o->v) ? '*' : ':'");
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_text_printf(text, "%so->v[%u]", i % 8 == 0 ? ",\n\t\t       " : ", ", i);
	oclmm_text_add(text, ");\n");
}

void export_add_end(const struct export_job *job, struct oclmm_text *text)
{
	add_histogram(job->program, text);
	oclmm_text_add(text,
	               "\tprintf(\"%s: %lu of %lu\\n\", hits ? \"seen\" : \"not seen\", hits, "
	               "all);\n"
	               "\treturn all ? hits > 0 : 2;\n"
	               "}\n");
}

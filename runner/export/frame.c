// SPDX-License-Identifier: Apache-2.0
/* What every exported file has, whatever its test is: devices, outcomes, the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- pieces of C ---------------------------------------------------------------------------- */

static void add_character(struct oclmm_text *text, char c)
{
	if (c == '"' || c == '\\')
		oclmm_text_printf(text, "\\%c", c);
	else if (c == '\t')
		oclmm_text_add(text, "\\t");
	else
		oclmm_text_add_bytes(text, &c, 1);
}

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

/* ---- which outcomes count ------------------------------------------------------------------- */

enum { ALLOWED_MOST = 160, ALLOWED_COLUMNS = 90 };

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
	       listed * answer->program->observable_count <= ALLOWED_MOST;
}

static void add_number(struct oclmm_text *text, int64_t value)
{
	if (value == INT64_MIN)
		oclmm_text_add(text, "(-9223372036854775807 - 1)");
	else
		oclmm_text_printf(text, "%lld", (long long)value);
}

static void add_operand(struct oclmm_text *text, const struct oclmm_operand *operand)
{
	if (operand->is_constant)
		add_number(text, operand->constant);
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
		oclmm_text_add(&rows, first ? "{" : ", {");
		first = false;
		for (uint32_t k = 0; k < width; k++) {
			oclmm_text_add(&rows, k ? ", " : "");
			add_number(&rows, answer->states[i].values[k]);
		}
		oclmm_text_add(&rows, width ? "}" : "0}");
	}
	oclmm_text_printf(text, "static const long long allowed[][%u] = {", width ? width : 1);
	if (rows.length < ALLOWED_COLUMNS - 50) {
		oclmm_text_add(text, oclmm_text_string(&rows));
	} else {
		oclmm_text_add(text, "\n");
		oclmm_text_add_wrapped(text, oclmm_text_string(&rows), ALLOWED_COLUMNS, 8, 8);
	}
	oclmm_text_add(text, "};\n");
	oclmm_text_finish(&rows);
}

/* `wanted` of the outcome `o`. */
static void add_wanted(const struct export_job *job, struct oclmm_text *text)
{
	bool lists = lists_states(job->answer), asks = asks_too(job->answer);

	if (!lists || asks) {
		oclmm_text_add(text, "\t\tconst long long *v = o->v;\n\t\tint wanted = ");
		add_asked(text, job->program);
		oclmm_text_add(text, lists ? ", listed = 0;\n\n" : "; /* what is asked */\n\n");
	} else {
		oclmm_text_add(text, "\t\tint wanted = 1;\n\n");
	}
	if (!lists)
		return;
	oclmm_text_add(text,
	               "\t\tfor (size_t k = 0; k < sizeof(allowed) / sizeof(*allowed); k++)\n");
	oclmm_text_add(text,
	               asks ? "\t\t\tlisted |= memcmp(v, allowed[k], sizeof(*allowed)) == 0;\n"
	                      "\t\twanted |= !listed; /* what is asked, or forbidden */\n"
	                    : "\t\t\twanted &= memcmp(o->v, allowed[k], sizeof(*allowed)) != "
	                      "0;\n");
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
	                     "\t\t\to->count++;\n");
}

/* ---- the beginning and the end of main() ---------------------------------------------------- */

static const char build_source[] =
	"\tprogram = clCreateProgramWithSource(context, 1, &text, NULL, &code), check(code, "
	"\"clCreateProgramWithSource\");\n"
	"\tfor (int k = 0; k == 0 || (code && k < %d); k++)\n"
	"\t\tcode = clBuildProgram(program, %u, %s%s, options[k], NULL, NULL);\n"
	"\tclGetProgramBuildInfo(program, %s, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);\n"
	"\tfprintf(stderr, \"%%s\", code ? log : \"\"), check(code, \"clBuildProgram\");\n";

/* As runs do: 3.0 comes first, for some such devices refuse 2.0, which is optional for them. */
static const char options_all[] =
	"\tstatic const char *const options[] = {\n"
	"\t\t\"-cl-std=CL3.0\", \"-cl-std=CL2.0\", /* or with a scope that headers lack */\n"
	"\t\t\"-cl-std=CL3.0 -Dmemory_scope_all_svm_devices=((memory_scope)3)\"};\n";
static const char options_device[] =
	"\tstatic const char *const options[] = {\"-cl-std=CL3.0\", \"-cl-std=CL2.0\", \"\"};\n";

static const char build_module[] =
	"\tlength = file ? fread(il, 1, sizeof(il), file) : 0;\n"
	"\tprogram = clCreateProgramWithIL(context, il, length, &code), check(code, "
	"\"clCreateProgramWithIL\");\n"
	"\tcheck(clBuildProgram(program, %u, %s%s, \"\", NULL, NULL), \"clBuildProgram\");\n";

void export_add_opening(const struct export_job *job, uint32_t devices, const char *declarations,
                        const char *kernels, struct oclmm_text *text)
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
		oclmm_text_add(text, ", *text = source;\n\tchar log[8192] = \"\";\n");
	if (!job->module)
		oclmm_text_add(text, strstr(kernels, "memory_scope_all_svm_devices")
		                             ? options_all
		                             : options_device);
	oclmm_text_add(text, "\tconst int launches = argc > 2 ? atoi(argv[2]) : LAUNCHES;\n"
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
	if (job->module)
		oclmm_text_printf(text, build_module, devices, devices > 1 ? "" : "&", "device");
	else
		oclmm_text_printf(text, build_source, 3, devices, devices > 1 ? "" : "&", "device",
		                  first);
}

void export_add_end(const struct export_job *job, struct oclmm_text *text)
{
	const struct oclmm_program *program = job->program;

	oclmm_text_add(text, "\tfor (o = outcomes; o->count; o++) {\n");
	add_wanted(job, text);
	oclmm_text_add(text, "\t\tprintf(\"%12lu %c>");
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_text_printf(text, " %s=%%lld;", program->observables[i].name);
	oclmm_text_add(text, "\\n\", o->count, wanted ? '*' : ':'");
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_text_printf(text, "%so->v[%u]", i % 8 == 0 ? ",\n\t\t       " : ", ", i);
	oclmm_text_add(text,
	               ");\n"
	               "\t\thits += wanted ? o->count : 0;\n"
	               "\t\tall += o->count;\n"
	               "\t}\n"
	               "\tprintf(\"%s: %lu of %lu\\n\", hits ? \"seen\" : \"not seen\", hits, "
	               "all);\n"
	               "\treturn all ? hits > 0 : 2;\n"
	               "}\n");
}

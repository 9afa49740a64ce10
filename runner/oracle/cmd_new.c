// SPDX-License-Identifier: Apache-2.0
/* oclmm new: a litmus file, or a kernel, to start from. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "oclmm/syntax.h"

static const char suffix[] = ".litmus", kernel_suffix[] = ".cl";

struct new
{
	bool kernel;
};

static const char kernel_template[] =
	"// Message passing: does a work-item that sees the flag also see the data?\n"
	"//\n"
	"//   oclmm check NAME.cl                   what may happen?\n"
	"//   oclmm explain NAME.cl --build -DWEAK  what is wrong, and what mends it?\n"
	"//\n"
	"// How the kernel is launched, what its arguments are, and what its end must not be.\n"
	"// Buffers are given number by number, `0*64` is 64 zeros.\n"
	"//\n"
	"// oclmm: --kernel pass --global 2 --local 1\n"
	"// oclmm: --arg data=0 --arg flag=0 --arg seen=-1\n"
	"// oclmm: --ask 'seen == 0'\n"
	"\n"
	"#ifdef WEAK\n"
	"#define RAISE memory_order_relaxed\n"
	"#else\n"
	"#define RAISE memory_order_release\n"
	"#endif\n"
	"\n"
	"kernel void pass(global int *data, global atomic_int *flag, global int *seen)\n"
	"{\n"
	"\tif (get_global_id(0) == 0) {\n"
	"\t\t*data = 1;\n"
	"\t\tatomic_store_explicit(flag, 1, RAISE, memory_scope_device);\n"
	"\t} else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {\n"
	"\t\t*seen = *data;\n"
	"\t}\n"
	"}\n";

static const char template[] =
	"OPENCL NAME\n"
	"\n"
	"\"Message passing: does a thread that sees the flag also see the data?\"\n"
	"\n"
	"(* Result: Never\n"
	" *\n"
	" * P0 writes the data x and raises the flag y; P1 looks at the flag and then at\n"
	" * the data. The acquire load that reads from the release store synchronises\n"
	" * with it, so what comes before the store happens before what comes after the\n"
	" * load.\n"
	" *)\n"
	"\n"
	"// Above: the name, the question, the answer that you expect (Never, Sometimes,\n"
	"// Always, or Undefined for a data race), and why. Below: what is to be changed.\n"
	"//\n"
	"//   oclmm check NAME.litmus     is the answer what OpenCL says?\n"
	"//   oclmm explain NAME.litmus   why?\n"
	"//   oclmm run NAME.litmus       what does this device do?\n"
	"\n"
	"// A variant is the test with some words exchanged. This one is NAME.order=rlx.\n"
	"// As a control it may show what the test forbids, and so proves that the test\n"
	"// would have shown it too.\n"
	"vary order: memory_order_release, memory_order_acquire\n"
	"    => memory_order_relaxed, memory_order_relaxed\n"
	"control order=rlx\n"
	"\n"
	"// The objects in memory and their first values.\n"
	"{\n"
	"[x] = 0;\n"
	"[y] = 0;\n"
	"}\n"
	"\n"
	"// Each thread is a work-item, here in a work-group (wg) of its own. Its\n"
	"// parameters are the objects that it uses.\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"  atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);\n"
	"}\n"
	"\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);\n"
	"  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	"}\n"
	"\n"
	"// Can it end like this? 1:r0 is the register r0 of P1.\n"
	"exists (1:r0=1 /\\ 1:r1=0)\n";

static void fill(struct oclmm_text *text, const char *at, const char *name)
{
	static const char word[] = "NAME";
	const char *next;

	for (; (next = strstr(at, word)); at = next + sizeof(word) - 1) {
		oclmm_text_add_bytes(text, at, (size_t)(next - at));
		oclmm_text_add(text, name);
	}
	oclmm_text_add(text, at);
}

static int check_name(const struct command *command, const char *name)
{
	size_t length = strlen(name), end = sizeof(suffix) - 1;

	if (length > end && strcmp(name + length - end, suffix) == 0)
		return options_error(command, "name the test, not its file: \"%.*s\"",
		                     (int)(length - end), oclmm_shown(name).text);
	if (!oclmm_is_test_name(name))
		return options_error(command,
		                     "\"%s\" is no name for a test: 1 to %d letters, digits and "
		                     "_ + . = -, with a letter, a digit, _ or + in front",
		                     oclmm_shown(name).text, OCLMM_TEST_NAME_MOST);
	return 0;
}

static int write_file(const struct command *command, const char *path, const char *from,
                      const char *name)
{
	struct oclmm_text text = {0};
	int r = check_name(command, name);

	if (r)
		return r;
	fill(&text, from, name);
	r = oclmm_create_file(path, text.data, text.length);
	oclmm_text_finish(&text);
	if (r == -EEXIST)
		return options_error(command, "%s is there already", oclmm_shown(path).text);
	if (r == 0)
		return 0;
	options_error(command, "cannot write %s: %s", oclmm_shown(path).text, strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* What to type next, as a shell takes it. */
static void tell(const char *path)
{
	struct oclmm_text text = {0};

	oclmm_text_add_quoted(&text, path);
	printf("a test to change; what OpenCL says of it: oclmm check %s\n",
	       oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct new new = {0};
	int first, status = options_parse(command, argc, argv, &new, &first);
	const char *folder;
	struct oclmm_text path = {0};

	if (status)
		return status;
	if (argc - first != 1)
		return options_error(command, "it takes one name");
	folder = strrchr(argv[first], '/');
	oclmm_text_printf(&path, "%s%s", argv[first], new.kernel ? kernel_suffix : suffix);
	status = write_file(command, oclmm_text_string(&path),
	                    new.kernel ? kernel_template : template,
	                    folder ? folder + 1 : argv[first]);
	if (!status)
		tell(oclmm_text_string(&path));
	oclmm_text_finish(&path);
	return status;
}

static const struct option_spec options[] = {
	{"kernel", 'k', NULL, "a kernel, NAME.cl, instead", SETS_FLAG(struct new, kernel)},
	{0},
};

const struct command command_new = {
	.name = "new",
	.arguments = "NAME",
	.summary = "write a commented litmus file, or a kernel, to start from",
	.description =
		"Writes NAME.litmus, a whole test with its parts explained. A folder may stand\n"
		"before the name. docs/litmus-format.md describes the language. With --kernel it\n"
		"writes NAME.cl, a kernel that says how it is launched: docs/kernels.md.\n\n"
		"Exit status: 0 written; 2 usage, a bad name, or the file is there already; 99 it\n"
		"cannot be written.",
	.options = options,
	.run = run,
};

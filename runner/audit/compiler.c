// SPDX-License-Identifier: Apache-2.0
/* Compilers: clang, and what it is told for each target. */
#include "audit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "driver.h"
#include "process/tool.h"

extern const char audit_head_amdgpu[], audit_head_common[], audit_head_cpu[], audit_head_driver[],
	audit_head_ptx[];

int (*audit_device_build)(const char *device, const char *source, struct oclmm_error *error,
                          struct oclmm_text *ret_name, struct oclmm_text *ret_binary);

struct target {
	const char *name;    /* as --target takes it; its machine's, too */
	const char *machine; /* whose reader and model */
	const char *triple;
	const char *processor; /* the option that takes one */
	const char *standard;  /* the processor without one, or NULL */
	const char *options;   /* further ones, or NULL */
	const char *head;
	const char *what;
};

static const struct target targets[] = {
	{"x86-64", "x86-64", "x86_64-unknown-linux-gnu", "-march=", NULL, NULL, audit_head_cpu,
         "Intel, AMD; x86-TSO"},
	{"aarch64", "aarch64", "aarch64-unknown-linux-gnu", "-mcpu=", NULL, "-mno-outline-atomics",
         audit_head_cpu, "Arm; with a processor, neoverse-n1 say, its atomic instructions"},
	{"nvptx64", "ptx", "nvptx64-nvidia-cuda", "-march=", "sm_70", "-nogpulib", audit_head_ptx,
         "NVIDIA's GPUs: PTX, with atomic functions by its instructions"},
	{"riscv64", "riscv64", "riscv64-unknown-linux-gnu", "-march=", "rv64gc", "-mabi=lp64d",
         audit_head_cpu, "RISC-V of 64 bits with atomic instructions; RVWMO"},
	{"amdgcn", NULL, "amdgcn-amd-amdhsa", "-mcpu=", "gfx1030", "-nogpulib", audit_head_amdgpu,
         "AMD's GPUs: gfx900 to gfx90c, gfx1010 to gfx1036, gfx1100 to gfx1103 (gfx1030 without one)"},
};

struct audit_compiler {
	const struct target *target;
	const struct oclmm_machine *machine;
	char *path, *processor, *words, *name;
	bool driver;  /* a device's; `path` chooses it */
	bool objects; /* that gives shared objects: PoCL */
	struct tool_patience patience;
};

static const char install[] = "Debian 12: apt-get install clang-14; elsewhere clang";

const struct oclmm_machine *audit_compiler_machine(const struct audit_compiler *compiler)
{
	return compiler->machine;
}

const char *audit_compiler_words(const struct audit_compiler *compiler)
{
	return compiler->words;
}

const char *audit_compiler_target(const struct audit_compiler *compiler)
{
	return compiler->name;
}

void audit_targets_print(void)
{
	for (size_t i = 0; i < OCLMM_COUNT(targets); i++)
		cli_print_row(targets[i].name, 12, targets[i].what);
}

static const struct target *find_target(const char *name, size_t length)
{
	for (size_t i = 0; i < OCLMM_COUNT(targets); i++) {
		if (strlen(targets[i].name) == length &&
		    strncmp(targets[i].name, name, length) == 0)
			return &targets[i];
	}
	return NULL;
}

/* Of AMD's processors there are families; of other targets all have one model. */
static const struct oclmm_machine *machine_of(const struct target *target, const char *processor)
{
	if (target->machine)
		return oclmm_machine_find(target->machine);
	if (strlen(processor) == 6 && strncmp(processor, "gfx90", 5) == 0)
		return oclmm_machine_find("gfx9");
	if (strlen(processor) == 7 && strncmp(processor, "gfx10", 5) == 0)
		return oclmm_machine_find("gfx10");
	if (strlen(processor) == 7 && strncmp(processor, "gfx11", 5) == 0)
		return oclmm_machine_find("gfx11");
	return NULL;
}

static int refuse_target(const char *name, struct oclmm_error *error)
{
	const char *names[OCLMM_COUNT(targets)];

	for (size_t i = 0; i < OCLMM_COUNT(targets); i++)
		names[i] = targets[i].name;
	return oclmm_error_set(error, -EINVAL, "no target \"%s\"%s", oclmm_shown(name).text,
	                       suggest(name, names, OCLMM_COUNT(names),
	                               "--target list prints those that there are")
	                               .text);
}

/* What `--version` says first, up to the number: `clang 14.0.6`. */
static int ask_version(struct audit_compiler *c, struct oclmm_error *error)
{
	const char *const arguments[] = {c->path, "--version", NULL};
	struct oclmm_text nothing = {0}, said, words = {0};
	const char *at;
	int r = tool_run(arguments, &c->patience, &nothing, error, &said);

	if (r < 0)
		return r;
	at = strstr(oclmm_text_string(&said), "clang version ");
	if (at) {
		at += strlen("clang version ");
		oclmm_text_printf(&words, "clang %.*s -O2", (int)strcspn(at, " \n-+~"), at);
		c->words = oclmm_text_steal(&words);
	}
	oclmm_text_finish(&said);
	if (!at)
		return oclmm_error_set(error, -ENOENT, "%s is not clang", c->path);
	return 0;
}

static char *find_clang(void)
{
	enum { OLDEST = 14, NEWEST = 29 };
	char *path = tool_find("clang");

	for (unsigned version = NEWEST; !path && version >= OLDEST; version--) {
		char name[16];

		snprintf(name, sizeof(name), "clang-%u", version);
		path = tool_find(name);
	}
	return path;
}

int audit_compiler_find(const char *target, const char *path, struct oclmm_error *error,
                        struct audit_compiler **ret_compiler)
{
	size_t length = strcspn(target, ":");
	const struct target *found = find_target(target, length);
	struct audit_compiler *c;
	int r;

	if (!found)
		return refuse_target(target, error);
	c = oclmm_calloc(1, sizeof(*c));
	c->target = found;
	c->patience.seconds = 120;
	c->name = oclmm_strdup(target);
	if (target[length] && target[length + 1])
		c->processor = oclmm_strdup(target + length + 1);
	else if (found->standard)
		c->processor = oclmm_strdup(found->standard);
	c->machine = machine_of(found, c->processor);
	if (!c->machine) {
		r = oclmm_error_set(error, -EINVAL, "no model of %s; %s: %s",
		                    oclmm_shown(c->processor).text, found->name, found->what);
		audit_compiler_destroy(c);
		return r;
	}
	c->path = !path ? find_clang() : strchr(path, '/') ? oclmm_strdup(path) : tool_find(path);
	if (path && c->path && access(c->path, X_OK) < 0) {
		r = oclmm_error_set(error, -ENOENT, "no compiler: %s: %s", path, strerror(errno));
	} else if (!c->path) {
		r = oclmm_error_set(error, -ENOENT, "no compiler: no %s", path ? path : "clang");
		snprintf(error->note, sizeof(error->note), "%s", install);
	} else {
		r = ask_version(c, error);
	}
	if (r < 0)
		audit_compiler_destroy(c);
	else
		*ret_compiler = c;
	return r;
}

/* ---- of a device ---------------------------------------------------------- */

/*
 * A kernel of PoCL takes, behind its parameters, what it calls a context: numbers of groups,
 * offsets, and sizes of groups, by three words. It is launched for one work-item here.
 */
static const uint64_t pocl_context[] = {1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1};

int audit_compiler_of_device(const char *device, struct oclmm_error *error,
                             struct audit_compiler **ret_compiler)
{
	static const char nothing[] = "kernel void nothing(global int *out)\n{\n\tout[0] = 1;\n}\n";
	struct oclmm_text name = {0}, binary = {0};
	struct audit_compiler *c;
	const char *machine = NULL;
	int r;

	if (!audit_device_build)
		return oclmm_error_set(error, -ENODEV, "this program was built without OpenCL");
	r = audit_device_build(device, nothing, error, &name, &binary);
	if (r == 0)
		machine = driver_machine(&binary);
	if (r == 0 && (!machine || !oclmm_machine_find(machine)))
		r = oclmm_error_set(error, -ENODEV, "what the driver of %s gives cannot be read",
		                    oclmm_text_string(&name));
	if (r == 0) {
		c = oclmm_calloc(1, sizeof(*c));
		c->driver = true;
		c->objects = strcmp(machine, "ptx") != 0;
		c->machine = oclmm_machine_find(machine);
		c->path = device ? oclmm_strdup(device) : NULL;
		c->words = oclmm_text_steal(&name);
		c->name = oclmm_strdup(machine);
		c->patience.seconds = 120;
		*ret_compiler = c;
	}
	oclmm_text_finish(&name);
	oclmm_text_finish(&binary);
	return r == 0 ? 0 : -ENODEV;
}

const char *audit_compiler_prefix(const struct audit_compiler *compiler)
{
	return compiler->objects ? "_pocl_kernel_" : "";
}

const char *audit_compiler_manner(const struct audit_compiler *compiler)
{
	return compiler->driver
	               ? "each thread compiled as a kernel of its own by the device's driver"
	               : "each thread compiled as a function of its own";
}

const uint64_t *audit_compiler_context(const struct audit_compiler *compiler, unsigned *ret_words)
{
	*ret_words = compiler->objects ? OCLMM_COUNT(pocl_context) : 0;
	return pocl_context;
}

size_t audit_compiler_batch(const struct audit_compiler *compiler)
{
	return compiler->driver ? 16 : 300;
}

const char *audit_compiler_lacks(const struct audit_compiler *compiler,
                                 const struct oclmm_program *program)
{
	/* PoCL cuts kernels at barriers, and a group of one work-item needs none */
	for (uint32_t t = 0; compiler->objects && t < program->thread_count; t++) {
		for (const struct oclmm_statement *s = program->threads[t].body; s; s = s->next) {
			if (s->kind == OCLMM_STATEMENT_BARRIER)
				return "a barrier, of which PoCL's code for one work-item shows "
				       "nothing";
		}
	}
	return NULL;
}

static int compile_on_device(const struct audit_compiler *compiler, const struct oclmm_text *text,
                             struct oclmm_error *error, struct oclmm_text *ret_assembly)
{
	struct oclmm_text whole = {0}, name = {0}, binary = {0};
	struct tool_patience patience = compiler->patience;
	int r;

	oclmm_text_add(&whole, audit_head_driver);
	oclmm_text_add_bytes(&whole, oclmm_text_string(text), text->length);
	*ret_assembly = (struct oclmm_text){0};
	r = audit_device_build(compiler->path, oclmm_text_string(&whole), error, &name, &binary);
	if (r == 0)
		r = driver_text(&binary, &patience, error, ret_assembly);
	if (r < 0)
		oclmm_text_finish(ret_assembly);
	oclmm_text_finish(&whole);
	oclmm_text_finish(&name);
	oclmm_text_finish(&binary);
	return r;
}

void audit_compiler_destroy(struct audit_compiler *compiler)
{
	if (!compiler)
		return;
	free(compiler->path);
	free(compiler->processor);
	free(compiler->words);
	free(compiler->name);
	free(compiler);
}

int audit_compile(const struct audit_compiler *compiler, const struct oclmm_text *text,
                  struct oclmm_error *error, struct oclmm_text *ret_assembly)
{
	const struct target *t = compiler->target;
	const char *arguments[24] = {compiler->path, "-x",
	                             "cl",           "-cl-std=CL3.0",
	                             "-target",      t ? t->triple : NULL,
	                             "-O2",          "-w",
	                             "-fno-ident",   "-Xclang",
	                             "-cl-ext=+all", "-D__opencl_c_atomic_scope_all_devices=1"};
	struct tool_patience patience = compiler->patience;
	struct oclmm_text whole = {0};
	char *processor = NULL;
	size_t count = 12;
	int r;

	if (compiler->driver)
		return compile_on_device(compiler, text, error, ret_assembly);
	if (compiler->processor &&
	    asprintf(&processor, "%s%s", t->processor, compiler->processor) < 0)
		oclmm_no_memory();
	if (processor)
		arguments[count++] = processor;
	if (t->options)
		arguments[count++] = t->options;
	arguments[count++] = "-S";
	arguments[count++] = "-o";
	arguments[count++] = "-";
	arguments[count++] = "-";
	oclmm_text_add(&whole, t->head);
	oclmm_text_add(&whole, audit_head_common);
	oclmm_text_add_bytes(&whole, oclmm_text_string(text), text->length);
	r = tool_run(arguments, &patience, &whole, error, ret_assembly);
	oclmm_text_finish(&whole);
	free(processor);
	return r;
}

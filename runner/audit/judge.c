// SPDX-License-Identifier: Apache-2.0
/*
 * From tests to verdicts. Tests are compiled together, many in a text, for a compiler takes longer
 * to start than to compile one; where one is refused, its text is divided until it is alone.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oclmm/codegen.h"

#include "audit.h"
#include "cli/cli.h"
#include "oclmm/base.h"
#include "plant/plant.h"
#include "platform/system.h"
#include "process/process.h"
#include "process/tool.h"

/*
 * The code in what a driver gives as the binary of a program: PTX of NVIDIA's, which is text, and
 * of PoCL's an archive in which a shared object stands for each kernel, for objdump.
 */

/* ---- shared objects --------------------------------------------------------- */

struct object {
	const char *bytes;
	size_t size;
	unsigned machine;
};

/* The next one at or behind `at`; they stand in the archive as they would in a file. */
static bool next_object(const struct oclmm_text *binary, size_t at, struct object *ret_object)
{
	const char *bytes = oclmm_text_string(binary);

	while (at + sizeof(Elf64_Ehdr) <= binary->length) {
		const char *found = memmem(bytes + at, binary->length - at, ELFMAG, SELFMAG);
		Elf64_Ehdr head;
		uint64_t size;

		if (!found || (size_t)(bytes + binary->length - found) < sizeof(head))
			return false;
		memcpy(&head, found, sizeof(head));
		size = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
		if (head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_type == ET_DYN &&
		    size >= sizeof(head) && size <= (uint64_t)(bytes + binary->length - found)) {
			*ret_object = (struct object){.bytes = found,
			                              .size = size,
			                              .machine = head.e_machine};
			return true;
		}
		at = (size_t)(found - bytes) + 1;
	}
	return false;
}

static bool write_object(const struct object *object, const char *path)
{
	FILE *file = fopen(path, "w");
	bool written;

	if (!file)
		return false;
	written = fwrite(object->bytes, 1, object->size, file) == object->size;
	return fclose(file) == 0 && written;
}

static int dump_object(const struct object *object, const char *path,
                       struct tool_patience *patience, const char *tool, struct oclmm_error *error,
                       struct oclmm_text *ret_text)
{
	const char *const arguments[] = {tool, "-d", "--no-show-raw-insn", path, NULL};
	struct oclmm_text nothing = {0}, said = {0};
	int r = 0;

	if (!write_object(object, path))
		return oclmm_error_set(error, -EBADMSG, "cannot write %s", path);
	r = tool_run(arguments, patience, &nothing, error, &said);
	if (r == 0)
		oclmm_text_add_bytes(ret_text, oclmm_text_string(&said), said.length);
	oclmm_text_finish(&said);
	return r;
}

static int dump_objects(const struct oclmm_text *binary, struct tool_patience *patience,
                        struct oclmm_error *error, struct oclmm_text *ret_text)
{
	char *tool = oclmm_find_program("objdump");
	struct object object;
	char *path;
	size_t at = 0;
	int r = 0, file;

	if (!tool)
		tool = oclmm_find_program("llvm-objdump");
	if (!tool)
		return oclmm_error_set(error, -ENODEV,
		                       "no objdump, which reads the driver's code (binutils)");
	path = tool_temporary("code");
	file = mkstemp(path);
	if (file < 0)
		r = oclmm_error_set(error, -ENODEV, "cannot write %s: %s", path, strerror(errno));
	while (r == 0 && next_object(binary, at, &object)) {
		r = dump_object(&object, path, patience, tool, error, ret_text);
		at = (size_t)(object.bytes - oclmm_text_string(binary)) + object.size;
	}
	if (file >= 0) {
		close(file);
		unlink(path);
	}
	free(path);
	free(tool);
	return r;
}

/* ---- binaries ------------------------------------------------------------------ */

static bool is_ptx(const struct oclmm_text *binary)
{
	size_t length = binary->length < 4096 ? binary->length : 4096;

	return memmem(oclmm_text_string(binary), length, ".version ", 9) &&
	       memmem(oclmm_text_string(binary), length, ".target sm_", 11);
}

/* The machine whose code it holds, as of oclmm_machine_find(), or NULL where it is none that can be
 * read. */
static const char *driver_machine(const struct oclmm_text *binary)
{
	struct object object;

	if (is_ptx(binary))
		return "ptx";
	if (!next_object(binary, 0, &object))
		return NULL;
	return object.machine == EM_X86_64    ? "x86-64"
	       : object.machine == EM_AARCH64 ? "aarch64"
	                                      : NULL;
}

/* Its code as text. Returns 0, -EBADMSG, or -ENODEV without a disassembler. */
static int driver_text(const struct oclmm_text *binary, struct tool_patience *patience,
                       struct oclmm_error *error, struct oclmm_text *ret_text)
{
	if (!is_ptx(binary))
		return dump_objects(binary, patience, error, ret_text);
	/* behind the text stands a zero */
	oclmm_text_add_bytes(ret_text, oclmm_text_string(binary),
	                     strnlen(oclmm_text_string(binary), binary->length));
	return 0;
}

/* Compilers: clang, and what it is told for each target. */

extern const char audit_head_amdgpu[], audit_head_common[], audit_head_cpu[], audit_head_driver[],
	audit_head_functions[], audit_head_kernel[], audit_head_ptx[];

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
	{"spirv", "spirv", "spir64-unknown-unknown", NULL, NULL, "-finclude-default-header",
         audit_head_driver, "SPIR-V by llvm-spirv, for what it asks for; OpenCL's own model"},
	{"amdgcn", NULL, "amdgcn-amd-amdhsa", "-mcpu=", "gfx1030", "-nogpulib", audit_head_amdgpu,
         "AMD's GPUs: gfx900 to gfx90c, gfx940 to gfx942, gfx950, gfx1010 to gfx1036, "
         "gfx1100 to gfx1153, gfx1200 and gfx1201 (gfx1030 without one)"},
};

struct audit_compiler {
	const struct target *target;
	const struct oclmm_machine *machine;
	char *path, *processor, *words, *name;
	char *translator, *disassembler; /* of SPIR-V */
	bool driver;                     /* a device's; `path` chooses it */
	bool objects;                    /* that gives shared objects: PoCL */
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
	static const struct {
		const char *begin;
		size_t length;
		const char *machine;
	} families[] = {
		{"gfx90", 6, "gfx9"},  {"gfx94", 6, "gfx940"}, {"gfx95", 6, "gfx940"},
		{"gfx10", 7, "gfx10"}, {"gfx11", 7, "gfx11"},  {"gfx120", 7, "gfx12"},
	};

	if (target->machine)
		return oclmm_machine_find(target->machine);
	for (size_t i = 0; i < OCLMM_COUNT(families); i++) {
		if (strlen(processor) == families[i].length &&
		    strncmp(processor, families[i].begin, strlen(families[i].begin)) == 0)
			return oclmm_machine_find(families[i].machine);
	}
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
	char *path = oclmm_find_program("clang");

	for (unsigned version = NEWEST; !path && version >= OLDEST; version--) {
		char name[16];

		snprintf(name, sizeof(name), "clang-%u", version);
		path = oclmm_find_program(name);
	}
	return path;
}

static void destroy_compiler(struct audit_compiler *compiler)
{
	if (!compiler)
		return;
	free(compiler->path);
	free(compiler->processor);
	free(compiler->words);
	free(compiler->name);
	free(compiler->translator);
	free(compiler->disassembler);
	free(compiler);
}

/* The translator of the compiler's version, and the disassembler. */
static int find_translator(struct audit_compiler *c, struct oclmm_error *error)
{
	unsigned major = 0;
	char name[32];

	sscanf(c->words, "clang %u", &major);
	snprintf(name, sizeof(name), "llvm-spirv-%u", major);
	c->translator = oclmm_find_program(name);
	if (!c->translator)
		c->translator = oclmm_find_program("llvm-spirv");
	c->disassembler = oclmm_find_program("spirv-dis");
	if (c->translator && c->disassembler)
		return 0;
	oclmm_error_set(error, -ENOENT, "no %s",
	                c->translator ? "spirv-dis" : "llvm-spirv of the version of clang");
	snprintf(error->note, sizeof(error->note),
	         "Debian 12: apt-get install llvm-spirv-14 spirv-tools; elsewhere "
	         "spirv-llvm-translator and spirv-tools");
	return -ENOENT;
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
		destroy_compiler(c);
		return r;
	}
	c->path = !path               ? find_clang()
	          : strchr(path, '/') ? oclmm_strdup(path)
	                              : oclmm_find_program(path);
	if (path && c->path && access(c->path, X_OK) < 0) {
		r = oclmm_error_set(error, -ENOENT, "no compiler: %s: %s", path, strerror(errno));
	} else if (!c->path) {
		r = oclmm_error_set(error, -ENOENT, "no compiler: no %s", path ? path : "clang");
		snprintf(error->note, sizeof(error->note), "%s", install);
	} else {
		r = ask_version(c, error);
	}
	if (r == 0 && strcmp(found->name, "spirv") == 0)
		r = find_translator(c, error);
	if (r < 0)
		destroy_compiler(c);
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

/** What stands before the name of a thread's function, how such functions are made, in words, and
 * what those take behind their parameters. */
static const char *prefix_of(const struct audit_compiler *compiler)
{
	return compiler->objects ? "_pocl_kernel_" : "";
}

const char *audit_compiler_manner(const struct audit_compiler *compiler)
{
	return compiler->driver
	               ? "each thread compiled as a kernel of its own by the device's driver"
	               : "each thread compiled as a function of its own";
}

static const uint64_t *context_of(const struct audit_compiler *compiler, unsigned *ret_words)
{
	*ret_words = compiler->objects ? OCLMM_COUNT(pocl_context) : 0;
	return pocl_context;
}

/** Texts that are compiled together. */
static size_t batch_of(const struct audit_compiler *compiler)
{
	return compiler->driver ? 16 : compiler->translator ? 100 : 300;
}

/*
 * Whether some threads are of one sub-group, and others are not. The former are lanes of one
 * wavefront of AMD's GPUs, whose code is one: what one of them has stored, another one's release
 * has to wait for, which a compiler that sees the two apart cannot know.
 */
static bool has_lanes_beside_others(const struct oclmm_program *program)
{
	for (uint32_t a = 0; a < program->thread_count; a++) {
		uint32_t mates = 0;

		for (uint32_t b = 0; b < program->thread_count; b++)
			mates += oclmm_same_sub_group(&program->threads[a].placement,
			                              &program->threads[b].placement);
		if (mates > 1 && mates < program->thread_count)
			return true;
	}
	return false;
}

/** Why a program cannot be compiled so, or NULL. */
static const char *audit_compiler_lacks(const struct audit_compiler *compiler,
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
	if (!compiler->driver && compiler->target->head == audit_head_amdgpu &&
	    has_lanes_beside_others(program))
		return "work-items of one sub-group beside others: their code is one here";
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

/* Runs a tool that reads standard input, and takes the place of `text` with what it gives. */
static int pipe_through(struct tool_patience *patience, const char *const *arguments,
                        struct oclmm_error *error, struct oclmm_text *text)
{
	struct oclmm_text given;
	int r = tool_run(arguments, patience, text, error, &given);

	oclmm_text_finish(text);
	*text = r == 0 ? given : (struct oclmm_text){0};
	return r;
}

static void tell_all(struct tool_words *call, const char *const *arguments, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tool_word(call, arguments[i]);
}

/* The target, with the processor. */
static void tell_target(struct tool_words *call, const struct audit_compiler *compiler)
{
	const struct target *t = compiler->target;

	tool_word(call, "-target");
	tool_word(call, t->triple);
	if (compiler->processor && !compiler->translator) {
		struct oclmm_text processor = {0};

		oclmm_text_printf(&processor, "%s%s", t->processor, compiler->processor);
		tool_word(call, oclmm_text_string(&processor));
		oclmm_text_finish(&processor);
	}
	if (t->options && !compiler->translator)
		tool_word(call, t->options);
	tool_word(call, "-O2");
	tool_word(call, "-w");
	tool_word(call, "-fno-ident");
}

/* From OpenCL C to assembly, or to LLVM's text of it. */
static struct tool_words call_of(const struct audit_compiler *compiler, const char *options)
{
	static const char *const language[] = {
		"-x",      "cl",           "-cl-std=CL3.0",
		"-Xclang", "-cl-ext=+all", "-D__opencl_c_atomic_scope_all_devices=1"};
	struct tool_words call = {0};

	tool_word(&call, compiler->path);
	tell_all(&call, language, OCLMM_COUNT(language));
	tell_target(&call, compiler);
	tool_quoted_words(&call, options);
	return call;
}

/* SPIR-V as text: clang, the translator, and the disassembler. */
static int compile_spirv(const struct audit_compiler *compiler, struct oclmm_text *text,
                         const char *options, struct oclmm_error *error)
{
	static const char *const front[] = {
		"-Xclang", "-finclude-default-header", "-emit-llvm", "-c", "-o", "-", "-"};
	const char *const translator[] = {compiler->translator, "-o", "-", "-", NULL};
	const char *const disassembler[] = {
		compiler->disassembler, "--no-color", "--raw-id", "--no-indent",
		"--no-header",          "-",          NULL};
	struct tool_patience patience = compiler->patience;
	struct tool_words call = call_of(compiler, options);
	int r;

	tell_all(&call, front, OCLMM_COUNT(front));
	r = pipe_through(&patience, call.argument, error, text);
	if (r == 0)
		r = pipe_through(&patience, translator, error, text);
	if (r == 0)
		r = pipe_through(&patience, disassembler, error, text);
	tool_words_finish(&call);
	return r;
}

/* Leaves a word out of a text. */
static void leave_out(struct oclmm_text *text, const char *word)
{
	struct oclmm_text rest = {0};
	const char *at = oclmm_text_string(text), *found;

	for (; (found = strstr(at, word)); at = found + strlen(word))
		oclmm_text_add_bytes(&rest, at, (size_t)(found - at));
	oclmm_text_add(&rest, at);
	oclmm_text_finish(text);
	*text = rest;
}

/*
 * A kernel for a CPU. Only of x86 clang knows how a kernel is called; for the others it becomes a
 * function in LLVM's text, before anything is optimised.
 */
static int compile_plain(const struct audit_compiler *compiler, struct oclmm_text *text,
                         const char *options, struct oclmm_error *error)
{
	static const char *const front[] = {
		"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-S", "-o", "-", "-"};
	static const char *const back[] = {"-S", "-o", "-", "-"};
	struct tool_patience patience = compiler->patience;
	struct tool_words call = call_of(compiler, options), assembles = {0};
	int r;

	tell_all(&call, front, OCLMM_COUNT(front));
	r = pipe_through(&patience, call.argument, error, text);
	if (r == 0) {
		leave_out(text, "spir_kernel ");
		tool_word(&assembles, compiler->path);
		tool_word(&assembles, "-x");
		tool_word(&assembles, "ir");
		tell_target(&assembles, compiler);
		tell_all(&assembles, back, OCLMM_COUNT(back));
		r = pipe_through(&patience, assembles.argument, error, text);
	}
	tool_words_finish(&call);
	tool_words_finish(&assembles);
	return r;
}

/**
 * Compiles a text behind the head of the target.
 * \param kernel whose text it is, or NULL
 * \return 0; -EBADMSG with the compiler's first error in `error`
 */
static int compile_text(const struct audit *audit, const struct oclmm_text *text,
                        const struct kernel_file *kernel, struct oclmm_error *error,
                        struct oclmm_text *ret_assembly)
{
	static const char *const output[] = {"-S", "-o", "-", "-"};
	const struct audit_compiler *compiler = audit->compiler;
	const struct target *t = compiler->target;
	struct tool_patience patience = compiler->patience;
	struct oclmm_text whole = {0}, options = {0};
	struct tool_words call;
	int r;

	/* a device's own compiler has no target */
	if (compiler->driver || !t)
		return compile_on_device(compiler, text, error, ret_assembly);
	oclmm_text_add(&whole, t->head);
	if (kernel) {
		oclmm_text_add(&options, "-fgnu89-inline ");
		kernel_file_folder(kernel, &options);
		oclmm_text_add(&options, oclmm_text_string(&kernel->compile));
	}
	if (kernel || audit->plants)
		oclmm_text_add(&whole, audit_head_kernel);
	if (!compiler->translator)
		oclmm_text_add(&whole, audit_head_common);
	if (kernel && !compiler->translator)
		oclmm_text_add(&whole, audit_head_functions);
	if (kernel)
		oclmm_kernel_name_lines(&whole, kernel->path);
	oclmm_text_add_bytes(&whole, oclmm_text_string(text), text->length);
	oclmm_text_add(&options, "");
	if (compiler->translator) {
		/* of two calls in two branches the optimiser makes one, whose order is then no
		 * constant, which the translator does not take */
		if (audit->plants)
			oclmm_text_add(&options, "-mllvm -sink-common-insts=false");
		r = compile_spirv(compiler, &whole, oclmm_text_string(&options), error);
	} else if (kernel && t->head == audit_head_cpu && strcmp(t->name, "x86-64") != 0) {
		r = compile_plain(compiler, &whole, oclmm_text_string(&options), error);
	} else {
		call = call_of(compiler, oclmm_text_string(&options));
		tell_all(&call, output, OCLMM_COUNT(output));
		r = pipe_through(&patience, call.argument, error, &whole);
		tool_words_finish(&call);
	}
	*ret_assembly = whole;
	oclmm_text_finish(&options);
	return r;
}

enum { EXECUTIONS_MOST = 400000 }; /* of one test: some ten seconds */

static void settle(struct audit_case *c, enum audit_verdict verdict, const char *message)
{
	c->verdict = verdict;
	c->judged = true;
	snprintf(c->message, sizeof(c->message), "%s", message);
}

/* What was interrupted is not judged: its error is that of the signal. */
static void settle_by_error(struct audit_case *c, enum audit_verdict verdict,
                            const struct oclmm_error *error)
{
	if (!process_interrupted)
		settle(c, verdict, error->message);
}

/* ---- what is expected ------------------------------------------------------- */

static void keep_file(struct audit *audit, struct oclmm_expected_file *file)
{
	oclmm_grow(&audit->files, &audit->file_capacity, audit->file_count,
	           sizeof(struct oclmm_expected_file *));
	audit->files[audit->file_count++] = file;
}

static void find_expected(struct audit *audit, struct audit_case *c,
                          const struct oclmm_expected_file *file)
{
	struct oclmm_error error = {0};
	const struct oclmm_check_options limits = {.time_limit = audit->time_limit,
	                                           .ended = process_ended};
	struct oclmm_expected_file *asked;

	c->expected = oclmm_expected_held(audit->arena, file, c->program, audit->model);
	if (!c->expected) {
		if (oclmm_expected_ask(c->program, audit->model, &limits, &error, &asked) < 0) {
			settle_by_error(c, AUDIT_TOO_LARGE, &error);
			return;
		}
		keep_file(audit, asked);
		c->expected = oclmm_expected_at(asked, 0);
	}
	if (c->expected->undefined)
		settle(c, AUDIT_UNDEFINED,
		       c->expected->undefined_why ? c->expected->undefined_why : "");
}

/* Of a kernel, what its launch may end in; unless that is not known, or nobody can see it here. */
static void find_kernel_expected(struct audit_case *c)
{
	const struct oclmm_kernel_answer *answer = c->kernel->answer;
	const char *open = answer->verdict == OCLMM_KERNEL_UNFINISHED ? answer->message
	                   : answer->cut                              ? "a loop was bounded"
	                   : answer->early ? "reads may be earlier than is looked at"
	                                   : NULL;

	if (c->expected->undefined) {
		settle(c, AUDIT_UNDEFINED, answer->message);
	} else if (open) {
		settle(c, AUDIT_TOO_LARGE, "");
		snprintf(c->message, sizeof(c->message),
		         "which ends OpenCL allows was not found out: %s", open);
	} else if (!c->kernel->layout) {
		settle(c, AUDIT_SKIP, c->kernel->lacks);
	} else if (!c->program->observable_count) {
		settle(c, AUDIT_SKIP, "no --ask says which end is looked at");
	}
}

/* Of one file come several tests, one behind the other. */
static void find_all_expected(struct audit *audit)
{
	const struct oclmm_expected_file *file = NULL;
	const struct suite_file *of = NULL;

	for (size_t i = 0; i < audit->count && !process_interrupted; i++) {
		struct audit_case *c = &audit->cases[i];
		struct oclmm_expected_file *read;
		struct oclmm_error error;

		if (c->kernel) {
			find_kernel_expected(c);
			continue;
		}
		if (c->chosen->file != of) {
			of = c->chosen->file;
			file = NULL;
			if (oclmm_expected_read(of->expected, &error, &read) == 0) {
				keep_file(audit, read);
				file = read;
			}
		}
		find_expected(audit, c, file);
	}
}

/* ---- compiling ---------------------------------------------------------------- */

static int add_text(const struct audit *audit, struct audit_case *c, size_t number,
                    struct oclmm_text *text)
{
	const char *lacks = audit_compiler_lacks(audit->compiler, c->program);
	struct oclmm_error error = {0};
	int r;

	if (lacks) {
		settle(c, AUDIT_SKIP, lacks);
		return -ENOTSUP;
	}
	snprintf(c->suffix, sizeof(c->suffix), "_t%zu", number);
	r = oclmm_generate_bare(c->program, audit->change, c->suffix, &error, text);
	if (r < 0)
		settle(c, AUDIT_SKIP, error.message);
	return r;
}

static struct oclmm_assembly *keep_assembly(struct audit *audit, struct oclmm_text *assembly)
{
	struct oclmm_assembly *cut = oclmm_assembly_create(audit_compiler_machine(audit->compiler),
	                                                   oclmm_text_string(assembly),
	                                                   assembly->length);

	oclmm_text_finish(assembly);
	oclmm_grow(&audit->assemblies, &audit->assembly_capacity, audit->assembly_count,
	           sizeof(struct oclmm_assembly *));
	audit->assemblies[audit->assembly_count++] = cut;
	return cut;
}

/* A kernel is compiled alone: it has options of its own. */
static void compile_kernel(struct audit *audit, struct audit_case *c)
{
	const struct kernel_file *file = &c->kernel->file;
	struct oclmm_text text = {0}, assembly;
	struct oclmm_error error = {0};

	oclmm_text_add(&text, file->text);
	if (compile_text(audit, &text, file, &error, &assembly) == 0)
		c->assembly = keep_assembly(audit, &assembly);
	else
		settle_by_error(c, AUDIT_NOT_BUILT, &error);
	oclmm_text_finish(&text);
}

static void compile(struct audit *audit, struct audit_case **cases, size_t count)
{
	struct oclmm_text text = {0}, assembly;
	struct oclmm_error error = {0};
	size_t left = 0;
	int r;

	if (audit->change)
		oclmm_change_macros(audit->change, &text);
	for (size_t i = 0; i < count; i++) {
		if (!cases[i]->judged && add_text(audit, cases[i], i, &text) == 0)
			cases[left++] = cases[i];
	}
	if (!left) {
		oclmm_text_finish(&text);
		return;
	}
	r = compile_text(audit, &text, NULL, &error, &assembly);
	oclmm_text_finish(&text);
	if (r == 0) {
		struct oclmm_assembly *cut = keep_assembly(audit, &assembly);

		for (size_t i = 0; i < left; i++)
			cases[i]->assembly = cut;
	} else if (left == 1) {
		settle_by_error(cases[0], AUDIT_NOT_BUILT, &error);
	} else if (!process_interrupted) {
		compile(audit, cases, left / 2);
		compile(audit, cases + left / 2, left - left / 2);
	}
}

static void compile_all(struct audit *audit)
{
	struct audit_case **cases = oclmm_calloc(audit->count + 1, sizeof(struct audit_case *));
	size_t count = 0, batch = batch_of(audit->compiler);

	for (size_t i = 0; i < audit->count && !process_interrupted; i++) {
		if (audit->cases[i].judged)
			continue;
		if (audit->cases[i].kernel)
			compile_kernel(audit, &audit->cases[i]);
		else
			cases[count++] = &audit->cases[i];
	}
	for (size_t at = 0; at < count && !process_interrupted; at += batch)
		compile(audit, cases + at, count - at < batch ? count - at : batch);
	free(cases);
}

/* ---- judging -------------------------------------------------------------------- */

static bool is_forbidden(void *data, const int64_t *values)
{
	const struct audit_case *c = data;

	/* what the filter turns away is no outcome */
	if (c->program->filter && !oclmm_condition_holds(c->program, c->program->filter, values))
		return false;
	return oclmm_expected_status(c->expected, values, NULL) == OCLMM_STATUS_FORBIDDEN;
}

static void function_name(const struct audit *audit, const struct audit_case *c, uint32_t thread,
                          char *ret_name, size_t size)
{
	snprintf(ret_name, size, "%sP%u%s_bare", prefix_of(audit->compiler),
	         c->program->threads[thread].id, c->suffix);
}

/* What a kernel is given: parameters, memory, and the numbers of each work-item. */
struct given {
	struct oclmm_machine_parameter parameters[OCLMM_KERNEL_MAX_ARGUMENTS];
	struct oclmm_machine_place *places;
	struct oclmm_machine_symbol *symbols;
	uint32_t (*numbers)[OCLMM_MACHINE_NUMBERS];
};

static void give(const struct audit_case *c, struct given *given,
                 struct oclmm_machine_options *options)
{
	const struct oclmm_kernel_answer *answer = c->kernel->answer;
	const struct oclmm_kernel_layout *layout = c->kernel->layout;
	const struct oclmm_kernel_launch *launch = &answer->launch;

	for (unsigned i = 0; i < launch->parameter_count; i++) {
		const struct oclmm_kernel_parameter *p = &launch->parameters[i];
		struct oclmm_machine_parameter *to = &given->parameters[i];

		to->block = layout->parameters[i];
		if (p->kind != OCLMM_KERNEL_SCALAR)
			continue;
		to->is_number = true;
		to->bytes = (unsigned)p->size;
		memcpy(&to->number, p->bytes, p->size < 8 ? p->size : 8);
	}
	given->places = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_machine_place,
	                                c->program->location_count + 1);
	for (uint32_t i = 0; i < c->program->location_count; i++)
		given->places[i] = (struct oclmm_machine_place){layout->numbers[i].block,
		                                                layout->numbers[i].offset};
	given->symbols = OCLMM_NEW_ARRAY(answer->arena, struct oclmm_machine_symbol,
	                                 layout->variable_count + 1);
	for (uint32_t i = 0; i < layout->variable_count; i++)
		given->symbols[i] = (struct oclmm_machine_symbol){layout->variables[i].name,
		                                                  layout->variables[i].block};
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		oclmm_kernel_numbers(answer, t, given->numbers[t]);
	options->parameters = given->parameters;
	options->parameter_count = launch->parameter_count;
	options->places = given->places;
	options->symbols = given->symbols;
	options->symbol_count = layout->variable_count;
	options->numbers = given->numbers;
}

/*
 * The launches in which a test's threads are looked at, where their code asks for numbers of one: a
 * bug may act in groups of some size, in many of them, in odd ones, or in some lanes. The first is
 * the least that the test needs; in the second the groups stand elsewhere for each test, for a bug
 * may act on a few work-items only.
 */
static const struct launch {
	uint32_t group_size, groups; /* or more, where the test has more */
	uint32_t first_group, per_group, spread;
	uint32_t first_lane, per_lane;
} launches[] = {
	{.group_size = 1, .groups = 1, .per_group = 1, .spread = 1, .per_lane = 1},
	{.group_size = 32,
         .groups = 0x4000,
         .first_group = 65,
         .per_group = 2,
         .spread = 0x1000,
         .first_lane = 3,
         .per_lane = 4},
};

static uint32_t lane_of(const struct oclmm_program *program, uint32_t thread)
{
	uint32_t lane = 0;

	for (uint32_t t = 0; t < thread; t++)
		lane += oclmm_same_work_group(&program->threads[t].placement,
		                              &program->threads[thread].placement);
	return lane;
}

/* The numbers that head_kernel.cl asks for. */
static void number_threads(const struct oclmm_program *program, const struct launch *launch,
                           uint32_t (*ret_numbers)[OCLMM_MACHINE_NUMBERS])
{
	enum {
		GROUPS = 0,
		SIZE = 3,
		GROUP = 6,
		LANE = 9,
		ID = 12,
		LINEAR_LANE = 15,
		WORK_DIM = 18,
		GLOBAL_SIZE = 21,
		ENQUEUED_SIZE = 24,
		LINEAR_ID = 30
	};
	uint32_t size = launch->group_size, groups = launch->groups;
	uint64_t hash = oclmm_hash(program->name, strlen(program->name));

	for (uint32_t t = 0; t < program->thread_count; t++) {
		uint32_t group = launch->first_group +
		                 launch->per_group * (program->threads[t].placement.work_group +
		                                      (uint32_t)(hash % launch->spread));
		uint32_t lane = launch->first_lane + launch->per_lane * lane_of(program, t);

		ret_numbers[t][GROUP] = group;
		ret_numbers[t][LANE] = ret_numbers[t][LINEAR_LANE] = lane;
		groups = group < groups ? groups : group + 1;
		size = lane < size ? size : lane + 1;
	}
	for (uint32_t t = 0; t < program->thread_count; t++) {
		uint32_t *numbers = ret_numbers[t];

		for (unsigned d = 0; d < 3; d++) {
			numbers[GROUPS + d] = d ? 1 : groups;
			numbers[SIZE + d] = numbers[ENQUEUED_SIZE + d] = d ? 1 : size;
			numbers[GLOBAL_SIZE + d] = d ? 1 : groups * size;
		}
		numbers[ID] = numbers[LINEAR_ID] = numbers[GROUP] * size + numbers[LANE];
		numbers[WORK_DIM] = 1;
	}
}

static int is_ended(const void *data)
{
	(void)data;
	return process_ended(NULL);
}

/* The functions of a test's threads, one each; of a kernel all have the same. */
static const char **name_functions(const struct audit *audit, const struct audit_case *c,
                                   struct oclmm_arena *arena)
{
	uint32_t count = c->program->thread_count;
	const char **functions = OCLMM_NEW_ARRAY(arena, const char *, count + 1);

	for (uint32_t t = 0; t < count; t++) {
		char name[64];

		if (!c->kernel)
			function_name(audit, c, t, name, sizeof(name));
		functions[t] = c->kernel ? c->kernel->answer->name
		                         : oclmm_arena_strdup(arena, name);
	}
	return functions;
}

static void judge_case(struct audit *audit, struct audit_case *c)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	const char **functions = name_functions(audit, c, arena);
	struct oclmm_machine_options options = {.wanted = is_forbidden,
	                                        .data = c,
	                                        .first = audit->change != NULL,
	                                        .limit = EXECUTIONS_MOST,
	                                        .time_limit = audit->time_limit,
	                                        .ended = is_ended};
	struct oclmm_error error = {0};
	struct oclmm_machine_answer *answer = NULL;
	struct given given = {0};
	size_t launch = 0;
	int r = 0;

	given.numbers = oclmm_arena_alloc(arena, ((size_t)c->program->thread_count + 1) *
	                                                 sizeof(*given.numbers));
	options.context = context_of(audit->compiler, &options.context_words);
	if (c->kernel)
		give(c, &given, &options);
	else
		options.numbers = given.numbers;
	if (audit->cat_text)
		r = oclmm_machine_cat(audit_compiler_machine(audit->compiler), audit->cat_path,
		                      audit->cat_text, audit->cat_length, &error, &options.model);
	do {
		oclmm_machine_answer_destroy(answer);
		answer = NULL;
		if (!c->kernel)
			number_threads(c->program, &launches[launch], given.numbers);
		if (r == 0)
			r = oclmm_machine_judge(c->assembly, c->program, functions, &options,
			                        &error, &answer);
	} while (answer && !answer->count && answer->asks && !c->kernel &&
	         ++launch < OCLMM_COUNT(launches));
	oclmm_cat_destroy(options.model);
	oclmm_arena_destroy(arena);
	if (!answer && process_interrupted)
		return;
	if (!answer) {
		settle(c,
		       r == -ENOTSUP ? AUDIT_UNREADABLE
		       : r == -ENXIO ? AUDIT_SKIP
		                     : AUDIT_TOO_LARGE,
		       error.message);
		c->line = error.position.line;
		snprintf(c->source, sizeof(c->source), "%s", error.source);
		return;
	}
	settle(c, answer->count ? AUDIT_WRONG : AUDIT_RIGHT, "");
	c->cut = answer->cut;
	if (answer->count)
		c->answer = answer;
	else
		oclmm_machine_answer_destroy(answer);
}

static void judge_one(void *data, size_t index)
{
	struct audit *audit = data;

	if (!audit->cases[index].judged && audit->cases[index].assembly && !process_interrupted)
		judge_case(audit, &audit->cases[index]);
}

static void judge_compiled(struct audit *audit)
{
	oclmm_in_parallel(audit->count, 0, judge_one, audit);
}

static void judge_cases(struct audit *audit)
{
	compile_all(audit);
	judge_compiled(audit);
}

/* Judges a failure, or a test that is right, by what is known. */
static void apply_expectations(const struct audit *audit, struct audit_case *c)
{
	bool wrong = c->verdict == AUDIT_WRONG, right = c->verdict == AUDIT_RIGHT;
	size_t count = c->answer ? c->answer->count : 0;
	const char **outcomes = oclmm_calloc(count + 1, sizeof(*outcomes));
	struct oclmm_suspect suspect = {.device = audit_compiler_target(audit->compiler),
	                                .driver = audit_compiler_words(audit->compiler),
	                                .test = c->program->name,
	                                .verdict = wrong   ? OCLMM_VERDICT_FORBIDDEN
	                                           : right ? OCLMM_VERDICT_PASS
	                                                   : OCLMM_VERDICT_BUILD_FAILED,
	                                .outcomes = outcomes,
	                                .outcome_count = count};

	for (size_t i = 0; i < count; i++) {
		struct oclmm_text text = {0};

		oclmm_outcome_print(&text, c->program, c->answer->executions[i].values);
		outcomes[i] = oclmm_arena_strdup(audit->arena, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	switch (oclmm_expectations_judge(audit->expectations, &suspect, oclmm_today(), &c->known,
	                                 &c->expired)) {
	case OCLMM_VERDICT_KNOWN: c->verdict = AUDIT_KNOWN; break;
	case OCLMM_VERDICT_STALE: c->verdict = AUDIT_STALE; break;
	default: break;
	}
	free(outcomes);
}

static enum oclmm_verdict verdict_of(const struct audit_case *c)
{
	if (!c->judged)
		return OCLMM_VERDICT_SKIP;
	switch (c->verdict) {
	case AUDIT_RIGHT: return OCLMM_VERDICT_PASS;
	case AUDIT_STALE: return OCLMM_VERDICT_STALE;
	case AUDIT_KNOWN: return OCLMM_VERDICT_KNOWN;
	case AUDIT_WRONG: return OCLMM_VERDICT_FORBIDDEN;
	case AUDIT_NOT_BUILT: return OCLMM_VERDICT_BUILD_FAILED;
	default: return OCLMM_VERDICT_SKIP;
	}
}

static void find_stale_lines(struct audit *audit)
{
	struct oclmm_suspect *ended = oclmm_calloc(audit->count + 1, sizeof(*ended));
	struct oclmm_text text = {0};

	for (size_t i = 0; i < audit->count; i++)
		ended[i] = (struct oclmm_suspect){.device = audit_compiler_target(audit->compiler),
		                                  .driver = audit_compiler_words(audit->compiler),
		                                  .test = audit->cases[i].program->name,
		                                  .verdict = verdict_of(&audit->cases[i])};
	audit->stale_lines = oclmm_expectations_stale(audit->expectations, ended, audit->count,
	                                              oclmm_today(), &text);
	fputs(oclmm_text_string(&text), stderr);
	oclmm_text_finish(&text);
	free(ended);
}

void audit_judge(struct audit *audit)
{
	double began = oclmm_clock();

	find_all_expected(audit);
	judge_cases(audit);
	for (size_t i = 0; audit->expectations && i < audit->count; i++) {
		struct audit_case *c = &audit->cases[i];

		if (c->judged && (c->verdict == AUDIT_WRONG || c->verdict == AUDIT_RIGHT ||
		                  c->verdict == AUDIT_NOT_BUILT))
			apply_expectations(audit, c);
	}
	if (audit->expectations && audit->whole)
		find_stale_lines(audit);
	audit->seconds = oclmm_clock() - began;
}

static void drop_cases(struct audit *audit)
{
	for (size_t i = 0; i < audit->count; i++)
		oclmm_machine_answer_destroy(audit->cases[i].answer);
	for (size_t i = 0; i < audit->assembly_count; i++)
		oclmm_assembly_destroy(audit->assemblies[i]);
	free(audit->assemblies);
}

void audit_finish(struct audit *audit)
{
	drop_cases(audit);
	for (size_t i = 0; i < audit->file_count; i++)
		oclmm_expected_destroy(audit->files[i]);
	free(audit->files);
	for (size_t i = 0; i < audit->kernel_count; i++) {
		oclmm_kernel_answer_destroy(audit->kernels[i].answer);
		kernel_file_finish(&audit->kernels[i].file);
	}
	free(audit->kernels);
	free(audit->cases);
	oclmm_arena_destroy(audit->arena);
	destroy_compiler(audit->compiler);
}

const char *audit_verdict_word(enum audit_verdict verdict)
{
	static const char *const words[] = {
#define OCLMM_X(name, word, meaning) word,
		AUDIT_VERDICTS(OCLMM_X)
#undef OCLMM_X
	};

	return words[verdict];
}

/* Tests of one plant that are compiled together: a few at first, for the first that is wrong ends
 * the search. */
enum { AT_FIRST = 10, TOGETHER = 160 };

enum end { FOUND, MISSED, SAME_CODE, NOT_READ, NO_PLACE, INTERRUPTED, END_COUNT };
static const char *const end_words[END_COUNT] = {
	[FOUND] = "found",       [MISSED] = "missed",     [SAME_CODE] = "same-code",
	[NOT_READ] = "not-read", [NO_PLACE] = "no-place", [INTERRUPTED] = "interrupted",
};

struct planting {
	const struct audit *audit; /* judged without a plant */
	struct audit own;
	size_t changed;              /* tests whose code is another */
	size_t unread;               /* tests that were not judged */
	size_t tests;                /* that have a place for it */
	const struct audit_case *by; /* the test that is wrong */
	char why[128];               /* of the first that was not judged */
};

/* ---- whether code is the same ------------------------------------------------- */

/* The next character that counts: numbers of labels (`.LBB`, `$L__BB`, of PTX by clang 14 `LBB`),
 * and those in the names of parameters, are those of the function in its text. */
static const char *skip_number(const char *at, const char *end)
{
	static const char *const before[] = {"BB", "_t"};

	for (size_t n = 0; n < OCLMM_COUNT(before); n++) {
		size_t length = strlen(before[n]);

		if ((size_t)(end - at) < length || strncmp(at, before[n], length) != 0)
			continue;
		at += length;
		while (at < end && isdigit((unsigned char)*at))
			at++;
		return at;
	}
	return at;
}

/* Behind the first line, which has the name. */
static const char *behind_name(const char *text, size_t length)
{
	const char *end = memchr(text, '\n', length);

	return end ? end : text + length;
}

/* Which number of one function is which of the other. */
enum { RENAMED_MOST = 512 };
struct renaming {
	unsigned long from[RENAMED_MOST], to[RENAMED_MOST];
	unsigned count;
};

static bool is_renamed(struct renaming *renaming, unsigned long from, unsigned long to)
{
	for (unsigned n = 0; n < renaming->count; n++) {
		if (renaming->from[n] == from || renaming->to[n] == to)
			return renaming->from[n] == from && renaming->to[n] == to;
	}
	if (renaming->count == RENAMED_MOST)
		return from == to;
	renaming->from[renaming->count] = from;
	renaming->to[renaming->count++] = to;
	return true;
}

/* The length of what stands before a number of SPIR-V's, which is that of the module: `%12`, and
 * the label `.L12`. Or 0. */
static size_t id_length(const char *at, const char *end)
{
	size_t length = *at == '%' ? 1 : end - at > 2 && strncmp(at, ".L", 2) == 0 ? 2 : 0;

	return length && at + length < end && isdigit((unsigned char)at[length]) ? length : 0;
}

/* Behind lines that are comments, where one begins at the end of the line before: of a fence that
 * binds the compiler alone nothing else is left, `#MEMBARRIER`. Those of AMD's are looked at: one
 * of them stands for an instruction. */
static const char *behind_comments(const char *at, const char *end)
{
	while (at < end && *at == '\n') {
		const char *line = at + 1, *next = memchr(line, '\n', (size_t)(end - line));

		while (line < end && isblank((unsigned char)*line))
			line++;
		if (line == end ||
		    (*line != '#' && (end - line < 2 || strncmp(line, "//", 2) != 0)))
			break;
		at = next ? next : end;
	}
	return at;
}

static bool is_same_text(const char *a, size_t a_length, const char *b, size_t b_length)
{
	const char *a_end = a + a_length, *b_end = b + b_length;
	struct renaming renaming = {.count = 0};

	a = behind_name(a, a_length);
	b = behind_name(b, b_length);
	while (a < a_end && b < b_end) {
		size_t id;

		a = behind_comments(a, a_end);
		b = behind_comments(b, b_end);
		if (a == a_end || b == b_end)
			break;
		id = id_length(a, a_end);
		/* comments stand in a column, wherever a label ends */
		if (isblank((unsigned char)*a) && isblank((unsigned char)*b)) {
			while (a < a_end && isblank((unsigned char)*a))
				a++;
			while (b < b_end && isblank((unsigned char)*b))
				b++;
			continue;
		}

		if (id && id == id_length(b, b_end)) {
			char *a_behind, *b_behind;
			unsigned long from = strtoul(a + id, &a_behind, 10);

			if (!is_renamed(&renaming, from, strtoul(b + id, &b_behind, 10)))
				return false;
			a = a_behind;
			b = b_behind;
			continue;
		}
		a = skip_number(a, a_end);
		b = skip_number(b, b_end);
		if (a < a_end && b < b_end && *a++ != *b++)
			return false;
	}
	return behind_comments(a, a_end) == a_end && behind_comments(b, b_end) == b_end;
}

static bool has_same_code(const struct audit *audit, const struct audit_case *a,
                          const struct audit_case *b)
{
	for (uint32_t t = 0; t < a->program->thread_count; t++) {
		size_t a_length, b_length;
		char name[64];
		const char *a_text, *b_text;

		function_name(audit, a, t, name, sizeof(name));
		a_text = oclmm_assembly_function(a->assembly, name, &a_length);
		function_name(audit, b, t, name, sizeof(name));
		b_text = oclmm_assembly_function(b->assembly, name, &b_length);
		if (!a_text || !b_text || !is_same_text(a_text, a_length, b_text, b_length))
			return false;
	}
	return true;
}

/* ---- one plant ------------------------------------------------------------------ */

static bool has_place(const struct oclmm_program *program, const struct oclmm_mutation *change)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	bool has = oclmm_change_program(arena, program, change).places > 0;

	oclmm_arena_destroy(arena);
	return has;
}

/* The tests that are right without it, from `*at` on. */
static void choose(struct planting *p, size_t *at)
{
	size_t most = AT_FIRST + 2 * p->tests < TOGETHER ? AT_FIRST + 2 * p->tests : TOGETHER;

	p->own.count = 0;
	for (; *at < p->audit->count && p->own.count < most; (*at)++) {
		const struct audit_case *c = &p->audit->cases[*at];

		if (!c->judged || (c->verdict != AUDIT_RIGHT && c->verdict != AUDIT_STALE) ||
		    !has_place(c->program, p->own.change))
			continue;
		p->own.cases[p->own.count++] = (struct audit_case){.chosen = c->chosen,
		                                                   .program = c->program,
		                                                   .expected = c->expected};
	}
	p->tests += p->own.count;
}

static const struct audit_case *original_of(const struct planting *p, const struct audit_case *c)
{
	for (size_t i = 0; i < p->audit->count; i++) {
		if (p->audit->cases[i].program == c->program)
			return &p->audit->cases[i];
	}
	return NULL;
}

/* What the compiler makes the same of is right, as it was. */
static void judge_planted(struct planting *p)
{
	compile_all(&p->own);
	for (size_t i = 0; i < p->own.count; i++) {
		struct audit_case *c = &p->own.cases[i];

		if (!c->judged && c->assembly && has_same_code(p->audit, c, original_of(p, c)))
			settle(c, AUDIT_RIGHT, "");
	}
	judge_compiled(&p->own);
}

static void look(struct planting *p)
{
	for (size_t i = 0; i < p->own.count && !p->by; i++) {
		const struct audit_case *c = &p->own.cases[i];

		if (c->verdict == AUDIT_WRONG)
			p->by = c;
		if (c->verdict != AUDIT_RIGHT && c->verdict != AUDIT_WRONG) {
			if (!p->unread++)
				snprintf(p->why, sizeof(p->why), "%s: %.90s",
				         audit_verdict_word(c->verdict), c->message);
			continue;
		}
		p->changed += !has_same_code(p->audit, c, original_of(p, c));
	}
}

static enum end end_of(const struct planting *p)
{
	/* what was not judged may have shown it */
	return p->by        ? FOUND
	       : p->unread  ? NOT_READ
	       : p->changed ? MISSED
	       : p->tests   ? SAME_CODE
	                    : NO_PLACE;
}

static enum end plant_one(const struct audit *audit, const struct plant *plant, const char *choice,
                          bool says_found)
{
	struct planting p = {.audit = audit, .own = *audit};
	size_t at = 0;
	enum end end;

	p.own.change = &plant->mutation;
	p.own.cases = oclmm_calloc(TOGETHER, sizeof(*p.own.cases));
	while (at < audit->count && !p.by && !process_interrupted) {
		p.own.assemblies = NULL;
		p.own.assembly_count = p.own.assembly_capacity = 0;
		choose(&p, &at);
		judge_planted(&p);
		look(&p);
		if (p.by && says_found)
			printf("%-10s %s by %s\n", end_words[FOUND], choice, p.by->program->name);
		drop_cases(&p.own);
	}
	end = end_of(&p);
	if (end != FOUND && process_interrupted) {
		free(p.own.cases);
		return INTERRUPTED;
	}
	if (end != FOUND)
		printf("%-10s %s in %s", end_words[end], choice,
		       oclmm_counted(p.tests, "test").text);
	if (end == MISSED)
		printf(", %zu of them with other code", p.changed);
	if (end != FOUND && p.unread)
		printf(", %zu not judged (%s)", p.unread, oclmm_shown(p.why).text);
	if (end != FOUND)
		printf("\n");
	fflush(stdout);
	free(p.own.cases);
	return end;
}

/* ---- all of them ------------------------------------------------------------------ */

/* What is in the text of a thread, whatever launch or call it is in; from OFFSET_IGNORED on it is
 * in what launches range over. */
static bool is_in_text(const struct plant *plant)
{
	return plant->bug != PLANT_NONE && !plant_in_calls(plant->bug) && !plant_by_launch(plant) &&
	       plant->bug < PLANT_OFFSET_IGNORED;
}

int audit_plant(const struct audit *audit, const char *const *choices, size_t count)
{
	size_t ends[END_COUNT] = {0}, planted = 0;
	bool all = count == 1 && strcmp(choices[0], "all") == 0;

	for (size_t i = 0; i < (all ? PLANT_COUNT : count) && !process_interrupted; i++) {
		const char *choice = all ? plant_descriptions[i].name : choices[i];
		char message[PLANT_MESSAGE];
		struct plant plant;

		if (!plant_parse(choice, &plant, message)) {
			fprintf(stderr, "oclmm audit: %s\n", message);
			return OPTIONS_ERROR;
		}
		if (all && !is_in_text(&plant))
			continue;
		ends[plant_one(audit, &plant, choice, true)]++;
		planted += !ends[INTERRUPTED];
	}
	printf("plants: of %zu %zu found, %zu missed; %zu in code that stays the same, %zu in code "
	       "that is not read, %zu in no test\n",
	       planted, ends[FOUND], ends[MISSED], ends[SAME_CODE], ends[NOT_READ], ends[NO_PLACE]);
	return process_interrupted ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_PASS;
}

/* ---- what tests lack ---------------------------------------------------------------- */

struct lacking {
	const struct audit *audit;
	bool all;
	size_t ends[END_COUNT], planted;
};

/* A weakening of one form of one operation. */
static void try_weakening(void *data, const char *choice)
{
	struct lacking *l = data;
	char message[PLANT_MESSAGE];
	struct plant plant;

	if (process_interrupted || !plant_parse(choice, &plant, message) || !is_in_text(&plant))
		return;
	l->ends[plant_one(l->audit, &plant, choice, l->all)]++;
	l->planted += !l->ends[INTERRUPTED];
}

int audit_lacks(const struct audit *audit, bool all)
{
	struct lacking l = {.audit = audit, .all = all};

	plant_cross(true, try_weakening, &l);
	printf("lacks: of %zu weakenings %zu missed, %zu in no test, %zu in code that is not read; "
	       "%zu found, %zu in code that stays the same\n",
	       l.planted, l.ends[MISSED], l.ends[NO_PLACE], l.ends[NOT_READ], l.ends[FOUND],
	       l.ends[SAME_CODE]);
	return process_interrupted ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_PASS;
}

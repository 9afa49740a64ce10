// SPDX-License-Identifier: Apache-2.0
/*
 * The kernels of a program of commands: one for each thread that is one, with
 * a work-item for each cell of the objects, one that sets cells, one that only
 * takes time, and one that puts words of many buffers side by side.
 *
 * All values in memory are moved by a base, which each round of a launch has anew: what
 * an earlier one left behind is no value of this one. The kernels are given it
 * mixed with their program's mark: what those of another one store is none, either.
 * Each round of a launch has a base of its own, and each kernel of it a word in which
 * it counts how often it ran.
 *
 * A cell of an image is a pixel, of one channel.
 *
 * Of a pipe a work-item writes or takes one packet, whichever is the next; all
 * of them are alike. Where there is none it has 0, as the pipe began.
 */
#include "internal.h"

static bool is_pipe(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_PIPE;
}

static bool is_image(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_IMAGE_2D;
}

/* A kernel has one end of a pipe, C:6.15.13, and an image to read or to write. */
static bool writes(const struct oclmm_thread *thread, uint32_t location)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
		if (s->kind == OCLMM_STATEMENT_STORE && s->store.place.location == location)
			return true;
	}
	return false;
}

/* The kernel finds its address in other memory. */
static bool is_pointed(const struct oclmm_program *program, const struct oclmm_thread *thread,
                       uint32_t location)
{
	return thread->placement.command.indirect &&
	       oclmm_storage_is_svm(program->locations[location].storage);
}

static void write_parameter(struct oclmm_text *text, const struct oclmm_program *program,
                            const struct oclmm_thread *thread, uint32_t location)
{
	const char *name = program->locations[location].name;

	if (is_pipe(program, location))
		oclmm_text_printf(text, "%s pipe uint %s_, ",
		                  writes(thread, location) ? "write_only" : "read_only", name);
	else if (is_image(program, location))
		oclmm_text_printf(text, "%s image2d_t %s_, ",
		                  writes(thread, location) ? "write_only" : "read_only", name);
	else if (is_pointed(program, thread, location))
		oclmm_text_printf(text, "global const ulong *at_%s, ", name);
	else
		oclmm_text_printf(text, "global uint *%s_, ", name);
}

/* In memory an address is a ulong: no parameter may lead to a uintptr_t (C:6.11). */
static void write_pointers(struct oclmm_text *text, const struct oclmm_program *program,
                           const struct oclmm_thread *thread)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		uint32_t location = thread->parameters[i].location;
		const char *name = program->locations[location].name;

		if (is_pointed(program, thread, location))
			oclmm_text_printf(
				text, "\tglobal uint *%s_ = (global uint *)(uintptr_t)*at_%s;\n",
				name, name);
	}
}

/*
 * The cell of a work-item. A kernel whose launch is changed between replays may reach none: it is
 * told how many there are, and the size of a work-group in which it reaches them. It has run then,
 * too.
 */
static void write_index(struct oclmm_text *text, unsigned launches)
{
	if (!launches) {
		/* what lies behind an offset that the launch did not get shows as cells that nobody
		 * wrote */
		oclmm_text_add(text, ")\n{\n\tsize_t i = min(get_global_id(0) - offset, "
		                     "get_global_size(0) - 1);\n");
		return;
	}
	oclmm_text_add(text, ", uint cells, uint group)\n{\n"
	                     "\tsize_t i = get_global_id(0) - offset;\n"
	                     "\tif (get_global_id(0) == get_global_offset(0))\n\t\t*ran += 1;\n"
	                     "\tif (i >= cells)\n\t\treturn;\n");
	if (launches & OCLMM_LAUNCH_LOCAL)
		oclmm_text_add(text, "\tif (get_local_size(0) != group)\n\t\treturn;\n");
}

static void write_parameters(struct oclmm_text *text, const struct oclmm_program *program,
                             const struct oclmm_thread *thread, unsigned launches)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		write_parameter(text, program, thread, thread->parameters[i].location);
	for (uint32_t i = 0; i < thread->register_count; i++)
		oclmm_text_printf(text, "global uint *%s_out, ", thread->registers[i].name);
	oclmm_text_add(text, "uint base, uint offset, global uint *ran");
	write_index(text, launches);
	write_pointers(text, program, thread);
	oclmm_text_printf(text, "\tbase ^= 0x%08xu;\n",
	                  oclmm_kernel_mark(program, &(struct oclmm_codegen_options){0}));
	if (!launches)
		oclmm_text_add(text, "\tif (i == 0)\n\t\t*ran += 1;\n");
	for (uint32_t i = 0; i < thread->register_count; i++)
		oclmm_text_printf(text, "\tuint %s_r = 0;\n", thread->registers[i].name);
	oclmm_text_add(text, "\n");
}

/* Where the pixel of a cell is: row by row. */
static void write_pixel(struct oclmm_text *text, const char *image)
{
	oclmm_text_printf(text,
	                  "(int2)((int)i %% get_image_width(%s_), (int)i / get_image_width(%s_))",
	                  image, image);
}

static void write_value(struct oclmm_text *text, const struct oclmm_program *program,
                        const struct oclmm_thread *thread, const struct oclmm_expression *value)
{
	if (value->kind == OCLMM_EXPRESSION_CONSTANT)
		oclmm_text_printf(text, "%uu", (uint32_t)value->constant);
	else if (value->kind == OCLMM_EXPRESSION_REGISTER)
		oclmm_text_printf(text, "%s_r", thread->registers[value->reg].name);
	else if (is_image(program, value->load.location)) {
		const char *name = program->locations[value->load.location].name;

		oclmm_text_printf(text, "read_imageui(%s_, ", name);
		write_pixel(text, name);
		oclmm_text_add(text, ").x - base");
	} else
		oclmm_text_printf(text,
		                  is_pipe(program, value->load.location) ? "take(%s_, base) - base"
		                                                         : "%s_[i] - base",
		                  program->locations[value->load.location].name);
}

static void write_store(struct oclmm_text *text, const struct oclmm_program *program,
                        const struct oclmm_thread *thread, const struct oclmm_store *store)
{
	const char *name = program->locations[store->place.location].name;
	bool pipe = is_pipe(program, store->place.location);

	if (is_image(program, store->place.location)) {
		oclmm_text_printf(text, "write_imageui(%s_, ", name);
		write_pixel(text, name);
		oclmm_text_add(text, ", (uint4)(base + (");
		write_value(text, program, thread, store->value);
		oclmm_text_add(text, "), 0, 0, 0))");
		return;
	}
	oclmm_text_printf(text, pipe ? "uint %s_packet = base + (" : "%s_[i] = base + (", name);
	write_value(text, program, thread, store->value);
	oclmm_text_add(text, ")");
	if (pipe)
		oclmm_text_printf(text, ";\n\twrite_pipe(%s_, &%s_packet)", name, name);
}

static void write_kernel(struct oclmm_text *text, const struct oclmm_program *program,
                         uint32_t number)
{
	uint32_t run = oclmm_command_reaching(program, number);
	const struct oclmm_thread *thread = &program->threads[run];

	oclmm_text_printf(text, "\nkernel void P%u(", program->threads[number].id);
	write_parameters(text, program, thread, oclmm_command_launches(program, number));
	for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
		oclmm_text_add(text, "\t");
		if (s->kind == OCLMM_STATEMENT_STORE) {
			write_store(text, program, thread, &s->store);
		} else {
			oclmm_text_printf(text, "%s_r = ", thread->registers[s->assign.reg].name);
			write_value(text, program, thread, s->assign.value);
		}
		oclmm_text_add(text, ";\n");
	}
	for (uint32_t i = 0; i < thread->register_count; i++)
		oclmm_text_printf(text, "\t%s_out[i] = base + %s_r;\n", thread->registers[i].name,
		                  thread->registers[i].name);
	oclmm_text_add(text, "}\n");
}

/* The host would wait longer for a read of each word than for all that a round does. */
static void write_gather(struct oclmm_text *text)
{
	oclmm_text_add(text, "\nkernel void gather(");
	for (int i = 0; i < OCLMM_GATHERED_WORDS; i++)
		oclmm_text_printf(text, "global const uint *w%d, ", i);
	oclmm_text_add(text, "global uint *words, uint first)\n{\n");
	for (int i = 0; i < OCLMM_GATHERED_WORDS; i++)
		oclmm_text_printf(text, "\twords[first + %du] = *w%d;\n", i, i);
	oclmm_text_add(text, "}\n");
}

void oclmm_generate_commands(const struct oclmm_program *program, struct oclmm_text *ret_source)
{
	oclmm_text_init(ret_source);
	oclmm_text_add(ret_source, "kernel void set_cells(global uint *cells, uint value)\n{\n"
	                           "\tcells[get_global_id(0)] = value;\n}\n");
	/* what it computes is stored: a compiler may drop a loop whose result is not used */
	oclmm_text_add(ret_source, "\nkernel void lag(global uint *end, uint steps)\n{\n"
	                           "\tuint number = steps;\n\n"
	                           "\tfor (uint i = 0; i < steps; i++)\n"
	                           "\t\tnumber = number * 1664525u + i;\n"
	                           "\t*end = number;\n}\n");
	write_gather(ret_source);
	for (uint32_t i = 0; i < program->location_count; i++) {
		if (!is_pipe(program, i))
			continue;
		oclmm_text_add(ret_source,
		               "\nuint take(read_only pipe uint pipe_, uint none)\n{\n"
		               "\tuint packet;\n\n"
		               "\treturn read_pipe(pipe_, &packet) == 0 ? packet : none;\n}\n");
		break;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (program->threads[i].placement.command.kind == OCLMM_COMMAND_KERNEL)
			write_kernel(ret_source, program, i);
	}
}

// SPDX-License-Identifier: Apache-2.0
/* Where each work-item plays one role: the calls of a kernel, and those that roles share. */
#include "internal.h"

void oclmm_write_own_instance(struct oclmm_writer *writer)
{
	static const char *const names[] = {"i", "lane"};

	for (size_t k = 0; k < (writer->plan->has_local ? 2 : 1); k++) {
		oclmm_line(writer, "const uint %s_own = ", names[k]);
		for (uint32_t i = 0; i < writer->program->thread_count; i++)
			if (oclmm_is_own(writer, i))
				oclmm_text_printf(writer->text, "own == %uu ? %s_P%u : ", i,
				                  names[k], writer->program->threads[i].id);
		oclmm_text_add(writer->text, "0u;\n");
	}
}

/* The registers of a role become those of another one, which is like it; of who plays `own`. */
static void write_handing_over(struct oclmm_writer *writer, uint32_t own, uint32_t from,
                               uint32_t to)
{
	const struct oclmm_thread *t = &writer->program->threads[from];
	unsigned ids[] = {t->id, writer->program->threads[to].id};

	if (!oclmm_has_state(writer->program, t))
		return;
	oclmm_open(writer, "if (own == %uu) {\n", own);
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_line(writer, "r_P%u.", ids[1]);
		oclmm_write_register(writer, to, i);
		oclmm_text_printf(writer->text, " = r_P%u.", ids[0]);
		oclmm_write_register(writer, from, i);
		oclmm_text_add(writer->text, ";\n");
	}
	if (oclmm_has_loop(t->body))
		oclmm_line(writer, "r_P%u.cut = r_P%u.cut;\n", ids[1], ids[0]);
	oclmm_close(writer);
}

static void write_handing_all(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                              uint32_t first, bool back)
{
	for (uint32_t i = 0; i < n; i++)
		if (writer->plan->role_alike[roles[i]] == first && roles[i] != first)
			write_handing_over(writer, roles[i], back ? first : roles[i],
			                   back ? roles[i] : first);
}

/*
 * Roles that are alike are one call: work-items of an instance may come to an object by one and the
 * same instruction, which a compiler or a processor may take apart into less than they are.
 */
static void write_alike(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                        uint32_t first)
{
	const uint32_t *alike = writer->plan->role_alike;
	const char *separator = "";

	oclmm_line(writer, "if (");
	for (uint32_t i = 0; i < n; i++)
		if (alike[roles[i]] == first) {
			oclmm_text_printf(writer->text, "%sown == %uu", separator, roles[i]);
			separator = " || ";
		}
	oclmm_text_add(writer->text, ") {\n");
	writer->depth++;
	write_handing_all(writer, roles, n, first, false);
	writer->for_alike = true;
	oclmm_write_play(writer, first, 0);
	writer->for_alike = false;
	write_handing_all(writer, roles, n, first, true);
	oclmm_close(writer);
}

void oclmm_write_own(struct oclmm_writer *writer, const uint32_t *roles, uint32_t n,
                     uint32_t segment)
{
	const uint32_t *alike = writer->plan->role_alike;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t others = 0;

		for (uint32_t k = 0; k < n; k++)
			others += k != i && alike[roles[k]] == alike[roles[i]];
		if (alike[roles[i]] != roles[i])
			continue;
		if (others > 0) {
			write_alike(writer, roles, n, roles[i]);
			continue;
		}
		oclmm_line(writer, "if (own == %uu)\n", roles[i]);
		writer->depth++;
		oclmm_write_play(writer, roles[i], segment);
		writer->depth--;
	}
}

// SPDX-License-Identifier: Apache-2.0
/*
 * usage: tells LITMUS-FOLDER PROFILE [--list]
 *
 * Of every atomic operation, of each type, in each form, with its result used
 * and not: each mistake of the table shows in some test of the profile, or it is told why nobody
 * could see it. Programs are run on a machine that makes the mistake; it shows when an outcome is
 * not among those that the oracle allows. Without a mistake none may be.
 */
#include <stdio.h>
#include <string.h>

#include "folder.h"
#include "lines.h"
#include "machine.h"
#include "oclmm/model.h"

enum { MAX_SITES = 512 };

enum told {
	TOLD_NOT,
	TOLD_MET, /* where the work-items meet */
	TOLD,     /* one after the other, too */
};

static struct entry {
	struct site site;
	enum told told[MISTAKE_COUNT];
	char by[MISTAKE_COUNT][96]; /* the first test that told most */
} entries[MAX_SITES];
static size_t entry_count;

/* ---- the operations that there are ------------------------------------ */

static void add(enum oclmm_operation op, enum oclmm_type type, enum form form, bool used,
                bool by_one)
{
	entries[entry_count++].site = (struct site){op, type, form, used, by_one};
}

static bool is_legacy(enum oclmm_operation op)
{
	return op >= OCLMM_OP_EXCHANGE && op <= OCLMM_OP_CAS_STRONG;
}

static void add_type(enum oclmm_operation op, enum oclmm_type type)
{
	for (int form = 0; form < FORM_COUNT; form++) {
		if (form == FORM_LEGACY && !is_legacy(op))
			continue;
		/* a load whose result is unused is no access, a weak exchange no use */
		for (int used = 0; used < 2; used++) {
			if (used && !oclmm_operation_reads(op))
				continue;
			if (!used && (op == OCLMM_OP_LOAD || op == OCLMM_OP_CAS_WEAK))
				continue;
			add(op, type, (enum form)form, used, false);
			if (form == FORM_LEGACY &&
			    (op == OCLMM_OP_FETCH_ADD || op == OCLMM_OP_FETCH_SUB))
				add(op, type, (enum form)form, used, true);
		}
	}
}

static void add_all(void)
{
	for (int op = OCLMM_OP_LOAD; op <= OCLMM_OP_CAS_WEAK; op++) {
		for (int type = OCLMM_TYPE_INT; type <= OCLMM_TYPE_ULONG; type++)
			add_type((enum oclmm_operation)op, (enum oclmm_type)type);
	}
	add_type(OCLMM_OP_FLAG_TEST_AND_SET, OCLMM_TYPE_FLAG);
	add_type(OCLMM_OP_FLAG_CLEAR, OCLMM_TYPE_FLAG);
}

/* ---- what tells ------------------------------------------------------- */

struct look {
	const struct oclmm_answer *answer;
	enum told told;
};

static bool is_allowed(const struct oclmm_answer *answer, const int64_t *values)
{
	size_t size = answer->program->observable_count * sizeof(*values);

	for (uint32_t i = 0; i < answer->state_count; i++) {
		if (memcmp(answer->states[i].values, values, size) == 0)
			return answer->states[i].status[OCLMM_MODEL_CONSENSUS] !=
			       OCLMM_STATUS_FORBIDDEN;
	}
	return false;
}

static void look_at(void *data, const int64_t *values, bool met)
{
	struct look *look = data;
	enum told told = met ? TOLD_MET : TOLD;

	if (told > look->told && !is_allowed(look->answer, values))
		look->told = told;
}

static enum told tell(const struct oclmm_answer *answer, enum mistake mistake,
                      const struct site *site)
{
	struct look look = {answer, TOLD_NOT};

	machine_run(answer->program, mistake, site, look_at, &look);
	return look.told;
}

static void try_mistakes(const struct oclmm_answer *answer, struct entry *entry)
{
	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		enum mistake mistake = (enum mistake)m;
		enum told told;

		if (!mistake_concerns(mistake, &entry->site) || entry->told[m] == TOLD)
			continue;
		told = tell(answer, mistake, &entry->site);
		if (told <= entry->told[m])
			continue;
		entry->told[m] = told;
		snprintf(entry->by[m], sizeof(entry->by[m]), "%s", answer->program->name);
	}
}

static void try_program(const struct oclmm_program *program)
{
	static const struct site nothing = {.op = OCLMM_OP_COUNT};
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;

	if (oclmm_check(program, NULL, &error, &answer) < 0) {
		complain(program->name, "the oracle gives no answer: %s", error.message);
		return;
	}
	if (!answer->undefined[OCLMM_MODEL_CONSENSUS]) {
		if (tell(answer, MISTAKE_NONE, &nothing) != TOLD_NOT)
			complain(program->name, "the oracle forbids what a machine without "
			                        "mistakes shows");
		for (size_t i = 0; i < entry_count; i++) {
			if (machine_has(program, &entries[i].site))
				try_mistakes(answer, &entries[i]);
		}
	}
	oclmm_answer_destroy(answer);
}

static void check_file(const struct oclmm_litmus *litmus, void *data)
{
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];

		if (lines_choose(data, variant->name) && machine_can_run(variant->program))
			try_program(variant->program);
	}
}

/* ---- the account ------------------------------------------------------ */

static const char *site_text(const struct site *site)
{
	static const char *const forms[] = {"_explicit", "", ", OpenCL 1.x"};
	static char text[160];

	snprintf(text, sizeof(text), "%s%s%s of %s, result %s", oclmm_operation_stem(site->op),
	         forms[site->form], site->by_one ? " by one" : "", oclmm_type_name(site->type),
	         site->used ? "used" : "unused");
	return text;
}

static void account(const struct entry *entry, bool list)
{
	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		const char *hidden = mistake_hidden((enum mistake)m, &entry->site);
		const char *word = mistake_word((enum mistake)m);

		if (!mistake_concerns((enum mistake)m, &entry->site))
			continue;
		if (hidden && entry->told[m] != TOLD_NOT)
			complain(site_text(&entry->site), "%s is called hidden, but %s shows it",
			         word, entry->by[m]);
		else if (!hidden && entry->told[m] == TOLD_NOT)
			complain(site_text(&entry->site), "nothing shows %s: %s", word,
			         mistake_description((enum mistake)m));
		if (list)
			printf("%s: %s: %s\n", site_text(&entry->site), word,
			       hidden ? hidden : entry->by[m]);
	}
}

int main(int argc, char **argv)
{
	struct lines lines = {0};

	if (argc < 3)
		return 2;
	add_all();
	lines_read(&lines, argv[1], argv[2]);
	if (visit_folder(argv[1], check_file, &lines) == 0)
		return 1;
	for (size_t i = 0; i < entry_count; i++)
		account(&entries[i], argc > 3 && strcmp(argv[3], "--list") == 0);
	lines_finish(&lines);
	return complaints != 0;
}

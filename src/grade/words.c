// SPDX-License-Identifier: Apache-2.0
#include "oclmm/grade.h"

const char *oclmm_class_word(enum oclmm_class support)
{
	static const char *const words[] = {OCLMM_CLASSES(OCLMM_LIST_FIRST)};

	return words[support];
}

const char *oclmm_verdict_word(enum oclmm_verdict verdict)
{
	static const char *const words[] = {OCLMM_VERDICTS(OCLMM_LIST_FIRST)};

	return words[verdict];
}

const char *oclmm_verdict_meaning(enum oclmm_verdict verdict)
{
	static const char *const meanings[] = {OCLMM_VERDICTS(OCLMM_LIST_SECOND)};

	return meanings[verdict];
}

const char *oclmm_confidence_word(enum oclmm_confidence confidence)
{
	static const char *const words[] = {OCLMM_CONFIDENCES(OCLMM_LIST_FIRST)};

	return words[confidence];
}

const char *oclmm_confidence_meaning(enum oclmm_confidence confidence)
{
	static const char *const meanings[] = {OCLMM_CONFIDENCES(OCLMM_LIST_SECOND)};

	return meanings[confidence];
}

const char *oclmm_requirement_word(enum oclmm_requirement requirement)
{
	static const char *const words[] = {OCLMM_REQUIREMENTS(OCLMM_LIST_FIRST)};

	return words[requirement];
}

bool oclmm_verdict_is_infrastructure(enum oclmm_verdict verdict)
{
	return verdict == OCLMM_VERDICT_BUILD_FAILED || verdict == OCLMM_VERDICT_CRASH ||
	       verdict == OCLMM_VERDICT_TIMEOUT || verdict == OCLMM_VERDICT_LOST;
}

void oclmm_record_argument(struct oclmm_text *text, const struct oclmm_record *record)
{
	struct oclmm_text word = {0};

	if (record->path)
		oclmm_text_printf(&word, "%s:", record->path);
	oclmm_text_add(&word, record->program->name);
	/* no option, whatever it begins with */
	oclmm_text_add(text, *oclmm_text_string(&word) == '-' ? "-- " : "");
	oclmm_text_add_quoted(text, oclmm_text_string(&word));
	oclmm_text_finish(&word);
}

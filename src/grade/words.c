// SPDX-License-Identifier: Apache-2.0
#include "oclmm/grade.h"

OCLMM_LOOK_UP(const char *, oclmm_class_word, oclmm_class, OCLMM_CLASSES, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_verdict_word, oclmm_verdict, OCLMM_VERDICTS, FIRST);
OCLMM_FIND(oclmm_verdict_find, oclmm_verdict, OCLMM_VERDICTS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_verdict_meaning, oclmm_verdict, OCLMM_VERDICTS, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_confidence_word, oclmm_confidence, OCLMM_CONFIDENCES, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_confidence_meaning, oclmm_confidence, OCLMM_CONFIDENCES, SECOND);
OCLMM_LOOK_UP(const char *, oclmm_requirement_word, oclmm_requirement, OCLMM_REQUIREMENTS, FIRST);
OCLMM_FIND(oclmm_requirement_find, oclmm_requirement, OCLMM_REQUIREMENTS, FIRST);

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

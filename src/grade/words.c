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

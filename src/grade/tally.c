// SPDX-License-Identifier: Apache-2.0
#include "oclmm/grade.h"

static void add_confidence(struct oclmm_tally *tally, const struct oclmm_control *control)
{
	tally->confidences[control->confidence]++;
	tally->likely += control->escape <= 0.05;
	tally->certain += control->escape <= 1e-5;
	tally->judged += control->confidence >= OCLMM_CONFIDENCE_REACHED &&
	                 control->confidence <= OCLMM_CONFIDENCE_NEVER_MET;
	if (control->confidence != OCLMM_CONFIDENCE_REACHED)
		return;
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		tally->reached[i] += control->kinds[i].confidence == OCLMM_CONFIDENCE_REACHED;
}

void oclmm_tally_add(struct oclmm_tally *tally, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;
	/* a known crash is no test that ran */
	bool ran = record->end == OCLMM_END_OK && grade->verdict != OCLMM_VERDICT_SKIP &&
	           !oclmm_verdict_is_infrastructure(grade->verdict);

	tally->verdicts[record->support][grade->verdict]++;
	if (grade->verdict == OCLMM_VERDICT_PASS || grade->verdict == OCLMM_VERDICT_INCONCLUSIVE)
		add_confidence(tally, &grade->control);
	tally->gating += ran && grade->gates;
	tally->gating_reached += ran && grade->gates && grade->verdict == OCLMM_VERDICT_PASS &&
	                         grade->control.confidence == OCLMM_CONFIDENCE_REACHED;
	tally->gating_forbidden += grade->gates && grade->verdict == OCLMM_VERDICT_FORBIDDEN;
	tally->gating_inconclusive += grade->gates && grade->verdict == OCLMM_VERDICT_INCONCLUSIVE;
	tally->gating_stale += grade->gates && grade->verdict == OCLMM_VERDICT_STALE;
	tally->gating_infrastructure += grade->gates &&
	                                oclmm_verdict_is_infrastructure(grade->verdict);
	tally->instances += grade->instances;
	tally->weak += grade->weak;
	if (record->stimulus)
		tally->stimulus ^= oclmm_random_derive(record->stimulus, record->program->name);
}

uint64_t oclmm_tally_verdict(const struct oclmm_tally *tally, enum oclmm_verdict verdict)
{
	uint64_t sum = 0;

	for (int class = 0; class < OCLMM_CLASS_COUNT; class ++)
		sum += tally->verdicts[class][verdict];
	return sum;
}

uint64_t oclmm_tally_tests(const struct oclmm_tally *tally)
{
	uint64_t sum = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++)
		sum += oclmm_tally_verdict(tally, (enum oclmm_verdict)verdict);
	return sum;
}

uint64_t oclmm_tally_infrastructure(const struct oclmm_tally *tally)
{
	uint64_t sum = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++) {
		if (oclmm_verdict_is_infrastructure((enum oclmm_verdict)verdict))
			sum += oclmm_tally_verdict(tally, (enum oclmm_verdict)verdict);
	}
	return sum;
}

static enum oclmm_exit exit_of_one(const struct oclmm_tally *tally, bool strict)
{
	if (tally->gating_forbidden)
		return OCLMM_EXIT_FORBIDDEN;
	if (strict && tally->gating_stale)
		return OCLMM_EXIT_FORBIDDEN;
	if (tally->gating_infrastructure || tally->interrupted)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (tally->unfinished)
		return OCLMM_EXIT_UNFINISHED;
	if (strict && tally->gating_inconclusive)
		return OCLMM_EXIT_INCONCLUSIVE;
	if (tally->gating == 0)
		return OCLMM_EXIT_NOTHING;
	/* silence that proves nothing is no pass, however it was asked for, and tests that cannot
	 * fail prove nothing */
	return tally->gating_reached ? OCLMM_EXIT_PASS : OCLMM_EXIT_INCONCLUSIVE;
}

static int rank(enum oclmm_exit status)
{
	static const enum oclmm_exit falling[] = {
		OCLMM_EXIT_FORBIDDEN,  OCLMM_EXIT_USAGE,        OCLMM_EXIT_INFRASTRUCTURE,
		OCLMM_EXIT_UNFINISHED, OCLMM_EXIT_INCONCLUSIVE, OCLMM_EXIT_NOTHING,
		OCLMM_EXIT_PASS,
	};
	int i = 0;

	while (falling[i] != status && falling[i] != OCLMM_EXIT_PASS)
		i++;
	return i;
}

static enum oclmm_exit worse(enum oclmm_exit a, enum oclmm_exit b)
{
	return rank(a) <= rank(b) ? a : b;
}

enum oclmm_exit oclmm_tally_exit(const struct oclmm_tally *tally, bool strict)
{
	enum oclmm_exit status = OCLMM_EXIT_PASS;

	if (tally->part_count == 0)
		return exit_of_one(tally, strict);
	for (size_t i = 0; i < tally->part_count; i++)
		status = worse(status, exit_of_one(&tally->parts[i], strict));
	/* of which device it was may not be known */
	if (tally->interrupted)
		status = worse(status, OCLMM_EXIT_INFRASTRUCTURE);
	if (tally->unfinished)
		status = worse(status, OCLMM_EXIT_UNFINISHED);
	return status;
}

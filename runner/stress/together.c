// SPDX-License-Identifier: Apache-2.0
/*
 * Launch after launch of one program or of several that are interleaved. All
 * are on one queue, which has a few launches ahead of the one that is awaited,
 * whichever session they belong to.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* ---- turns of environments --------------------------------------------------- */

/*
 * Which environment a block of launches is in. First all have equal turns; then time goes to them
 * by what they yield, with a floor for each, so that bugs of a kind that only one shows keep their
 * chance.
 *
 * What a share is decided by are earlier launches of those programs whose outcome is allowed, a
 * test's controls above all, and never what a test shows that may not show it: in every block a
 * test and its controls are in one environment, equally often and in an order that is drawn, so
 * that a choice which was made before the block favours none of them. Decisions are recorded, since
 * they depend on the device; a replay is given them.
 */

/* Blocks in one environment before the next one's turn, because a change costs a launch that sets
 * up. */
enum { TURN = 4 };
/* Turns of each environment before the first decision; not measured. */
enum { TRIALS = 5 };
/* The part of the time that is shared equally, whatever environments yield. */
static const double FLOOR = 0.2;

uint32_t oclmm_turn_of(const struct oclmm_turns *turns, uint32_t environments, uint64_t block)
{
	static const char name[] = "turns of environments";
	const struct oclmm_turn *turn = NULL;
	uint64_t drawn;
	uint32_t which = 0;

	for (uint32_t i = 0; i < turns->count && turns->at[i].block <= block; i++)
		turn = &turns->at[i];
	/* one block in each, so that a short run has seen them all, then some in a row */
	if (!turn)
		return (uint32_t)((block < environments ? block : block / TURN) % environments);
	/* not by the seed: a test has the same environments in whatever company it runs */
	drawn = oclmm_random_below(oclmm_random_derive(0, name), block / TURN, OCLMM_TURN_WHOLE);
	while (which + 1 < environments && drawn >= turn->share[which])
		drawn -= turn->share[which++];
	return which;
}

/* The block of the first decision, of launches that begin with this one. */
static uint64_t turns_first(uint32_t environments, uint64_t block)
{
	return block + (uint64_t)TRIALS * environments;
}

/* Of turns, so that each environment has its share of the time. */
static void fill_shares(const double *parts, uint32_t count, struct oclmm_turn *turn)
{
	uint32_t left = OCLMM_TURN_WHOLE, most = 0;
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += parts[i];
	for (uint32_t i = 0; i < count; i++) {
		double share = parts[i] / sum * OCLMM_TURN_WHOLE;

		turn->share[i] = share < 1 ? 1 : (uint16_t)share;
		most = turn->share[i] > turn->share[most] ? i : most;
		left -= turn->share[i];
	}
	/* what rounding left, or took */
	turn->share[most] = (uint16_t)(turn->share[most] + left);
}

/*
 * The rest of the time goes by the fourth power of what they yield in a second: of two of which one
 * yields half as much it has a sixteenth, so that the better one is at work nearly always (H200,
 * IRIW: 0.40 of what the best one yields alone by the second power, which gives a quarter; the
 * third was not measured).
 */
static double preference(double rate)
{
	return rate * rate * rate * rate;
}

bool oclmm_turns_decide(struct oclmm_turns *turns, const struct oclmm_yield *yields, uint32_t count,
                        uint64_t block)
{
	double rates[OCLMM_ENVIRONMENTS_MAX], parts[OCLMM_ENVIRONMENTS_MAX];
	double best = 0, sum = 0, seconds = 0;
	struct oclmm_turn turn = {.block = block};
	uint64_t launches = 0, hits = 0;
	bool yielded;

	if (count < 2 || turns->count == OCLMM_TURNS_MOST ||
	    (turns->count && turns->at[turns->count - 1].block >= block))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_yield *y = &yields[i];

		/* one more: a first hit is no rate yet */
		rates[i] = y->seconds > 0 ? ((double)y->hits + 1) / y->seconds : 0;
		best = rates[i] > best ? rates[i] : best;
		seconds += y->seconds;
		launches += y->launches;
		hits += y->hits;
	}
	yielded = hits > 0 && best > 0;
	/* said once, or a replay that fares better would decide where this run did not */
	if (!yielded && turns->count)
		return false;
	for (uint32_t i = 0; !yielded && i < count; i++)
		parts[i] = 1;
	for (uint32_t i = 0; yielded && i < count; i++)
		sum += preference(rates[i] / best);
	for (uint32_t i = 0; yielded && i < count; i++) {
		const struct oclmm_yield *y = &yields[i];
		double time = FLOOR / count + (1 - FLOOR) * preference(rates[i] / best) / sum;
		double each = y->launches && y->seconds > 0 ? y->seconds / (double)y->launches
		                                            : seconds / (double)launches;

		parts[i] = time / each;
	}
	fill_shares(parts, count, &turn);
	turns->at[turns->count++] = turn;
	return true;
}

/* ---- blocks ---- */

/*
 * Blocks of launches. What is compared shares a block, so that it shared its
 * conditions. One launch of each is the finest comparison; where launches are
 * very many, more of them stand in a block, and are still a small part of all.
 */

/* Blocks of one size before they double, and how often they do. */
enum { ALIKE = 64, DOUBLINGS = 6 };

/* The size of a launch's block as a power of two, and the first launch of that size. */
static unsigned doublings(uint64_t launch, uint64_t *ret_first)
{
	unsigned n = 0;

	while (n < DOUBLINGS && launch >= ALIKE * ((UINT64_C(2) << n) - 1))
		n++;
	*ret_first = ALIKE * ((UINT64_C(1) << n) - 1);
	return n;
}

uint64_t oclmm_block_of(uint64_t launch)
{
	uint64_t first;
	unsigned n = doublings(launch, &first);

	return (uint64_t)ALIKE * n + ((launch - first) >> n);
}

uint64_t oclmm_block_end(uint64_t launch)
{
	uint64_t first;
	unsigned n = doublings(launch, &first);

	return first + (((launch - first) >> n) + 1) * (UINT64_C(1) << n);
}

/* The order has a key of its own: drawn from a launch's, it would say what that launch does, and
 * test and control could be told apart by it. */
void oclmm_block_order(uint64_t seed, uint64_t launch, uint32_t count, uint32_t launches,
                       uint32_t *ret_order)
{
	uint64_t key = oclmm_random(oclmm_random_derive(seed, "order of a block"), launch);
	uint32_t places = count * launches;

	for (uint32_t i = 0; i < places; i++)
		ret_order[i] = i / launches;
	for (uint32_t i = places; i > 1; i--) {
		uint32_t other = (uint32_t)oclmm_random_below(key, i, i), kept = ret_order[i - 1];

		ret_order[i - 1] = ret_order[other];
		ret_order[other] = kept;
	}
}

/* ---- sessions ---- */

static enum oclmm_end end_of(int r)
{
	switch (r) {
	case 0: return OCLMM_END_OK;
	case -ENOTSUP:
	case -EINVAL: return OCLMM_END_UNSUPPORTED;
	case -ENOEXEC: return OCLMM_END_BUILD_FAILED;
	case -EBADMSG: return OCLMM_END_PRODUCER;
	case -ERANGE: return OCLMM_END_RESULTS_LOST;
	case -ENOMEM: return OCLMM_END_OUT_OF_MEMORY;
	case -ENODEV: return OCLMM_END_DEVICE_LOST;
	default: return OCLMM_END_DEVICE_ERROR;
	}
}

static int check_support(struct oclmm_session *session, struct oclmm_error *error)
{
	struct oclmm_features features;
	char missing[128];
	int r;

	if (oclmm_device_supports(session->device, session->program, missing, sizeof(missing)) ==
	    OCLMM_SUPPORT_UNSUPPORTED)
		return oclmm_error_set(error, -ENOTSUP, "the device lacks %s", missing);
	oclmm_program_features(session->program, &features);
	if (features.commands || session->program->shared)
		r = 0;
	else
		r = oclmm_kernel_plan(session->program, session->request->space, error,
		                      &session->plan);
	return r < 0 ? r
	             : oclmm_device_several(session->device, features.devices, error,
	                                    &session->device);
}

static struct oclmm_histogram *make_histogram(const struct oclmm_session *session)
{
	const struct oclmm_outcome_space *space = session->request->space;
	struct oclmm_histogram *histogram = oclmm_histogram_create(space->observable_count);
	int64_t *values = oclmm_calloc((size_t)space->observable_count + 1, sizeof(*values));

	oclmm_histogram_merge(histogram, session->histogram);
	for (uint32_t i = 0; i < space->size; i++) {
		if (session->totals[i] == 0)
			continue;
		oclmm_outcome_values(space, i, values);
		oclmm_histogram_add(histogram, values, session->totals[i]);
	}
	if (session->cut > 0)
		oclmm_histogram_add_cut(histogram, session->cut);
	free(values);
	return histogram;
}

static void session_take(const struct oclmm_session *session, struct oclmm_run_result *result)
{
	struct oclmm_counts *counts = &result->counts;

	if (!session->launches)
		return;
	counts->histogram = make_histogram(session);
	counts->instances = session->instances;
	counts->launches = session->launches;
	counts->looked = session->looked;
	counts->stimulus = session->stimulus;
	counts->halved = session->halved.count;
	counts->halved_at = session->halved;
	counts->turns = session->turns;
	counts->waits = session->waits;
	result->other_count = session->kept;
}

static void session_close(struct oclmm_session *session)
{
	if (session->playing)
		session->playing->close(session);
	oclmm_histogram_destroy(session->histogram);
	oclmm_seen_finish(&session->shown);
	free(session->numbers);
	free(session->totals);
	free(session->sought);
}

/* The outcomes of the space that are sought, by their numbers. */
static void list_sought(struct oclmm_session *session)
{
	const struct oclmm_run_request *request = session->request;
	const struct oclmm_outcome_space *space = request->space;
	int64_t *values;

	if (!request->is_sought || session->environment_count < 2)
		return;
	values = oclmm_calloc((size_t)space->observable_count + 1, sizeof(*values));
	session->sought = oclmm_calloc((size_t)space->size + 1, sizeof(*session->sought));
	for (uint32_t i = 0; i < space->size; i++) {
		oclmm_outcome_values(space, i, values);
		if (request->is_sought(request->sought_data, values))
			session->sought[session->sought_count++] = i;
	}
	free(values);
}

static uint64_t count_sought(const struct oclmm_session *session)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < session->sought_count; i++)
		count += session->totals[session->sought[i]];
	return count;
}

static int session_open(struct oclmm_session *session, struct oclmm_device *device,
                        const struct oclmm_run_request *request, struct oclmm_error *error,
                        struct oclmm_run_result *result)
{
	int r;

	session->device = device;
	session->request = request;
	session->program = request->program;
	session->stimulus = request->stimulus;
	session->turns = request->turns;
	session->playing = oclmm_program_has_commands(request->program) ? &oclmm_playing_commands
	                   : request->program->shared                   ? &oclmm_playing_whole
	                                                                : &oclmm_playing_roles;
	r = check_support(session, error);
	if (r == 0)
		r = session->playing->open(session, error, result);
	if (r < 0)
		return r;
	session->totals = oclmm_calloc((size_t)session->plan.outcomes + 1, sizeof(uint64_t));
	session->numbers = oclmm_calloc((size_t)session->plan.outcomes + 1, 1);
	session->shown.width = session->plan.observables;
	session->histogram = oclmm_histogram_create(request->space->observable_count);
	list_sought(session);
	return 0;
}

void oclmm_run_result_finish(struct oclmm_run_result *result)
{
	if (!result)
		return;
	oclmm_histogram_destroy(result->counts.histogram);
	oclmm_seen_finish(&result->shown);
	free(result->build_log);
	memset(result, 0, sizeof(*result));
}

/* ---- launch after launch ---- */

/* Launches in a row that take long before the next ones are made smaller. */
enum { SLOW_ONES = 3 };

/* One of the programs. */
struct member {
	struct oclmm_session session;
	const struct oclmm_run_request *request;
	struct oclmm_run_end *end;
	struct oclmm_run_result *result;
	bool is_laid_out;                   /* its objects have a layout: … */
	struct oclmm_environment layout_of; /* … that of this one */
	uint64_t queued;                    /* launches */
	uint64_t sought;        /* outcomes that were read of what environments are chosen for */
	uint64_t hits;          /* of those blocks that were looked at … */
	size_t looked;          /* … which are so many of the session's */
	size_t looked_beside;   /* the same of the member that it stands beside */
	uint32_t judged;        /* outcomes of which it is known whether they are hits … */
	uint64_t wanted;        /* … and which of them are, as bits */
	uint32_t judged_beside; /* of the other member's outcomes, … */
	uint64_t met_beside;    /* … those by which its roles met */
};

/* All of them. */
struct group {
	struct member *members;
	struct oclmm_joint_built *joints; /* as many as members, if not all of them used */
	uint32_t count;
	uint64_t order;
	const struct oclmm_run_request *request; /* the first one's, which decides how long */
	struct oclmm_pace pace;
	uint32_t halvings; /* of the request's, those that were done */
	struct oclmm_turns turns;
	struct oclmm_yield yields[OCLMM_ENVIRONMENTS_MAX];
	uint64_t decision; /* the block before which turns are decided next; 0: not known yet */
	double start;
	/* Launches that were queued and not read, the oldest first. */
	struct in_flight {
		struct member *member;
		struct oclmm_slot *slot;
		uint32_t environment;
	} flying[OCLMM_SLOTS];
	uint32_t flying_count;
};

static bool is_well(const struct member *member)
{
	return member->end->end == OCLMM_END_OK;
}

static void fail(struct member *member, int r)
{
	if (r < 0)
		member->end->end = end_of(r);
}

/* Each message has all counts. So of outcomes that nobody foresaw, where each instance may show
 * another one, all are sent at once as long as they are few, and then whenever a share of them is
 * new. */
static bool has_news(const struct oclmm_session *session)
{
	enum { FEW = 4096, SOME = 8 };
	uint64_t fresh = session->kept - session->told;

	return session->news || (fresh && (session->told < FEW || fresh >= session->told / SOME));
}

/* At once: the driver may not live to the end. */
static void tell_news(struct member *member)
{
	struct oclmm_session *session = &member->session;
	struct oclmm_run_result result = {0};

	if (!has_news(session) || !member->request->news)
		return;
	session->news = false;
	session->told = session->kept;
	session_take(session, &result);
	member->request->news(member->request->progress_data, &result);
	oclmm_run_result_finish(&result);
}

/* Seconds since the first launch, without those in which kernels may still have been compiled. */
static double elapsed_of(const struct group *group)
{
	return oclmm_clock() - group->start - group->pace.cold;
}

static void report_progress(const struct group *group, const struct member *member)
{
	const struct oclmm_run_request *request = group->request;
	double elapsed = elapsed_of(group), fraction = 1;

	if (!request->progress)
		return;
	if (request->instances > 0)
		fraction = (double)member->session.instances / (double)request->instances;
	if (request->launches > 0 &&
	    (double)member->session.launches / (double)request->launches < fraction)
		fraction = (double)member->session.launches / (double)request->launches;
	if (request->seconds > 0 && elapsed / request->seconds < fraction)
		fraction = elapsed / request->seconds;
	request->progress(request->progress_data, fraction < 1 ? fraction : 1);
}

/* Reads the oldest launch. */
static void harvest(struct group *group)
{
	struct in_flight oldest = group->flying[0];
	struct member *member = oldest.member;
	struct oclmm_yield *yield;
	uint64_t sought;
	double busy;

	group->flying_count--;
	for (uint32_t i = 0; i < group->flying_count; i++)
		group->flying[i] = group->flying[i + 1];
	if (!is_well(member))
		return;
	busy = member->session.busy;
	if (member->session.playing->harvest)
		fail(member, member->session.playing->harvest(&member->session, oldest.slot,
		                                              &member->end->error));
	yield = &group->yields[oldest.environment];
	sought = count_sought(&member->session);
	/* the time of a cold one does not tell the time of those to come */
	if (!oldest.slot->cold) {
		yield->hits += sought - member->sought;
		yield->seconds += member->session.busy - busy;
		yield->launches++;
	}
	member->sought = sought;
	tell_news(member);
	report_progress(group, member);
}

static bool is_flying(const struct group *group, const struct oclmm_slot *slot)
{
	for (uint32_t i = 0; i < group->flying_count; i++) {
		if (group->flying[i].slot == slot)
			return true;
	}
	return false;
}

/* Its slots in turn; one whose launch is still on its way is read first, with those before it. */
static struct oclmm_slot *free_slot(struct group *group, struct member *member)
{
	struct oclmm_slot *slot = &member->session.slots[member->queued % OCLMM_SLOTS];

	while (group->flying_count == OCLMM_SLOTS || is_flying(group, slot))
		harvest(group);
	return slot;
}

static bool is_laid_out(const struct member *member, const struct oclmm_environment *environment)
{
	return member->is_laid_out &&
	       oclmm_layout_covers(&member->layout_of, environment, member->session.program);
}

static void launch(struct group *group, struct member *member, uint32_t which, uint64_t number)
{
	struct oclmm_session *session = &member->session;
	struct oclmm_environment environment;
	struct oclmm_slot *slot = free_slot(group, member);
	struct oclmm_error *error = &member->end->error;
	int r = 0;

	if (!is_well(member))
		return;
	slot->block = oclmm_block_of(number);
	environment = oclmm_environment_form(&session->environments[which], &session->plan,
	                                     session->environment_count, slot->block);
	/* slots that no launch has restored hold what another layout left there */
	if (session->playing->initialise && !is_laid_out(member, &environment)) {
		r = session->playing->initialise(session, &environment, slot, error);
		member->is_laid_out = true;
		member->layout_of = environment;
	}
	if (r == 0)
		r = session->playing->launch(session, &environment, which, slot, number, error);
	fail(member, r);
	if (r < 0)
		return;
	group->flying[group->flying_count++] = (struct in_flight){member, slot, which};
	member->queued++;
}

/* Half of the instances, and of the stress beside them. \return whether the shape changed. */
static bool shrink_session(struct oclmm_session *session)
{
	bool smaller = false;

	for (uint32_t i = 0; i < session->environment_count; i++) {
		struct oclmm_environment *e = &session->environments[i];
		unsigned text = oclmm_text_of(e, &session->plan);
		uint32_t rounds = e->rounds;

		smaller |= e->stress > 1;
		e->rounds = rounds > 1 ? rounds / 2 : 1;
		/* only the texts that the run began with are built */
		if (oclmm_text_of(e, &session->plan) != text)
			e->rounds = rounds;
		smaller |= e->rounds != rounds;
		/* a launch without any is of another text */
		e->stress -= e->stress / 2;
		e->queue_stress /= 2;
	}
	return smaller;
}

static void shrink_member(struct member *member, uint64_t number)
{
	struct oclmm_halvings *halved = &member->session.halved;

	if (!is_well(member) || !shrink_session(&member->session))
		return;
	member->is_laid_out = false;
	/* those of launches before the first one are told there */
	if (number >= member->request->first_launch && halved->count < OCLMM_HALVINGS_MOST)
		halved->at[halved->count++] = number;
}

static void shrink_all(struct group *group, uint64_t number)
{
	for (uint32_t i = 0; i < group->count; i++)
		shrink_member(&group->members[i], number);
}

/*
 * Drivers have watchdogs that end a launch of a few seconds without a word. A
 * device this slow gets smaller launches, of all members alike; on all others
 * the launches depend on the seed alone. A busy machine, which now and then holds
 * up the program or the device, is no slow device: what was launched meanwhile is
 * done by then, and the next one seems quick. What an earlier run halved is halved
 * again at the same launches.
 */
static void shrink(struct group *group, uint64_t number)
{
	const struct oclmm_run_request *request = group->request;
	const struct oclmm_halvings *halvings = &request->halvings;

	for (; group->halvings < halvings->count && halvings->at[group->halvings] <= number;
	     group->halvings++)
		shrink_all(group, halvings->at[group->halvings]);
	if (request->halvings_given || group->pace.slow < SLOW_ONES)
		return;
	shrink_all(group, number);
	group->pace.slow = 0;
}

static uint32_t environment_of(const struct group *group, const struct member *member,
                               uint64_t number)
{
	return oclmm_turn_of(&group->turns, member->session.environment_count,
	                     oclmm_block_of(number));
}

/* Before a block: by what the environments have yielded so far, now and then. */
static void decide_turns(struct group *group, const struct member *member, uint64_t number)
{
	uint32_t environments = member->session.environment_count;
	uint64_t block = oclmm_block_of(number),
		 first = oclmm_block_of(group->request->first_launch);

	if (group->decision == 0)
		group->decision = turns_first(environments, first);
	if (group->request->turns_given || environments < 2 || block < group->decision)
		return;
	group->decision = turns_first(environments, block + (block - first));
	if (!oclmm_turns_decide(&group->turns, group->yields, environments, block))
		return;
	for (uint32_t i = 0; i < group->count; i++)
		group->members[i].session.turns = group->turns;
}

/* Asks of each outcome once whether it is what the member is there for, and of those of the other
 * one whether its roles met. */
static void judge_outcomes(struct member *member, const struct member *beside)
{
	const struct oclmm_run_request *request = member->request;
	const struct oclmm_seen *shown = &member->session.shown;

	for (; member->judged < shown->outcomes; member->judged++) {
		const int64_t *values = shown->values + (size_t)member->judged * shown->width;

		if (request->is_hit(request->hit_data, values))
			member->wanted |= UINT64_C(1) << member->judged;
	}
	shown = beside ? &beside->session.shown : NULL;
	for (; shown && member->judged_beside < shown->outcomes; member->judged_beside++) {
		if (request->has_met(request->hit_data,
		                     shown->values + (size_t)member->judged_beside * shown->width))
			member->met_beside |= UINT64_C(1) << member->judged_beside;
	}
}

/* Whether the other member met in a block that all of its launches were read of. */
static bool met_beside(struct member *member, const struct member *beside, uint64_t block)
{
	const struct oclmm_seen *shown = &beside->session.shown;
	bool met = false;

	while (member->looked_beside < shown->count &&
	       shown->launches[member->looked_beside].block < block)
		member->looked_beside++;
	for (size_t i = member->looked_beside;
	     i < shown->count && shown->launches[i].block == block; i++)
		met |= (shown->launches[i].mask & member->met_beside) != 0;
	return met;
}

static bool is_read(const struct member *beside, uint64_t block)
{
	const struct oclmm_seen *shown = &beside->session.shown;

	return !is_well(beside) ||
	       (shown->count > 0 && shown->launches[shown->count - 1].block > block);
}

/* The member whose silence is held against what this one shows; NULL: whether it met is no
 * question. */
static const struct member *find_beside(const struct group *group, const struct member *member)
{
	for (uint32_t i = 0; member->request->has_met && i < group->count; i++)
		if (group->members[i].request->program == member->request->beside)
			return &group->members[i];
	return NULL;
}

/* Whether it has shown what it is there for. More may come to the last block that was read. */
static bool has_shown(const struct group *group, struct member *member)
{
	const struct oclmm_seen *shown = &member->session.shown;
	const struct member *beside = find_beside(group, member);

	if (!member->request->enough_hits)
		return false;
	judge_outcomes(member, beside);
	for (; member->looked + 1 < shown->count; member->looked++) {
		const struct oclmm_seen_launches *launches = &shown->launches[member->looked];
		bool hit = (launches->mask & member->wanted) != 0;

		if (beside && !is_read(beside, launches->block))
			break;
		if (hit && (!beside || met_beside(member, beside, launches->block)))
			member->hits += launches->launches;
	}
	return member->hits >= member->request->enough_hits;
}

/* The members that go on and have not shown all that is asked of them, before the others. */
static uint32_t list_well(const struct group *group, struct member **ret_members)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < group->count; i++) {
		if (is_well(&group->members[i]) && !has_shown(group, &group->members[i]))
			ret_members[count++] = &group->members[i];
	}
	return count;
}

/* Queues equally many launches of all members, from `number` to before `end`. */
static void play_block(struct group *group, struct member **well, uint32_t count, uint64_t number,
                       uint64_t end)
{
	uint64_t *next = oclmm_calloc(count, sizeof(*next));
	uint32_t launches = (uint32_t)(end - number), environment;
	uint32_t *order = oclmm_calloc((size_t)count * launches, sizeof(*order));

	shrink(group, number);
	environment = environment_of(group, well[0], number);
	oclmm_block_order(group->order, number, count, launches, order);
	for (uint32_t i = 0; i < count * launches; i++) {
		struct member *member = well[order[i]];

		if (is_well(member))
			launch(group, member, environment, number + next[order[i]]++);
	}
	free(order);
	free(next);
}

static bool is_enough(const struct group *group, const struct member *member)
{
	const struct oclmm_run_request *request = group->request;
	double elapsed = elapsed_of(group);

	if (member->queued == 0)
		return false;
	if (request->seconds > 0 && elapsed < request->seconds)
		return false;
	return member->session.queued >= request->instances && member->queued >= request->launches;
}

/* How much of a block is wanted: all of it in a run that only time bounds. */
static uint64_t end_of_block(const struct group *group, const struct member *member,
                             uint64_t number)
{
	const struct oclmm_run_request *request = group->request;
	uint64_t end = oclmm_block_end(number), missing = 1, each;

	if (request->seconds > 0)
		return end;
	each = oclmm_environment_instances(
		&member->session.environments[environment_of(group, member, number)]);
	if (request->instances > member->session.queued)
		missing = (request->instances - member->session.queued + each - 1) / each;
	if (request->launches > member->queued && request->launches - member->queued > missing)
		missing = request->launches - member->queued;
	return end - number < missing ? end : number + missing;
}

static void play(struct group *group)
{
	struct member **well = oclmm_calloc((size_t)group->count + 1, sizeof(struct member *));
	uint64_t number = group->request->first_launch, end;
	uint32_t count;

	if (group->request->plays)
		group->request->plays(group->request->progress_data);
	group->start = oclmm_clock();
	while ((count = list_well(group, well)) > 0 && !is_enough(group, well[0])) {
		decide_turns(group, well[0], number);
		end = end_of_block(group, well[0], number);
		play_block(group, well, count, number, end);
		number = end;
	}
	while (group->flying_count)
		harvest(group);
	for (uint32_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];

		if (is_well(member) && member->session.playing->check)
			fail(member,
			     member->session.playing->check(&member->session, &member->end->error));
	}
	free(well);
}

/* Gives each member its share of the time by the clock, as it used the device. What its first
 * launches took is time of its compiler, unless there were no others. */
static void share_seconds(struct group *group)
{
	double whole = elapsed_of(group), busy = 0;

	for (uint32_t i = 0; i < group->count; i++)
		busy += group->members[i].session.busy;
	for (uint32_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];

		if (busy > 0) {
			member->result->counts.seconds = whole * member->session.busy / busy;
			member->result->counts.compile_seconds += member->session.cold;
		} else {
			member->result->counts.seconds = member->session.cold;
		}
	}
}

/* Those of one text share what is built of it. */
static void join_text(struct group *group, struct member *member)
{
	struct oclmm_joint_built *built = group->joints;

	if (!member->request->joint)
		return;
	while (built->joint && built->joint != member->request->joint)
		built++;
	built->joint = member->request->joint;
	member->session.joint = built;
}

static void begin(struct group *group, struct member *member, struct oclmm_device *device)
{
	const struct oclmm_run_request *request = member->request;

	*member->end = (struct oclmm_run_end){.end = OCLMM_END_OK};
	*member->result = (struct oclmm_run_result){0};
	if (request->begins)
		request->begins(request->progress_data);
	fail(member,
	     session_open(&member->session, device, request, &member->end->error, member->result));
	member->session.pace = &group->pace;
	/* opening it ends with the objects of its first environment */
	member->is_laid_out = true;
	member->layout_of = member->session.environments[0];
}

/* In a drawn order: a driver that makes each second program, kernel or buffer in another way must
 * not always make the test's so. */
static void begin_all(struct group *group, struct oclmm_device *device)
{
	uint32_t *order = oclmm_calloc(group->count, sizeof(*order));

	oclmm_block_order(oclmm_random_derive(group->order, "order of programs"), 0, group->count,
	                  1, order);
	for (uint32_t i = 0; i < group->count; i++)
		begin(group, &group->members[order[i]], device);
	free(order);
}

static void release_joint(struct oclmm_joint_built *built)
{
	for (int i = 0; i < OCLMM_TEXTS; i++)
		if (built->texts[i].program)
			clReleaseProgram(built->texts[i].program);
}

void oclmm_run_together(struct oclmm_device *device, const struct oclmm_run_request *requests,
                        uint32_t count, uint64_t order, struct oclmm_run_end *ret_ends,
                        struct oclmm_run_result *ret_results)
{
	struct group group = {
		.members = oclmm_calloc(count, sizeof(*group.members)),
		.joints = oclmm_calloc(count, sizeof(*group.joints)),
		.count = count,
		.order = order,
		.request = requests,
	};

	for (uint32_t i = 0; i < count; i++)
		group.members[i] = (struct member){
			.request = &requests[i],
			.end = &ret_ends[i],
			.result = &ret_results[i],
		};
	for (uint32_t i = 0; i < count; i++)
		join_text(&group, &group.members[i]);
	begin_all(&group, device);
	group.turns = requests[0].turns;
	if (!requests[0].build_only) {
		play(&group);
		share_seconds(&group);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct member *member = &group.members[i];

		session_take(&member->session, member->result);
		member->result->shown = member->session.shown;
		member->session.shown = (struct oclmm_seen){0};
		session_close(&member->session);
	}
	for (uint32_t i = 0; i < count; i++)
		release_joint(&group.joints[i]);
	free(group.joints);
	free(group.members);
}

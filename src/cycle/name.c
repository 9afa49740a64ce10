// SPDX-License-Identifier: Apache-2.0
/* The shapes that have names, the names of tests by the rules of the field, and all cycles of a
 * size. */
#include "internal.h"

static const struct oclmm_shape shapes[] = {
	{"CoWW", "PosWW Coi", "Coherence: do two stores of one work-item stay in order?"},
	{"CoRW1", "PosRW Rfi", "Coherence: may a load see the store that follows it?"},
	{"CoRR", "Rfe PosRR Fre", "Coherence: may a later load see an older value?"},
	{"CoRW2", "Rfe PosRW Coe",
         "Coherence: may a store land before what was read just before it?"},
	{"CoWR", "Coe PosWR Fre", "Coherence: may a load miss the store just before it?"},
	{"MP", "PodWW Rfe PodRR Fre",
         "Message passing: does whoever sees the flag see the data, too?"},
	{"SB", "PodWR Fre PodWR Fre",
         "Store buffering: may both loads miss the other side's store?"},
	{"LB", "PodRW Rfe PodRW Rfe",
         "Load buffering: may both loads see the store that follows the other?"},
	{"S", "PodWW Rfe PodRW Coe",
         "S: may a store after the read of a flag land before what precedes the flag?"},
	{"R", "PodWW Coe PodWR Fre",
         "R: a flag is overtaken: may the load after it miss the data?"},
	{"2+2W", "PodWW Coe PodWW Coe",
         "Two and two writes: may each side's first store be the last?"},
	{"WRC", "Rfe PodRW Rfe PodRR Fre",
         "Write to read causality: does the third see what the second saw?"},
	{"RWC", "Rfe PodRR Fre PodWR Fre",
         "Read to write causality: may a store be seen by one and missed by another?"},
	{"WWC", "Rfe PodRW Rfe PodRW Coe",
         "Write to write causality: may the last store land before the first?"},
	{"WRR+2W", "Rfe PodRR Fre PodWW Coe", "May a store be seen early and land late?"},
	{"WRW+WR", "Rfe PodRW Coe PodWR Fre", "May a store be seen early and missed late?"},
	{"WRW+2W", "Rfe PodRW Coe PodWW Coe", "May a store be seen early and land last?"},
	{"IRIW", "Rfe PodRR Fre Rfe PodRR Fre",
         "Independent reads of independent writes: do two readers see two stores in one order?"},
	{"IRRWIW", "Rfe PodRR Fre Rfe PodRW Coe",
         "Do a reader and a writer see two stores in one order?"},
	{"IRWIW", "Rfe PodRW Coe Rfe PodRW Coe", "Do two writers see two stores in one order?"},
	{"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre", "Is message passing transitive?"},
	{"W+RWC", "PodWW Rfe PodRR Fre PodWR Fre",
         "Do three threads with a flag and a race agree?"},
	{"Z6.0", "PodWW Rfe PodRW Coe PodWR Fre", "Does a flag that is overtaken carry the data?"},
	{"Z6.1", "PodWW Coe PodWW Rfe PodRW Coe", "Three writers and a flag: do they agree?"},
	{"Z6.2", "PodWW Rfe PodRW Rfe PodRW Coe",
         "A chain of flags: may the last store land first?"},
	{"Z6.3", "PodWW Coe PodWW Rfe PodRR Fre",
         "A flag after an overtaken one: does it carry the data?"},
	{"Z6.4", "PodWW Coe PodWR Fre PodWR Fre", "Do three threads of stores and loads agree?"},
	{"Z6.5", "PodWW Coe PodWW Coe PodWR Fre", "Do three threads, two of them writers, agree?"},
	{"3.2W", "PodWW Coe PodWW Coe PodWW Coe",
         "Three times two writes: may each side's first store be the last?"},
	{"3.SB", "PodWR Fre PodWR Fre PodWR Fre",
         "Store buffering of three: may all loads miss the next one's store?"},
	{"3.LB", "PodRW Rfe PodRW Rfe PodRW Rfe",
         "Load buffering of three: may all loads see a store that follows?"},
};

size_t oclmm_shapes(const struct oclmm_shape **ret_shapes)
{
	*ret_shapes = shapes;
	return OCLMM_COUNT(shapes);
}

/* ---- shapes ---- */

/* The edges from an access on; dependencies are program order. */
static void print_from(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned first)
{
	for (unsigned k = 0; k < cycle->count; k++) {
		struct oclmm_link link = cycle->link[(first + k) % cycle->count];

		if (link.kind == OCLMM_LINK_DATA || link.kind == OCLMM_LINK_CTRL)
			link.kind = OCLMM_LINK_PO;
		oclmm_text_add(text, k ? " " : "");
		oclmm_link_print(text, &link);
	}
}

/* The shape that has a name, or NULL. */
static const struct oclmm_shape *find_shape(const struct oclmm_cycle *cycle)
{
	const struct oclmm_shape *found = NULL;
	struct oclmm_text text = {0};

	for (unsigned first = 0; first < cycle->count; first++) {
		text.length = 0;
		print_from(&text, cycle, first);
		for (size_t i = 0; !found && i < OCLMM_COUNT(shapes); i++) {
			if (strcmp(shapes[i].edges, oclmm_text_string(&text)) == 0)
				found = &shapes[i];
		}
	}
	oclmm_text_finish(&text);
	return found;
}

/* `W-rf-RW-co-WsR-fr`: the accesses of each thread, and how it is joined to the next. */
static void print_unnamed(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	static const char *const joints[] = {"rf", "fr", "co", "", "", "", "bar", "sbar"};

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];
		const struct oclmm_link *link = &cycle->link[i];

		oclmm_text_add(text, access->reads && access->writes ? "U"
		                     : access->writes                ? "W"
		                                                     : "R");
		if (link->external)
			oclmm_text_printf(text, "-%s%s", joints[link->kind],
			                  i + 1 < cycle->count ? "-" : "");
		else if (link->same)
			oclmm_text_add(text, "s");
	}
}

void oclmm_cycle_shape(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	const struct oclmm_shape *shape = find_shape(cycle);

	if (shape)
		oclmm_text_add(text, shape->name);
	else
		print_unnamed(text, cycle);
}

const char *oclmm_cycle_question(const struct oclmm_cycle *cycle)
{
	const struct oclmm_shape *shape = find_shape(cycle);

	return shape ? shape->question : "May all edges of this cycle hold at once?";
}

/* ---- what threads add ---- */

/* The scope that every access and fence has, or NONE where they differ. */
static enum oclmm_scope common_scope(const struct oclmm_cycle *cycle)
{
	enum oclmm_scope usual = oclmm_cycle_default_scope(cycle), common = OCLMM_SCOPE_NONE;

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];
		enum oclmm_scope mine = access->scope ? access->scope : usual;

		if (access->order == OCLMM_ORDER_NONE || access->legacy)
			continue;
		if (common && common != mine)
			return OCLMM_SCOPE_NONE;
		common = mine;
		for (unsigned k = 0; k < access->fence_count; k++) {
			const struct oclmm_cycle_fence *fence = &access->fences[k];

			if (fence->kind == OCLMM_CYCLE_FENCE_FENCE &&
			    (fence->scope ? fence->scope : usual) != common)
				return OCLMM_SCOPE_NONE;
		}
	}
	return common;
}

static void print_scope(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        enum oclmm_scope scope)
{
	if (scope && scope != oclmm_cycle_default_scope(cycle) && !common_scope(cycle))
		oclmm_text_printf(text, "-%s", oclmm_scope_short(scope));
}

static void print_access(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_access *access = &cycle->access[i];
	bool operation = access->update || access->op;

	if (operation)
		oclmm_text_add(text, oclmm_cycle_operation_word(access->op));
	if (access->fails)
		oclmm_text_add(text, "-fail");
	if (access->legacy)
		oclmm_text_add(text, "-legacy");
	else if (!operation || access->order != OCLMM_ORDER_RELAXED)
		oclmm_text_printf(text, "%s%s", operation ? "-" : "",
		                  oclmm_order_short(access->order));
	print_scope(text, cycle, access->scope);
}

static void print_fence(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        const struct oclmm_cycle_fence *fence)
{
	if (fence->kind != OCLMM_CYCLE_FENCE_FENCE)
		oclmm_text_add(text, oclmm_cycle_fence_function(fence->kind));
	else
		oclmm_text_add(text, "fence");
	if (fence->flags && fence->flags != oclmm_cycle_regions(cycle))
		oclmm_text_printf(text, "%s%s", fence->flags & OCLMM_FLAG_GLOBAL ? "G" : "",
		                  fence->flags & OCLMM_FLAG_LOCAL ? "L" : "");
	if (fence->order)
		oclmm_text_printf(text, "-%s", oclmm_order_short(fence->order));
	print_scope(text, cycle, fence->scope);
}

/* The words of one thread, and whether two neighbours are the same. */
struct thread_words {
	char word[2 * OCLMM_CYCLE_MAX][48];
	unsigned count;
	bool ordered; /* something stands between accesses */
};

static void add_word(struct thread_words *words, struct oclmm_text *text)
{
	if (words->count < OCLMM_COUNT(words->word) && text->length)
		snprintf(words->word[words->count++], sizeof(words->word[0]), "%s",
		         oclmm_text_string(text));
	text->length = 0;
}

static void collect(const struct oclmm_cycle *cycle, unsigned thread, struct thread_words *words)
{
	struct oclmm_text text = {0};

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];

		if (access->thread != thread)
			continue;
		print_access(&text, cycle, i);
		add_word(words, &text);
		if (cycle->link[i].kind == OCLMM_LINK_DATA ||
		    cycle->link[i].kind == OCLMM_LINK_CTRL) {
			oclmm_text_add(&text,
			               cycle->link[i].kind == OCLMM_LINK_DATA ? "data" : "ctrl");
			add_word(words, &text);
			words->ordered = true;
		}
		for (unsigned k = 0; k < access->fence_count; k++) {
			print_fence(&text, cycle, &access->fences[k]);
			add_word(words, &text);
			words->ordered = true;
		}
	}
	oclmm_text_finish(&text);
}

static bool is(const struct thread_words *words, unsigned i, const char *word)
{
	return strcmp(words->word[i], word) == 0;
}

/* Relaxed accesses are not named where everybody expects them: `rlx rel` is `rel`. */
static void print_words(struct oclmm_text *text, const struct thread_words *words)
{
	unsigned first = 0, last = words->count, same = 1;

	while (same < words->count && strcmp(words->word[same], words->word[0]) == 0)
		same++;
	if (same == words->count) {
		oclmm_text_add(text, words->word[0]);
		return;
	}
	if (words->ordered && last - first > 2) {
		bool inner = is(words, first, "rlx") && is(words, last - 1, "rlx");

		first += inner;
		last -= inner;
	} else if (last == 2 && is(words, 0, "rlx") && strncmp(words->word[1], "rel", 3) == 0) {
		first = 1;
	} else if (last == 2 && is(words, 1, "rlx") && strncmp(words->word[0], "acq", 3) == 0) {
		last = 1;
	}
	for (unsigned i = first; i < last; i++)
		oclmm_text_printf(text, "%s%s", i > first ? "-" : "", words->word[i]);
}

/* ---- what the whole adds ---- */

static void print_regions(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	unsigned regions = oclmm_cycle_regions(cycle);

	if (regions == OCLMM_FLAG_LOCAL)
		oclmm_text_add(text, "+local");
	for (unsigned i = 0;
	     regions == (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL) && i < cycle->location_count; i++)
		oclmm_text_printf(text, "%s%s", i ? "" : "+",
		                  cycle->location[i].space == OCLMM_SPACE_LOCAL ? "L" : "G");
	for (unsigned i = 0; i < cycle->location_count; i++) {
		const struct oclmm_cycle_location *location = &cycle->location[i];

		if (location->type != OCLMM_TYPE_INT && location->type != OCLMM_TYPE_FLAG)
			oclmm_text_printf(text, "+%s-%s", oclmm_cycle_location_name(i),
			                  oclmm_type_name(location->type));
	}
	if (oclmm_cycle_default_scope(cycle) == OCLMM_SCOPE_DEVICE && cycle->location[0].svm)
		oclmm_text_add(text, "+svm");
}

static void print_places(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	bool group = false, sub_group = false, other = false;

	for (unsigned i = 0; i < cycle->thread_count; i++) {
		other |= cycle->placement[i].host || cycle->placement[i].device;
		for (unsigned k = 0; k < i; k++) {
			group |= oclmm_same_work_group(&cycle->placement[i], &cycle->placement[k]);
			sub_group |= oclmm_same_sub_group(&cycle->placement[i],
			                                  &cycle->placement[k]);
		}
	}
	for (unsigned i = 0; (group || other) && i < cycle->thread_count; i++) {
		const struct oclmm_placement *placement = &cycle->placement[i];

		oclmm_text_add(text, i ? "" : "+wg");
		if (placement->host)
			oclmm_text_add(text, "h");
		else
			oclmm_text_printf(text, "%s%u", placement->device ? "d" : "",
			                  placement->work_group);
	}
	for (unsigned i = 0; sub_group && i < cycle->thread_count; i++)
		oclmm_text_printf(text, "%s%c", i ? "" : "-sg",
		                  cycle->placement[i].sub_group_given
		                          ? (int)('0' + cycle->placement[i].sub_group % 10)
		                          : '_');
}

static void print_name(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	enum oclmm_scope common = common_scope(cycle);

	oclmm_cycle_shape(text, cycle);
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		struct thread_words words = {.count = 0};

		collect(cycle, i, &words);
		oclmm_text_add(text, "+");
		print_words(text, &words);
	}
	if (common && common != oclmm_cycle_default_scope(cycle))
		oclmm_text_printf(text, "+%s", oclmm_scope_short(common));
	print_regions(text, cycle);
	print_places(text, cycle);
}

/* The format has room for 120 letters. */
void oclmm_cycle_name(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	enum { MOST = 120 };
	struct oclmm_text name = {0}, words = {0};

	print_name(&name, cycle);
	if (name.length > MOST) {
		oclmm_cycle_print(&words, cycle);
		name.length = 0;
		oclmm_text_printf(&name, "cycle-%016llx",
		                  (unsigned long long)oclmm_hash(oclmm_text_string(&words),
		                                                 words.length));
		oclmm_text_finish(&words);
	}
	oclmm_text_add(text, oclmm_text_string(&name));
	oclmm_text_finish(&name);
}

/* ---- all critical cycles of a size --------------------------------------------------- */

static const char *const alphabet[] = {"PodWW", "PodWR", "PodRW", "PodRR", "Rfe", "Fre", "Coe"};
enum { LETTERS = OCLMM_COUNT(alphabet) };

struct search {
	const struct oclmm_cycle_size *size;
	struct oclmm_link link[LETTERS];
	unsigned edge[OCLMM_CYCLE_MAX], count;
	int (*found)(void *data, const struct oclmm_cycle *cycle);
	void *data;
};

static bool is_program_order(const struct search *search, unsigned letter)
{
	return search->link[letter].kind == OCLMM_LINK_PO;
}

/* Of communication, only these two are not the same as one edge. */
static bool may_follow(const struct search *search, unsigned a, unsigned b)
{
	const struct oclmm_link *first = &search->link[a], *second = &search->link[b];

	if (first->to_write != second->from_write)
		return false;
	if (is_program_order(search, a) || is_program_order(search, b))
		return is_program_order(search, a) != is_program_order(search, b);
	return second->kind == OCLMM_LINK_RF &&
	       (first->kind == OCLMM_LINK_CO || first->kind == OCLMM_LINK_FR);
}

static unsigned edge_at(const struct search *search, unsigned i)
{
	return search->edge[i % search->count];
}

/* Of its rotations, the cycle stands for itself when none comes before it. */
static bool is_first_rotation(const struct search *search)
{
	for (unsigned turn = 1; turn < search->count; turn++) {
		for (unsigned i = 0; i < search->count; i++) {
			unsigned turned = edge_at(search, turn + i);

			if (turned < search->edge[i])
				return false;
			if (turned > search->edge[i])
				break;
		}
	}
	return true;
}

/* Runs of three edges of communication would be shorter as two. */
static bool has_long_run(const struct search *search)
{
	for (unsigned i = 0; i < search->count; i++) {
		if (!is_program_order(search, edge_at(search, i)) &&
		    !is_program_order(search, edge_at(search, i + 1)) &&
		    !is_program_order(search, edge_at(search, i + 2)))
			return true;
	}
	return false;
}

static unsigned changes(const struct search *search)
{
	unsigned count = 0;

	for (unsigned i = 0; i < search->count; i++)
		count += is_program_order(search, search->edge[i]);
	return count;
}

/* A shape that has a name begins where its name does. */
static int make(const struct search *search, struct oclmm_cycle *ret_cycle)
{
	struct oclmm_text words = {0};
	struct oclmm_cycle cycle;
	const struct oclmm_shape *shape;
	int r;

	for (unsigned i = 0; i < search->count; i++)
		oclmm_text_printf(&words, "%s ", alphabet[search->edge[i]]);
	r = oclmm_cycle_parse(oclmm_text_string(&words), NULL, &cycle);
	oclmm_text_finish(&words);
	if (r < 0)
		return r;
	shape = find_shape(&cycle);
	if (shape)
		return oclmm_cycle_parse(shape->edges, NULL, ret_cycle);
	*ret_cycle = cycle;
	return 0;
}

static bool fits(unsigned number, unsigned wanted)
{
	return !wanted || number == wanted;
}

static int consider(const struct search *search)
{
	struct oclmm_cycle cycle;
	unsigned orders = changes(search);

	if (!may_follow(search, search->edge[search->count - 1], search->edge[0]) || orders < 2 ||
	    has_long_run(search) || !is_first_rotation(search) ||
	    !fits(orders, search->size->locations) ||
	    !fits(search->count - orders, search->size->threads))
		return 0;
	return make(search, &cycle) < 0 ? 0 : search->found(search->data, &cycle);
}

static int extend(struct search *search)
{
	int r = 0;

	if (search->count == search->size->edges)
		return consider(search);
	for (unsigned letter = 0; r == 0 && letter < LETTERS; letter++) {
		if (search->count && !may_follow(search, search->edge[search->count - 1], letter))
			continue;
		search->edge[search->count++] = letter;
		r = extend(search);
		search->count--;
	}
	return r;
}

int oclmm_cycles(const struct oclmm_cycle_size *size,
                 int (*found)(void *data, const struct oclmm_cycle *cycle), void *data)
{
	struct search search = {.size = size, .found = found, .data = data};

	for (unsigned i = 0; i < LETTERS; i++)
		oclmm_link_find(alphabet[i], &search.link[i]);
	return size->edges && size->edges <= OCLMM_CYCLE_MAX ? extend(&search) : 0;
}

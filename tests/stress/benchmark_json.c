// SPDX-License-Identifier: Apache-2.0
/* The figures for programs. */
#include "benchmark.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static json_t *number(double x)
{
	return json_real(x);
}

static json_t *range(struct range r)
{
	if (r.count == 0)
		return json_null();
	return json_pack("{s:f, s:f, s:f, s:i}", "median", r.median, "min", r.min, "max", r.max,
	                 "repetitions", (int)r.count);
}

static json_t *figures(const struct figures *f)
{
	return json_pack("{s:o, s:o, s:I, s:I}", "instances_per_second", range(f->instances),
	                 "weak_per_second", range(f->weak), "instances", (json_int_t)f->total,
	                 "weak", (json_int_t)f->total_weak);
}

static json_t *environment(const struct oclmm_environment *e)
{
	json_t *object = json_object();

#define X(field, meaning) json_object_set_new(object, #field, json_integer(e->field));
	OCLMM_ENVIRONMENT(X)
#undef X
	return object;
}

static json_t *traffic(const struct limits *limits, enum footprint footprint)
{
	json_t *object = json_pack("{s:I}", "bytes", (json_int_t)limits->bytes[footprint]);

#define X(name, kernel, what)                                                                      \
	json_object_set_new(object, kernel "_per_second",                                          \
	                    range(limits->rate[TRAFFIC_##name][footprint]));
	TRAFFICS(X)
#undef X
	return object;
}

static json_t *limits_of(const struct limits *limits)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "launch_footprint",
	                 traffic(limits, FOOTPRINT_LAUNCH), "memory",
	                 traffic(limits, FOOTPRINT_MEMORY), "launch_one", range(limits->launch_one),
	                 "launch_wide", range(limits->launch_wide), "round_trip",
	                 range(limits->round_trip), "atomics_refused", limits->refused);
}

static json_t *by_hand(const struct by_hand *figures)
{
	json_t *array = json_array();

	for (int i = 0; i < HAND_COUNT; i++)
		if (figures[i].test)
			json_array_append_new(
				array,
				json_pack("{s:s, s:I, s:o, s:o}", "test", figures[i].test, "launch",
			                  (json_int_t)figures[i].launch, "instances_per_second",
			                  range(figures[i].instances), "weak_per_second",
			                  range(figures[i].weak)));
	return array;
}

static json_t *environments(const struct measured *m)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < m->environment_count; i++)
		json_array_append_new(array, json_pack("{s:o, s:o}", "environment",
		                                       environment(&m->environments[i]), "figures",
		                                       figures(&m->each[i])));
	return array;
}

static json_t *randomly(const struct randomly *r)
{
	if (r->tried == 0)
		return json_null();
	return json_pack("{s:i, s:i, s:f, s:o}", "tried", (int)r->tried, "showing", (int)r->showing,
	                 "best_weak_per_second", r->best, "best",
	                 r->showing ? environment(&r->environment) : json_null());
}

static json_t *cost(const struct cost *c)
{
	return json_pack("{s:i, s:i, s:i, s:i}", "loads", (int)c->loads, "stores", (int)c->stores,
	                 "updates", (int)c->updates, "bytes", (int)c->bytes);
}

static json_t *test(const struct report *report, const struct measured *m)
{
	json_t *object = json_pack("{s:s, s:b}", "name", m->name, "measured", (int)m->done);

	if (!m->done) {
		json_object_set_new(object, "reason", json_string(m->message));
		return object;
	}
	json_object_set_new(object, "in_turn", figures(&m->turn));
	json_object_set_new(object, "environments", environments(m));
	json_object_set_new(object, "best", json_integer(m->best));
	json_object_set_new(object, "best_alone", figures(&m->single));
	json_object_set_new(object, "seconds_to_3", range(m->to_three));
	json_object_set_new(object, "seconds_to_12", range(m->to_twelve));
	json_object_set_new(object, "forbidden", json_integer((json_int_t)m->forbidden));
	json_object_set_new(object, "compile_seconds_first", number(m->compile_first));
	json_object_set_new(object, "compile_seconds_again", range(m->compile_again));
	json_object_set_new(object, "cost", cost(&m->cost));
	json_object_set_new(object, "limit_launch_footprint",
	                    number(limit_of(report->limits, &m->cost, FOOTPRINT_LAUNCH)));
	json_object_set_new(object, "limit_memory",
	                    number(limit_of(report->limits, &m->cost, FOOTPRINT_MEMORY)));
	json_object_set_new(object, "random", randomly(&m->randomly));
	return object;
}

int report_write_json(const struct report *report, const char *path)
{
	const struct oclmm_device_info *d = report->device;
	json_t *tests = json_array();
	json_t *root;
	char *text;
	int r = -ENOMEM;

	for (unsigned i = 0; i < report->count; i++)
		json_array_append_new(tests, test(report, &report->measured[i]));
	root = json_pack("{s:s, s:s, s:s, s:i, s:f, s:I, s:o, s:o, s:o}", "platform", d->platform,
	                 "device", d->name, "driver", d->driver, "compute_units",
	                 (int)d->compute_units, "seconds_per_shape", report->bench->seconds, "seed",
	                 (json_int_t)report->bench->seed, "limits", limits_of(report->limits),
	                 "by_hand", by_hand(report->by_hand), "tests", tests);
	text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
	if (text)
		r = oclmm_write_file(path, text, strlen(text));
	free(text);
	json_decref(root);
	return r;
}

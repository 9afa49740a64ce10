// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <stdlib.h>

void set_string(json_t *object, const char *key, const char *value)
{
	json_object_set_new(object, key, json_string(value ? value : ""));
}

void print_json(struct oclmm_text *text, json_t *object)
{
	char *line = json_dumps(object, JSON_COMPACT);

	oclmm_text_printf(text, "%s\n", line ? line : "{}");
	free(line);
	json_decref(object);
}

static void set_number(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_printed(json_t *object, const char *key, struct oclmm_text *text)
{
	set_string(object, key, oclmm_text_string(text));
	oclmm_text_finish(text);
}

static void set_letter(json_t *object, const char *key, const struct oclmm_execution *x,
                       unsigned event)
{
	set_string(object, key, oclmm_event_letter(x, event).text);
}

static json_t *event_object(const struct oclmm_explanation *e, unsigned event)
{
	const struct oclmm_event *x = &e->execution->event[event];
	json_t *object = json_object();
	struct oclmm_text text = {0};

	set_letter(object, "event", e->execution, event);
	oclmm_event_print(&text, e->program, e->execution, event);
	set_printed(object, "text", &text);
	if (x->thread >= 0) {
		set_number(object, "thread", e->program->threads[x->thread].id);
		set_number(object, "line", x->position.line);
	}
	return object;
}

static json_t *events_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->execution->count; i++)
		json_array_append_new(array, event_object(e, i));
	return array;
}

static json_t *violation_object(const struct oclmm_explanation *e)
{
	const struct oclmm_violation *v = e->violation;
	json_t *object = json_object(), *steps = json_array();

	set_string(object, "axiom", oclmm_axiom_name(v->axiom));
	set_string(object, "rule", v->rule);
	set_string(object, "section", v->section);
	set_string(object, "why", v->why);
	for (unsigned i = 0; i < v->step_count; i++) {
		json_t *step = json_object();

		set_string(step, "edge", oclmm_edge_name(v->steps[i].edge));
		set_letter(step, "from", e->execution, v->steps[i].from);
		set_letter(step, "to", e->execution, v->steps[i].to);
		set_string(step, "why", v->steps[i].why);
		set_string(step, "section", v->steps[i].section);
		json_array_append_new(steps, step);
	}
	json_object_set_new(object, "steps", steps);
	return object;
}

static json_t *reading_object(const struct oclmm_reading *reading)
{
	json_t *object = json_object();

	set_string(object, "regime", oclmm_model_name(reading->regime));
	json_object_set_new(object, "alternatives", knobs_json(reading->alternatives));
	return object;
}

static json_t *readings_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->reading_count; i++) {
		json_t *object = reading_object(&e->readings[i].reading);

		set_string(object, "status", oclmm_status_word(e->readings[i].status));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *change_object(const struct oclmm_explanation *e, const struct oclmm_change *c)
{
	json_t *object = json_object(), *lines = json_array();

	set_string(object, "what", c->what);
	set_number(object, "edits", c->edits);
	set_string(object, "status", oclmm_status_word(c->status));
	for (unsigned i = 0; i < c->line_count; i++) {
		json_t *line = json_object();

		set_number(line, "thread", e->program->threads[c->lines[i].thread].id);
		set_number(line, "line", c->lines[i].line);
		if (c->lines[i].before)
			set_string(line, "before", c->lines[i].before);
		if (c->lines[i].after)
			set_string(line, "after", c->lines[i].after);
		json_array_append_new(lines, line);
	}
	json_object_set_new(object, "lines", lines);
	return object;
}

static json_t *changes_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->change_count; i++)
		json_array_append_new(array, change_object(e, &e->changes[i]));
	return array;
}

static json_t *failures_object(const struct oclmm_explanation *e)
{
	json_t *object = json_object();

	for (unsigned i = 0; i < e->failure_count; i++)
		set_number(object, oclmm_axiom_name(e->failures[i].axiom),
		           e->failures[i].executions);
	return object;
}

static void set_outcome(json_t *object, const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};

	if (e->values)
		oclmm_outcome_print(&text, e->program, e->values);
	else
		oclmm_condition_print(&text, e->program, e->program->condition);
	set_printed(object, "outcome", &text);
}

static void set_race(json_t *object, const struct oclmm_explanation *e)
{
	const struct oclmm_execution *x = e->execution;

	json_object_set_new(object, "race",
	                    json_pack("[s, s]", oclmm_event_letter(x, e->race_a).text,
	                              oclmm_event_letter(x, e->race_b).text));
}

static void set_allowing(json_t *object, const struct oclmm_explanation *e)
{
	json_t *allowing = reading_object(&e->allowing);

	set_string(allowing, "why", e->allowing_why);
	json_object_set_new(object, "allowing", allowing);
}

void explain_print_json(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	json_t *object = json_object();

	set_string(object, "test", e->program->name);
	set_string(object, "file", e->program->file);
	set_outcome(object, e);
	set_string(object, "model", oclmm_model_name(e->model));
	set_string(object, "status", oclmm_status_word(e->status));
	json_object_set_new(object, "reading", reading_object(&e->reading));
	json_object_set_new(object, "readings", readings_array(e));
	json_object_set_new(object, "deciding", knobs_json(e->deciding));
	if (e->allowing_why)
		set_allowing(object, e);
	if (e->execution)
		json_object_set_new(object, "events", events_array(e));
	if (e->violation)
		json_object_set_new(object, "violation", violation_object(e));
	if (e->witness)
		set_string(object, "undefined", oclmm_undefined_word(e->witness->reason));
	if (e->witness && e->execution)
		set_race(object, e);
	if (e->why)
		set_string(object, "why", e->why);
	set_number(object, "candidates", e->candidates);
	json_object_set_new(object, "candidates_cut", json_boolean(e->candidates_cut));
	json_object_set_new(object, "failures", failures_object(e));
	json_object_set_new(object, "changes", changes_array(e));
	set_number(object, "checks", e->checks);
	json_object_set_new(object, "changes_cut", json_boolean(e->changes_cut));
	print_json(text, object);
}

// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

static void set_letter(json_t *object, const char *key, const struct oclmm_execution *x,
                       unsigned event)
{
	json_put_text(object, key, oclmm_event_letter(x, event).text);
}

static json_t *event_object(const struct oclmm_explanation *e, unsigned event)
{
	const struct oclmm_event *x = &e->execution->event[event];
	json_t *object = json_object();
	struct oclmm_text text = {0};

	set_letter(object, "event", e->execution, event);
	oclmm_event_print(&text, e->program, e->execution, event);
	json_put_printed(object, "text", &text);
	if (x->thread >= 0) {
		json_put_count(object, "thread", e->program->threads[x->thread].id);
		json_put_count(object, "line", x->position.line);
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

	json_put_text(object, "axiom", oclmm_axiom_name(v->axiom));
	json_put_text(object, "rule", v->rule);
	json_put_text(object, "section", v->section);
	json_put_text(object, "why", v->why);
	for (unsigned i = 0; i < v->step_count; i++) {
		json_t *step = json_object();

		json_put_text(step, "edge", oclmm_edge_name(v->steps[i].edge));
		set_letter(step, "from", e->execution, v->steps[i].from);
		set_letter(step, "to", e->execution, v->steps[i].to);
		json_put_text(step, "why", v->steps[i].why);
		json_put_text(step, "section", v->steps[i].section);
		json_array_append_new(steps, step);
	}
	json_object_set_new(object, "steps", steps);
	return object;
}

static json_t *reading_object(const struct oclmm_reading *reading)
{
	json_t *object = json_object();

	json_put_text(object, "regime", oclmm_model_name(reading->regime));
	json_object_set_new(object, "alternatives", knobs_json(reading->alternatives));
	return object;
}

static json_t *readings_array(const struct oclmm_explanation *e)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < e->reading_count; i++) {
		json_t *object = reading_object(&e->readings[i].reading);

		json_put_text(object, "status", oclmm_status_word(e->readings[i].status));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *change_object(const struct oclmm_explanation *e, const struct oclmm_change *c)
{
	json_t *object = json_object(), *lines = json_array();

	json_put_text(object, "what", c->what);
	json_put_count(object, "edits", c->edits);
	json_put_text(object, "status", oclmm_status_word(c->status));
	for (unsigned i = 0; i < c->line_count; i++) {
		json_t *line = json_object();

		json_put_count(line, "thread", e->program->threads[c->lines[i].thread].id);
		json_put_count(line, "line", c->lines[i].line);
		if (c->lines[i].before)
			json_put_text(line, "before", c->lines[i].before);
		if (c->lines[i].after)
			json_put_text(line, "after", c->lines[i].after);
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
		json_put_count(object, oclmm_axiom_name(e->failures[i].axiom),
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
	json_put_printed(object, "outcome", &text);
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

	json_put_text(allowing, "why", e->allowing_why);
	json_object_set_new(object, "allowing", allowing);
}

void explain_print_json(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	json_t *object = json_object();

	json_put_text(object, "test", e->program->name);
	json_put_text(object, "file", e->program->file);
	set_outcome(object, e);
	json_put_text(object, "model", oclmm_model_name(e->model));
	json_put_text(object, "status", oclmm_status_word(e->status));
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
		json_put_text(object, "undefined", oclmm_undefined_word(e->witness->reason));
	if (e->witness && e->execution)
		set_race(object, e);
	if (e->why)
		json_put_text(object, "why", e->why);
	json_put_count(object, "candidates", e->candidates);
	json_put_flag(object, "candidates_cut", e->candidates_cut);
	json_object_set_new(object, "failures", failures_object(e));
	json_object_set_new(object, "changes", changes_array(e));
	json_put_count(object, "checks", e->checks);
	json_put_flag(object, "changes_cut", e->changes_cut);
	json_print_line(text, object);
}

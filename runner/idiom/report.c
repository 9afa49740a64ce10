// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/json.h"

static const char *form_word(enum idiom_form form)
{
	return form == IDIOM_PUBLISHED ? "as published" : "repaired";
}

/* ---- text ---- */

static void print_time(double seconds)
{
	if (seconds < 1e-6)
		printf("%.0f ns", seconds * 1e9);
	else if (seconds < 1e-3)
		printf("%.3g us", seconds * 1e6);
	else if (seconds < 1)
		printf("%.3g ms", seconds * 1e3);
	else
		printf("%.3g s", seconds);
}

static void print_shape(const struct idiom_result *result)
{
	if (!result->group_size)
		return;
	fputs("    ", stdout);
	if (result->sized)
		printf("%s, ", oclmm_counted(result->size, "element").text);
	if (result->steps)
		printf("%s, ", oclmm_counted(result->steps, "step").text);
	printf("%s of %" PRIu64, oclmm_counted(result->groups, "group").text, result->group_size);
	if (result->co_resident)
		printf(" (%" PRIu64 " run at the same time)", result->co_resident);
	putchar('\n');
}

static void print_rate(const struct idiom_result *result)
{
	double seconds = result->kernel;

	if (!(seconds > 0) || !result->bytes)
		return;
	if (result->barriers) {
		fputs("    ", stdout);
		print_time(seconds / (double)result->barriers);
		printf(" per barrier, %s", oclmm_counted(result->barriers, "barrier").text);
	} else {
		printf("    %.3g G elements/s, %.3g GB/s", (double)result->size / seconds * 1e-9,
		       (double)result->bytes / seconds * 1e-9);
		if (result->copy_rate > 0)
			printf(", %.3g %% of copying a buffer of this size (%.3g GB/s)",
			       100 * (double)result->bytes / seconds / result->copy_rate,
			       result->copy_rate * 1e-9);
	}
	putchar('\n');
}

static void print_times(const struct idiom_result *result)
{
	if (result->runs) {
		fputs("    kernels ", stdout);
		print_time(result->kernel);
		fputs(", until the answer is on the host ", stdout);
		print_time(result->wall);
		printf(" (median of %u)\n", result->runs);
	}
	print_rate(result);
	if (result->sequential > 0 && result->kernel > 0 && result->runs) {
		printf("    %.3g times as fast as one after another on the host (",
		       result->sequential / result->kernel);
		print_time(result->sequential);
		puts(")");
	}
	if (result->stress_runs)
		printf("    under stress: %u of %u right\n", result->stress_right,
		       result->stress_runs);
}

static void print_rows(const struct idiom_result *result)
{
	if (!result->row_count)
		return;
	printf("    %10s  %16s  %s\n", "group size", "groups at once", "work-items of a group");
	for (uint32_t i = 0; i < result->row_count; i++)
		printf("    %10" PRIu64 "  %16" PRIu64 "  %s\n", result->rows[i].group_size,
		       result->rows[i].groups,
		       result->rows[i].group_size == 1 ? "-"
		       : result->rows[i].together      ? "go on while others of it wait"
		                                       : "run one after another");
}

void idiom_report_text(const struct idiom_request *request, const struct idiom_result *result)
{
	bool probe = result->row_count > 0;

	printf("%-12s %s, %s\n",
	       probe && result->end == IDIOM_RIGHT ? "probed" : idiom_end_word(result->end),
	       request->program->name, form_word(request->form));
	if (*result->message)
		printf("    %s\n", oclmm_shown(result->message).text);
	if (result->end == IDIOM_WRONG && request->form == IDIOM_PUBLISHED)
		printf("    the published form is undefined by the memory model: no fault of the "
		       "device\n");
	if (!probe)
		print_shape(result);
	print_rows(result);
	if (*result->note)
		printf("    %s\n", oclmm_shown(result->note).text);
	print_times(result);
}

/* ---- JSON ---- */

static void set_time(json_t *object, const char *name, double seconds)
{
	if (seconds > 0)
		json_put_real(object, name, seconds);
}

static void set_rates(json_t *object, const struct idiom_result *result)
{
	set_time(object, "kernel_seconds", result->kernel);
	set_time(object, "wall_seconds", result->wall);
	set_time(object, "sequential_seconds", result->sequential);
	set_time(object, "copy_bytes_per_second", result->copy_rate);
	if (!(result->kernel > 0))
		return;
	if (result->barriers)
		set_time(object, "barrier_seconds", result->kernel / (double)result->barriers);
	if (result->bytes) {
		set_time(object, "elements_per_second", (double)result->size / result->kernel);
		set_time(object, "bytes_per_second", (double)result->bytes / result->kernel);
	}
}

static json_t *rows_json(const struct idiom_result *result)
{
	json_t *rows = json_array();

	for (uint32_t i = 0; i < result->row_count; i++) {
		json_t *row = json_object();

		json_put_count(row, "group_size", result->rows[i].group_size);
		json_put_count(row, "groups", result->rows[i].groups);
		json_put_flag(row, "together", result->rows[i].together);
		json_array_append_new(rows, row);
	}
	return rows;
}

void idiom_report_json(const struct oclmm_device_info *device, const struct idiom_request *request,
                       const struct idiom_result *result)
{
	json_t *object = json_object();

	json_put_text(object, "program", request->program->name);
	json_put_text(object, "form", request->form == IDIOM_PUBLISHED ? "published" : "repaired");
	json_put_text(object, "end", idiom_end_word(result->end));
	json_put_text(object, "message", result->message);
	json_put_text(object, "note", result->note);
	json_put_text(object, "platform", device->platform);
	json_put_text(object, "device", device->name);
	json_put_text(object, "driver", device->driver);
	json_put_count(object, "size", result->size);
	json_put_count(object, "steps", result->steps);
	json_put_count(object, "group_size", result->group_size);
	json_put_count(object, "groups", result->groups);
	json_put_count(object, "co_resident", result->co_resident);
	json_put_count(object, "runs", result->runs);
	json_put_count(object, "stress_runs", result->stress_runs);
	json_put_count(object, "stress_right", result->stress_right);
	json_put_count(object, "barriers", result->barriers);
	json_put_count(object, "bytes", result->bytes);
	set_rates(object, result);
	if (result->row_count)
		json_object_set_new(object, "rows", rows_json(result));
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(object);
}

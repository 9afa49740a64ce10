// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "oclmm/report.h"
#include "tune.h"

static const char *const end_words[TUNING_END_COUNT] = {
	[TUNING_WRITTEN] = "tuned", [TUNING_DEFAULTS] = "defaults",
	[TUNING_SILENT] = "silent", [TUNING_NOT_APPLICABLE] = "skip",
	[TUNING_FAILED] = "failed", [TUNING_INTERRUPTED] = "interrupted",
};

/* Columns that the first word of a line takes, and the blank after it. */
enum { END = 11 + 1 };

/* `12.3 M`, or a dash for what was not measured; in a column. */
static void print_quantity(double number, int width)
{
	struct oclmm_text text = {0};

	if (number > 0 && number < 1000)
		oclmm_text_printf(&text, "%.3g", number);
	else if (number > 0)
		oclmm_report_quantity(&text, number);
	else
		oclmm_text_add(&text, "-");
	printf(" %*s", width, oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static void print_time(double seconds)
{
	if (seconds < 0)
		printf(" %8s", "-");
	else if (seconds < 1e-3)
		printf(" %5.3g us", seconds * 1e6);
	else if (seconds < 1)
		printf(" %5.3g ms", seconds * 1e3);
	else
		printf(" %5.3g s ", seconds);
}

static void print_device(const struct oclmm_device_info *info)
{
	cli_print_fitted("%s: %s, driver %s", oclmm_shown(info->platform).text,
	                 oclmm_shown(info->name).text, oclmm_shown(info->driver).text);
}

/* How it ended, which test, and why; what does not fit goes on below the test. */
static void print_end(const struct tuning_result *result)
{
	struct oclmm_shown name = oclmm_shown(result->test->variant->name);
	struct oclmm_shown message = oclmm_shown(result->message);
	struct oclmm_text line = {0}, fitted = {0};

	oclmm_text_printf(&line, "%-*s%s%s%s", END, end_words[result->end], name.text,
	                  *message.text ? "  " : "", message.text);
	oclmm_text_add_hung(&fitted, oclmm_text_string(&line), line.length, OCLMM_TEXT_WIDTH, END);
	printf("%s\n", oclmm_text_string(&fitted));
	oclmm_text_finish(&line);
	oclmm_text_finish(&fitted);
}

void tuning_print_head(const struct tuning *tuning)
{
	print_device(tuning->run.context.device);
	printf("seed %llu, %g s for each shape, beside compiling\n\n",
	       (unsigned long long)tuning->run.context.seed, tuning->options.seconds);
	printf("%-*s%s\n", END, "", "test");
	printf(" %7s %7s %6s %9s %8s %9s %8s %8s %9s\n", "weak/s", "default", "ratio", "instances",
	       "first", "showing", "to 3", "to 12", "compiling");
	fflush(stdout);
}

static double instances_per_second(const struct tuning_result *result)
{
	return result->tuned.instances > 0
	               ? result->tuned.instances
	               : result->instances_run / (result->seconds > 0 ? result->seconds : 1);
}

static void print_figures(const struct tuning_result *result)
{
	char showing[48];

	print_quantity(result->tuned.weak, 7);
	print_quantity(result->defaults.weak, 7);
	if (result->defaults.weak > 0)
		printf(" %6.2f", result->tuned.weak / result->defaults.weak);
	else
		printf(" %6s", "-");
	print_quantity(instances_per_second(result), 9);
	print_time(result->first);
	snprintf(showing, sizeof(showing), "%llu/%llu", (unsigned long long)result->showing,
	         (unsigned long long)result->candidates);
	printf(" %9s", showing);
	print_time(result->to_three);
	print_time(result->to_twelve);
	putchar(' ');
	print_time(result->compile_seconds);
	putchar('\n');
}

void tuning_print_result(const struct tuning_result *result)
{
	print_end(result);
	if (result->candidates > 0)
		print_figures(result);
	fflush(stdout);
}

/* ---- JSON Lines ---- */

static json_t *figures(const struct tuning_figures *figures)
{
	return json_pack("{s:f, s:f}", "weak", figures->weak, "instances", figures->instances);
}

static json_t *environments(const struct oclmm_environment_set *set)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < set->count; i++) {
		struct oclmm_text text = {0};

		oclmm_environment_brief(&text, &set->environments[i]);
		json_array_append_new(array, json_string(oclmm_text_string(&text)));
		oclmm_text_finish(&text);
	}
	return array;
}

/* Null where there was no time for it. */
static double per_second(double count, double seconds)
{
	return seconds > 0 ? count / seconds : -1;
}

json_t *tuning_known(const struct tune_race *race)
{
	json_t *array = json_array();

	for (size_t i = 0; i < race->count; i++) {
		const struct tune_candidate *candidate = &race->candidates[i];
		struct oclmm_text text = {0};
		json_t *object;

		if (strcmp(candidate->origin, "default") != 0 &&
		    strcmp(candidate->origin, "given") != 0)
			continue;
		oclmm_environment_brief(&text, &candidate->environment);
		object = json_object();
		json_put_text(object, "origin", candidate->origin);
		json_put_real(object, "weak", per_second(candidate->weak, candidate->seconds));
		json_put_real(object, "instances",
		              per_second(candidate->instances, candidate->seconds));
		json_put_printed(object, "environment", &text);
		json_array_append_new(array, object);
	}
	return array;
}

int tuning_write_result(struct tuning *tuning, const struct tuning_result *result)
{
	const struct oclmm_device_info *info = tuning->run.context.device;
	json_t *object = json_object();
	struct oclmm_text line = {0};
	int r;

	json_put_count(object, "format", 1);
	json_put_text(object, "platform", info->platform);
	json_put_text(object, "device", info->name);
	json_put_text(object, "driver", info->driver);
	json_put_text(object, "test", result->test->variant->name);
	json_put_text(object, "shape", result->shape);
	json_put_text(object, "end", end_words[result->end]);
	if (result->message[0])
		json_put_text(object, "message", result->message);
	json_put_real(object, "compile_seconds", result->compile_seconds);
	json_put_real(object, "seconds", result->seconds);
	json_put_count(object, "candidates", result->candidates);
	json_put_count(object, "showing", result->showing);
	json_put_count(object, "lost", result->lost);
	json_put_count(object, "drifts", result->drifts);
	json_put_real(object, "instances", result->instances_run);
	json_put_real(object, "weak", result->weak_run);
	json_put_count(object, "forbidden", result->forbidden);
	json_put_real(object, "to_first", result->first);
	json_put_real(object, "to_third", result->third);
	json_put_real(object, "to_twelfth", result->twelfth);
	json_object_set_new(object, "tuned", figures(&result->tuned));
	json_object_set_new(object, "default", figures(&result->defaults));
	json_put_real(object, "to_3", result->to_three);
	json_put_real(object, "to_12", result->to_twelve);
	json_object_set_new(object, "environments", environments(&result->set));
	json_object_set_new(object, "known",
	                    result->known ? json_incref(result->known) : json_array());
	json_print_line(&line, object);
	errno = 0;
	r = fputs(oclmm_text_string(&line), tuning->output) >= 0 ? fflush(tuning->output) : -1;
	if (r != 0)
		r = errno ? -errno : -EIO;
	oclmm_text_finish(&line);
	return r;
}

/* ---- --list and --show ---- */

void tuning_print_profiles(const struct tuning *tuning)
{
	const struct oclmm_device_info *info = tuning->run.context.device;

	print_device(info);
	if (tuning->profiles.count == 0) {
		cli_print_fitted("no profiles in %s", oclmm_shown(tuning->folder).text);
		return;
	}
	cli_print_fitted("%s in %s", oclmm_counted(tuning->profiles.count, "profile").text,
	                 oclmm_shown(tuning->folder).text);
	printf("\n%-24s %s\n %7s %7s  %-20s  driver\n", "shape", "test", "weak/s", "default",
	       "date");
	for (size_t i = 0; i < tuning->profiles.count; i++) {
		const struct oclmm_profile *profile = &tuning->profiles.profiles[i];

		cli_print_fitted("%-24s %s", oclmm_shown(profile->shape).text,
		                 oclmm_shown(profile->test).text);
		print_quantity(profile->weak, 7);
		print_quantity(profile->weak_default, 7);
		printf("  %-20s  %s%s\n", oclmm_shown(profile->date).text,
		       oclmm_shown(profile->driver).text,
		       oclmm_profile_names(profile->driver, info->driver) ? ""
		                                                          : " (another one now)");
	}
}

void tuning_print_tests(struct tuning *tuning)
{
	struct run *run = &tuning->run;

	run->environments.profiles = tuning->profiles;
	for (size_t i = 0; i < run->selection.count; i++) {
		const struct chosen *chosen = &run->selection.chosen[i];
		struct oclmm_environment_set set;
		const struct oclmm_profile *profile = run_environments_choose(&run->environments,
		                                                              run->context.device,
		                                                              chosen, &set);
		char shape[OCLMM_SHAPE_SIZE];

		oclmm_shape(chosen->variant->program, shape);
		printf("%s: shape %s, %s%s\n", oclmm_shown(chosen->variant->name).text, shape,
		       profile     ? "tuned: "
		       : set.count ? "the defaults"
		                   : "cannot be run",
		       oclmm_shown(profile ? profile->path : "").text);
		for (uint32_t k = 0; k < set.count; k++) {
			struct oclmm_text text = {0};

			oclmm_environment_brief(&text, &set.environments[k]);
			printf("    %s\n", oclmm_text_string(&text));
			oclmm_text_finish(&text);
		}
	}
	run->environments.profiles = (struct oclmm_profiles){0};
}

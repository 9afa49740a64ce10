// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "oclmm/base.h"

enum { BAR_WIDTH = 24 };

/* Before that much is done, what is left is a guess. */
static const double LEAST_PART = 0.02, LEAST_SECONDS = 2;

/* Redrawing more often than this only costs time. */
static const double INTERVAL = 0.1;

void progress_begin(struct progress *progress, size_t total)
{
	*progress = (struct progress){
		.shown = cli_is_terminal(STDERR_FILENO),
		.total = total,
		.started = oclmm_clock(),
	};
}

struct time_left {
	char text[32];
};

/* At the rate so far, within what the whole may take. Before anything is done nobody knows. */
static struct time_left time_left(double passed, double part, double most)
{
	struct time_left left = {""};
	double seconds;

	if (passed < LEAST_SECONDS || (part < LEAST_PART && most <= 0))
		return left;
	seconds = part < LEAST_PART ? most : passed / part - passed;
	if (most > 0)
		seconds = fmax(0, fmin(seconds, most - passed));
	if (seconds < 90)
		snprintf(left.text, sizeof(left.text), "%.0f s left ", seconds);
	else
		snprintf(left.text, sizeof(left.text), "%.0f min left ", seconds / 60);
	return left;
}

void progress_update(struct progress *progress, size_t done, double fraction, const char *name)
{
	double now, part;
	char bar[BAR_WIDTH + 1];
	size_t filled;

	if (!progress->shown || progress->total == 0)
		return;
	now = oclmm_clock();
	if (now - progress->last_drawn < INTERVAL)
		return;
	progress->last_drawn = now;
	part = ((double)done + fraction) / (double)progress->total;
	filled = (size_t)(part * BAR_WIDTH);
	if (filled > BAR_WIDTH)
		filled = BAR_WIDTH;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', filled);
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %zu/%zu %s%.30s", bar, done, progress->total,
	        time_left(now - progress->started, part, progress->most).text,
	        oclmm_shown(name).text);
	fflush(stderr);
	progress->drawn = true;
}

void progress_clear(struct progress *progress)
{
	if (!progress->drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->drawn = false;
}

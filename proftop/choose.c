/* SPDX-License-Identifier: MIT */
#include "proftop/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/report/columns.h"
#include "model/report/report.h"
#include "model/table/counter_table.h"
#include "model/stats/worst.h"
#include "proftop/messages.h"
#include "proftop/options.h"
#include "model/stats/frame_stats.h"

#define NAMED 8 /* so many of the frames that were kept are said by number */

/* Threads */

static void list_threads(const struct profile *p, char *out, size_t size)
{
	size_t at = 0;

	*out = '\0';
	for (uint32_t i = 0; i < p->thread_count; i++) {
		char *name = name_safe(p->threads[i].name, false);

		if (name && at + strlen(name) + 32 < size)
			at += (size_t)snprintf(out + at, size - at, "%s%llu (%s)", at ? ", " : "",
					       (unsigned long long)p->threads[i].id, name);
		free(name);
	}
}

bool threads_choose(const struct profile *p, const char *text, uint32_t *threads)
{
	char list[512];

	*threads = THREADS_ALL;
	if (!text || !strcmp(text, "all"))
		return true;
	if (!strcmp(text, "each")) {
		*threads = THREADS_EACH;
		return true;
	}
	*threads = profile_parse_threads(p, text);
	if (*threads != PROFILE_NONE)
		return true;
	list_threads(p, list, sizeof(list));
	say("no thread '%s'. Choose one of: %s", text, *list ? list : "none");
	return false;
}

bool measure_choose(const struct profile *p, const char *before, const char *text, uint32_t *measure)
{
	char list[512] = "";
	size_t at = 0;

	*measure = text ? profile_find_measure(p, text) : MEASURE_SELF;
	if (*measure != PROFILE_NONE && measure_is_shown(p, *measure))
		return true;
	for (uint32_t i = 0; i < p->measure_count; i++) {
		char *key = measure_is_shown(p, i) ? name_safe(p->measures[i].key, false) : NULL;

		if (key && at + strlen(key) + 32 < sizeof(list))
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", at ? ", " : "", key);
		free(key);
	}
	if (*measure == PROFILE_NONE)
		say("%sno measure '%s'. Choose one of: %s", before, text, list);
	else
		say("%s'%s' is a maximum%s. Views add amounts up, and the sum of maxima means nothing. Choose one of: %s", before, text,
		    *measure == MEASURE_LONGEST ? ", which the column MAX shows" : "", list);
	return false;
}

/* Frames */

void say_no_frames(const struct profile *p, const char *what)
{
	char why[WHY_SIZE];

	say("%s: %s", what, no_frames_why(p, why, sizeof(why)));
}

static uint64_t newest_number(const struct profile *p)
{
	return p->frames[p->frame_count - 1].number;
}

/* `, and retained slow frames: 3, 17, 40`. */
static void list_kept(const struct profile *p, char *out, size_t size)
{
	uint32_t kept = profile_kept_frames(p), first = kept > NAMED ? kept - NAMED : 0;
	size_t at = 0;

	*out = '\0';
	for (uint32_t i = first; i < kept && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%llu",
				       i > first ? ", " : first ? ", and retained slow frames, the newest: "
								: ", and retained slow frames: ",
				       (unsigned long long)p->frames[i].number);
}

static void say_not_held(const struct profile *p, uint64_t number)
{
	uint32_t first = profile_kept_frames(p);
	char kept[NAMED * 24 + 64];

	if (number > newest_number(p)) {
		say("no frame %llu%s; the newest is %llu", (unsigned long long)number,
		    p->process.state == PROFILE_LIVE ? " yet" : "", (unsigned long long)newest_number(p));
		return;
	}
	list_kept(p, kept, sizeof(kept));
	if (first == p->frame_count)
		say("frame %llu is not in the history%s", (unsigned long long)number, kept);
	else
		say("frame %llu is no longer in the history. Available: %llu to %llu%s", (unsigned long long)number,
		    (unsigned long long)p->frames[first].number, (unsigned long long)newest_number(p), kept);
}

bool which_frame(const struct profile *p, int64_t asked, uint64_t *number)
{
	const struct profile_frame *frame;
	uint64_t newest;

	if (!p->frame_count) {
		say_no_frames(p, "no frames");
		return false;
	}
	newest = newest_number(p);
	if (asked < 0 && (uint64_t)-asked > newest) {
		say("there are only %llu frames: @-%llu is the oldest", (unsigned long long)newest,
		    (unsigned long long)newest);
		return false;
	}
	*number = asked < 0 ? newest + 1 - (uint64_t)-asked : (uint64_t)asked;
	frame = profile_find_frame(p, *number);
	if (!frame)
		say_not_held(p, *number);
	else if (frame->flags & FRAME_DISCARDED)
		say("frame %llu was discarded by the program",
		    (unsigned long long)*number);
	return frame && !(frame->flags & FRAME_DISCARDED);
}

/* Columns */

const char *sort_key(const char *text)
{
	enum column column = report_column(text);
	enum counter_column counter = counter_column(text);

	if (column != COLUMNS)
		return report_columns[column].key;
	return counter != COUNTER_COLUMNS ? counter_table_type.columns[counter].key : NULL;
}

bool sort_key_fits(int view, const char *key)
{
	enum column column = report_column(key);

	if (view == OPTION_VIEW_COUNTERS)
		return counter_column(key) != COUNTER_COLUMNS;
	if (view == OPTION_VIEW_WORST)
		return worst_order_named(key) != WORST_ORDERS;
	return column != COLUMNS && report_columns[column].views >> view & 1;
}

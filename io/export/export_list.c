/* SPDX-License-Identifier: MIT */
#include "io/export/export_list.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "io/export/export_table.h"
#include "io/json.h"
#include "io/region/live_list.h"

/* The columns; the last, the command, takes what is left of the width. */
enum field { FIELD_NAME, FIELD_PID, FIELD_STATE, FIELD_AGE, FIELD_SIZE, FIELD_HISTORY, FIELD_CLOCK,
	     FIELD_LOST, FIELD_USER, FIELD_COMMAND, FIELDS };

#define COMMAND_LEAST 8 /* cells that it has beyond the width, where nothing is left */

static const struct table_column columns[FIELDS] = {
	[FIELD_NAME] = { .title = "NAME", .importance = SHEET_STAYS },
	[FIELD_PID] = { .title = "PID", .importance = SHEET_STAYS, .right = true },
	[FIELD_STATE] = { .title = "STATE", .importance = SHEET_STAYS },
	[FIELD_AGE] = { .title = "AGE", .importance = SHEET_STAYS, .right = true },
	[FIELD_SIZE] = { .title = "SIZE", .importance = SHEET_STAYS, .right = true },
	[FIELD_HISTORY] = { .title = "HISTORY s", .importance = SHEET_STAYS, .right = true },
	/* these two are there only where a region has something in it */
	[FIELD_CLOCK] = { .title = "CLOCK", .importance = SHEET_STAYS, .hidden = true },
	[FIELD_LOST] = { .title = "LOST", .importance = SHEET_STAYS, .hidden = true },
	[FIELD_USER] = { .title = "USER", .importance = SHEET_STAYS },
	[FIELD_COMMAND] = { .title = "COMMAND", .importance = SHEET_GIVES_WAY },
};

static void age_text(char *out, size_t size, double seconds)
{
	static const struct {
		double seconds;
		const char *unit;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	char number[32];
	size_t i = 0;

	while (i < 3 && seconds < units[i].seconds)
		i++;
	format_fixed(number, sizeof(number), seconds / units[i].seconds, 0);
	snprintf(out, size, "%s %s", number, units[i].unit);
}

static void size_text(char *out, size_t size, int64_t bytes)
{
	if (bytes >= 1 << 20)
		snprintf(out, size, "%lld MiB", (long long)(bytes >> 20));
	else
		snprintf(out, size, "%lld KiB", (long long)(bytes >> 10));
}

static void user_text(char *out, size_t size, int64_t uid)
{
	const struct passwd *user = getpwuid((uid_t)uid);

	if (user)
		snprintf(out, size, "%s", user->pw_name);
	else
		snprintf(out, size, "%lld", (long long)uid);
}

static void state_text(char *out, size_t size, const struct live_region *region)
{
	if (region->state == LIVE_IS_OLD)
		snprintf(out, size, "old (%d.%d)", region->major, region->minor);
	else if (region->state == LIVE_IS_DEAD && region->exited)
		snprintf(out, size, "dead (ended)");
	else
		snprintf(out, size, "%s", live_state_name(region));
}

/* How much was lost, and most of it by which cause: `512 zone_room`, `513 zone_room +1`. */
static void lost_text(char *out, size_t size, const struct live_region *region)
{
	const struct live_loss *most = NULL;
	uint64_t total = 0;
	unsigned others = 0;

	for (const struct live_loss *l = region->losses; l < region->losses + region->loss_count; l++) {
		if (l->apart)
			continue;
		total += l->count;
		others += most != NULL;
		if (!most || l->count > most->count)
			most = l;
	}
	if (most)
		snprintf(out, size, others ? "%llu %s +%u" : "%llu %s", (unsigned long long)total,
			 most->key, others);
}

static void add_name(struct sheet *s, const char *bytes)
{
	char *name = name_safe(bytes, s->ascii);

	if (name)
		sheet_text(s, name, STYLE_NAME);
	s->failed |= !name;
	free(name);
}

static bool add_region(const struct live_region *region, void *context)
{
	struct sheet *s = context;
	const double values[FIELDS] = { [FIELD_PID] = (double)region->pid, [FIELD_AGE] = region->age_s,
					[FIELD_SIZE] = (double)region->size, [FIELD_HISTORY] = region->history_s };
	char texts[FIELDS][64] = { "" };

	state_text(texts[FIELD_STATE], sizeof(texts[0]), region);
	size_text(texts[FIELD_SIZE], sizeof(texts[0]), region->size);
	user_text(texts[FIELD_USER], sizeof(texts[0]), region->uid);
	if (region->pid) {
		snprintf(texts[FIELD_PID], sizeof(texts[0]), "%lld", (long long)region->pid);
		age_text(texts[FIELD_AGE], sizeof(texts[0]), region->age_s);
		if (region->history_s >= 0)
			format_fixed(texts[FIELD_HISTORY], sizeof(texts[0]), region->history_s, 1);
		lost_text(texts[FIELD_LOST], sizeof(texts[0]), region);
		if (!region->clock_usual)
			snprintf(texts[FIELD_CLOCK], sizeof(texts[0]), "%s", region->clock);
	}
	add_name(s, region->name);
	for (enum field f = FIELD_NAME + 1; f < FIELD_COMMAND; f++) {
		sheet_add(s, (struct sheet_cell){ .text = *texts[f] ? texts[f] : "-", .value = values[f],
						  .number = columns[f].right && *texts[f],
						  .role = columns[f].right ? STYLE_NUMBER : STYLE_LABEL });
		s->columns[f].hidden &= !*texts[f];
	}
	add_name(s, region->command);
	return !s->failed;
}

/* False: out of memory. */
static bool put_regions(struct sheet *s, uint32_t width, FILE *out)
{
	bool done;

	s->plain_cut = true;
	sheet_fit(s, width);
	if (width && s->places[FIELD_COMMAND].x >= width) {
		s->floor = COMMAND_LEAST;
		sheet_fit(s, width);
	}
	done = export_row(s, SHEET_TITLES, false, out);
	for (uint32_t i = 0; i < sheet_rows(s) && done; i++)
		done = export_row(s, i, false, out);
	return done;
}

enum list_result export_list(unsigned flags, const struct export_style *style, FILE *out)
{
	struct sheet s;
	enum list_result result = LIST_NO_DIRECTORY;

	sheet_init(&s, columns, FIELDS, style->ascii);
	if (live_list(flags, add_region, &s)) {
		result = LIST_DONE;
		if (!s.failed && !sheet_rows(&s))
			fputs("no program publishes here. Start one with PROF_SHM=name\n", out);
		else if (!put_regions(&s, style->width, out))
			result = LIST_FAILED;
	}
	sheet_fini(&s);
	return result;
}

static bool json_add(const struct live_region *region, void *context)
{
	struct json *j = context;
	char user[64];

	user_text(user, sizeof(user), region->uid);
	json_line(j);
	json_object(j, NULL);
	json_name(j, "name", region->name);
	if (region->pid)
		json_integer(j, "pid", region->pid);
	else
		json_null(j, "pid");
	json_text(j, "state", live_state_name(region));
	json_bool(j, "exited", region->exited);
	json_real(j, "age_s", region->age_s);
	json_integer(j, "size", region->size);
	if (region->history_s >= 0)
		json_real(j, "history_s", region->history_s);
	else
		json_null(j, "history_s");
	json_text(j, "clock", region->clock);
	json_object(j, "lost");
	for (uint32_t i = 0; i < region->loss_count; i++)
		json_integer(j, region->losses[i].key, (int64_t)region->losses[i].count);
	json_object_end(j);
	json_integer(j, "uid", region->uid);
	json_name(j, "user", user);
	json_name(j, "command", region->command);
	json_object_end(j);
	return true;
}

enum list_result export_list_json(unsigned flags, FILE *out)
{
	struct json *j = json_begin(out);
	bool found;

	if (!j)
		return LIST_FAILED;
	json_array(j, NULL);
	found = live_list(flags, json_add, j);
	json_array_end(j);
	if (!json_end(j))
		return LIST_FAILED;
	return found ? LIST_DONE : LIST_NO_DIRECTORY;
}

/* SPDX-License-Identifier: MIT */
#include "io/export_list.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "io/json.h"
#include "io/live_list.h"
#include "io/title.h"
#include "model/array.h"

/* The columns; the last, the command, takes what is left of the width. */
enum field { FIELD_NAME, FIELD_PID, FIELD_STATE, FIELD_AGE, FIELD_SIZE, FIELD_HISTORY, FIELD_CLOCK,
	     FIELD_LOST, FIELD_USER, FIELD_COMMAND, FIELDS };

static const struct {
	const char *title;
	bool left;
	bool rare; /* there only where a region has something in it */
} fields[FIELDS] = {
	[FIELD_NAME] = { "NAME", true },      [FIELD_PID] = { "PID", false },
	[FIELD_STATE] = { "STATE", true },    [FIELD_AGE] = { "AGE", false },
	[FIELD_SIZE] = { "SIZE", false },     [FIELD_HISTORY] = { "HISTORY s", false },
	[FIELD_CLOCK] = { "CLOCK", true, true }, [FIELD_LOST] = { "LOST", true, true },
	[FIELD_USER] = { "USER", true },      [FIELD_COMMAND] = { "COMMAND", true },
};

struct line {
	char *text[FIELDS];
};

struct table {
	const struct export_style *style;
	struct line *lines;
	uint32_t count;
	uint32_t capacity;
	bool failed;
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

static void set_numbers(struct line *line, const struct live_region *region)
{
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
	for (enum field f = 0; f < FIELDS; f++)
		if (!line->text[f])
			line->text[f] = strdup(*texts[f] ? texts[f] : "-");
}

static bool table_add(const struct live_region *region, void *context)
{
	struct table *t = context;
	struct line line = { .text = { [FIELD_NAME] = title_name(t->style, region->name),
				       [FIELD_COMMAND] = title_name(t->style, region->command) } };

	set_numbers(&line, region);
	for (enum field f = 0; f < FIELDS; f++)
		t->failed |= !line.text[f];
	if (!array_reserve(&t->lines, &t->capacity, (uint64_t)t->count + 1, sizeof(*t->lines))) {
		t->failed = true;
		return false;
	}
	t->lines[t->count++] = line;
	return !t->failed;
}

static void put_cell(const char *text, uint32_t width, bool left, FILE *out)
{
	uint32_t used = (uint32_t)text_width(text);
	int blanks = width > used ? (int)(width - used) : 0;

	fprintf(out, left ? "%2$s%1$*3$s  " : "%1$*3$s%2$s  ", "", text, blanks);
}

static void put_command(const char *text, uint32_t before, const struct export_style *style,
			FILE *out)
{
	uint32_t room = style->width > before ? style->width - before : 8;
	size_t used, bytes = style->width ? text_clip(text, room, &used) : strlen(text);

	fwrite(text, 1, bytes, out);
	fputc('\n', out);
}

/* 0: the column is not shown. */
static uint32_t column_width(const struct table *t, enum field f)
{
	uint32_t width = (uint32_t)strlen(fields[f].title);
	bool any = !fields[f].rare;

	for (uint32_t i = 0; i < t->count; i++) {
		any |= strcmp(t->lines[i].text[f], "-") != 0;
		if (text_width(t->lines[i].text[f]) > width)
			width = (uint32_t)text_width(t->lines[i].text[f]);
	}
	return any ? width : 0;
}

static void put_row(const struct table *t, char *const *text, const uint32_t *widths, FILE *out)
{
	uint32_t before = 0;

	for (enum field f = 0; f < FIELD_COMMAND; f++) {
		if (!widths[f])
			continue;
		put_cell(text[f], widths[f], fields[f].left, out);
		before += widths[f] + 2;
	}
	put_command(text[FIELD_COMMAND], before, t->style, out);
}

static void table_put(const struct table *t, FILE *out)
{
	uint32_t widths[FIELDS];
	char *titles[FIELDS];

	for (enum field f = 0; f < FIELDS; f++) {
		widths[f] = column_width(t, f);
		titles[f] = (char *)fields[f].title;
	}
	put_row(t, titles, widths, out);
	for (uint32_t i = 0; i < t->count; i++)
		put_row(t, t->lines[i].text, widths, out);
}

enum list_result export_list(unsigned flags, const struct export_style *style, FILE *out)
{
	struct table table = { .style = style };
	enum list_result result = LIST_NO_DIRECTORY;

	if (live_list(flags, table_add, &table)) {
		result = table.failed ? LIST_FAILED : LIST_DONE;
		if (!table.failed && table.count)
			table_put(&table, out);
		else if (!table.failed)
			fputs("no regions: a program makes one when it runs with PROF_SHM=name\n",
			      out);
	}
	for (uint32_t i = 0; i < table.count; i++)
		for (enum field f = 0; f < FIELDS; f++)
			free(table.lines[i].text[f]);
	free(table.lines);
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

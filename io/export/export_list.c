/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "io/export/export_table.h"
#include "io/json_table.h"
#include "io/region/live_list.h"

/* The columns; the command takes what is left of the width. */
enum { LIST_NAME, LIST_PID, LIST_STATE, LIST_AGE, LIST_SIZE, LIST_HISTORY, LIST_CLOCK, LIST_LOST, LIST_USER, LIST_COMMAND,
       LIST_EXITED, LIST_UID, LIST_COLUMNS };

#define COMMAND_LEAST 8 /* cells that it has beyond the width, where nothing is left */

static const struct table_column columns[LIST_COLUMNS] = {
	[LIST_NAME] = { "NAME", .key = "name", .kind = TYPED_NAME, .importance = SHEET_STAYS },
	[LIST_PID] = { "PID", .key = "pid", .kind = TYPED_NUMBER, .importance = SHEET_STAYS },
	[LIST_STATE] = { "STATE", .key = "state", .kind = TYPED_WORDS, .importance = SHEET_STAYS },
	[LIST_AGE] = { "AGE", .member = "age_s", .kind = TYPED_AGE, .importance = SHEET_STAYS },
	[LIST_SIZE] = { "SIZE", .key = "size", .kind = TYPED_BYTES, .importance = SHEET_STAYS },
	[LIST_HISTORY] = { "HISTORY", .unit = "s", .member = "history_s", .kind = TYPED_SECONDS, .importance = SHEET_STAYS },
	/* text has these two only where a region has something in it */
	[LIST_CLOCK] = { "CLOCK", .key = "clock", .kind = TYPED_WORDS, .importance = SHEET_STAYS },
	[LIST_LOST] = { "LOST", .kind = TYPED_WORDS, .importance = SHEET_STAYS },
	[LIST_USER] = { "USER", .key = "user", .kind = TYPED_NAME, .importance = SHEET_STAYS },
	[LIST_COMMAND] = { "COMMAND", .key = "command", .kind = TYPED_NAME },
	[LIST_EXITED] = { .key = "exited", .kind = TYPED_FLAG },
	[LIST_UID] = { .key = "uid", .kind = TYPED_COUNT },
};

/* Regions come one after the other: the table has a single row, which is the region that came last. */
struct list_table {
	struct typed_table table;
	const struct live_region *region;
	struct sheet sheet; /* text: of all of them */
	struct json *json;
};

static char *user_name(int64_t uid)
{
	const struct passwd *user = getpwuid((uid_t)uid);
	char *text = NULL;

	if (user)
		return strdup(user->pw_name);
	return asprintf(&text, "%lld", (long long)uid) < 0 ? NULL : text;
}

static void put_state(const struct live_region *region, const struct typed_look *look, struct typed_value *v)
{
	v->text = live_state_name(region);
	if (look->output != TABLE_TEXT)
		return;
	if (region->state == LIVE_IS_OLD)
		v->text = v->owned = asprintf(&v->owned, "old (%d.%d)", region->major, region->minor) < 0 ? NULL : v->owned;
	else if (region->state == LIVE_IS_DEAD && region->exited)
		v->text = "dead (ended)";
}

/* How much was lost, and most of it by which cause: `512 zone_room`, `513 zone_room +1`. */
static void put_lost(const struct live_region *region, struct typed_value *v)
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
	v->state = most && region->pid ? TYPED_KNOWN : TYPED_ABSENT;
	if (v->state == TYPED_KNOWN && asprintf(&v->owned, others ? "%llu %s +%u" : "%llu %s", (unsigned long long)total,
						most->key, others) < 0)
		v->owned = NULL;
	v->text = v->owned;
}

/* Text says nothing of times and clock of a region that cannot be read, and nothing of the usual clock. */
static void put_value(const struct typed_table *table, const struct typed_look *look, uint32_t row, uint32_t column,
		      struct typed_value *v)
{
	const struct live_region *region = ((const struct list_table *)table)->region;
	bool is_text = look->output == TABLE_TEXT, is_dumb = is_text && !region->pid;

	(void)row;
	switch (column) {
	case LIST_NAME:
		v->text = region->name;
		break;
	case LIST_PID:
		v->state = region->pid ? TYPED_KNOWN : TYPED_UNKNOWN;
		v->whole = region->pid;
		break;
	case LIST_STATE:
		put_state(region, look, v);
		break;
	case LIST_AGE:
		v->state = is_dumb ? TYPED_UNKNOWN : TYPED_KNOWN;
		v->real = region->age_s;
		break;
	case LIST_SIZE:
		v->whole = region->size;
		break;
	case LIST_HISTORY:
		v->state = is_dumb || region->history_s < 0 ? TYPED_UNKNOWN : TYPED_KNOWN;
		v->real = region->history_s;
		break;
	case LIST_CLOCK:
		v->state = is_dumb || (is_text && region->clock_usual) ? TYPED_UNKNOWN : TYPED_KNOWN;
		v->text = region->clock;
		break;
	case LIST_LOST:
		put_lost(region, v);
		break;
	case LIST_USER:
		v->text = v->owned = user_name(region->uid);
		break;
	case LIST_COMMAND:
		v->text = region->command;
		break;
	case LIST_EXITED:
		v->whole = region->exited;
		break;
	default:
		v->whole = region->uid;
	}
}

static const struct table_type list_type = {
	.key = "regions", .name = "list", .columns = columns, .column_count = LIST_COLUMNS, .value = put_value,
	.shows = {
		[TABLE_JSON] = (const uint8_t[]){ LIST_NAME, LIST_PID, LIST_STATE, LIST_EXITED, LIST_AGE, LIST_SIZE, LIST_HISTORY,
						  LIST_CLOCK, LIST_UID, LIST_USER, LIST_COMMAND, TABLE_END },
	},
};

/* Text */

static bool add_region(const struct live_region *region, void *context)
{
	struct list_table *t = context;

	t->region = region;
	typed_table_add(&t->table, &(struct typed_look){ .output = TABLE_TEXT, .ascii = t->sheet.ascii }, &t->sheet, 0);
	return !t->sheet.failed;
}

static void hide_if_empty(struct sheet *s, uint32_t column)
{
	s->columns[column].hidden = true;
	for (uint32_t row = 0; row < sheet_rows(s); row++)
		s->columns[column].hidden &= !strcmp(sheet_at(s, row, column).text, "-");
}

/* False: out of memory. */
static bool put_regions(struct sheet *s, uint32_t width, FILE *out)
{
	bool done;

	hide_if_empty(s, LIST_CLOCK);
	hide_if_empty(s, LIST_LOST);
	s->floor = s->keeps = 1;
	sheet_fit(s, width);
	if (width && s->places[LIST_COMMAND].x >= width) {
		s->floor = COMMAND_LEAST;
		sheet_fit(s, width);
	}
	done = !s->failed && export_row(s, SHEET_TITLES, out);
	for (uint32_t i = 0; i < sheet_rows(s) && done; i++)
		done = export_row(s, i, out);
	return done;
}

enum list_result export_list(unsigned flags, const struct export_style *style, FILE *out)
{
	struct list_table t;
	enum list_result result = LIST_NO_DIRECTORY;

	typed_table_init(&t.table, &list_type, 1000000000);
	typed_table_sheet(&t.table, &(struct typed_look){ .output = TABLE_TEXT, .ascii = style->ascii }, &t.sheet);
	if (live_list(flags, add_region, &t)) {
		result = LIST_DONE;
		if (!t.sheet.failed && !sheet_rows(&t.sheet))
			fputs("no program publishes here. Start one with PROF_SHM=name\n", out);
		else if (!put_regions(&t.sheet, style->width, out))
			result = LIST_FAILED;
	}
	sheet_fini(&t.sheet);
	return result;
}

/* JSON */

static void put_losses(struct json *j, const struct typed_table *table, uint32_t row)
{
	const struct live_region *region = ((const struct list_table *)table)->region;

	(void)row;
	json_object(j, "lost");
	for (uint32_t i = 0; i < region->loss_count; i++)
		json_integer(j, region->losses[i].key, (int64_t)region->losses[i].count);
	json_object_end(j);
}

static bool json_region(const struct live_region *region, void *context)
{
	struct list_table *t = context;

	t->region = region;
	json_line(t->json);
	json_table_row(t->json, &t->table, 0, put_losses);
	return true;
}

enum list_result export_list_json(unsigned flags, FILE *out)
{
	struct list_table t = { .json = json_begin(out) };
	bool found;

	if (!t.json)
		return LIST_FAILED;
	typed_table_init(&t.table, &list_type, 1000000000);
	json_array(t.json, NULL);
	found = live_list(flags, json_region, &t);
	json_array_end(t.json);
	if (!json_end(t.json))
		return LIST_FAILED;
	return found ? LIST_DONE : LIST_NO_DIRECTORY;
}

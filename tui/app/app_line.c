/* SPDX-License-Identifier: MIT */
/*
 * app_line: commands that are typed by name. Each does what its key does, with the functions that the key has.
 *
 * One returns effects; what is wrong with it is said, and LINE_REFUSED returned: it can be mended then.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/text.h"
#include "model/report/file_kinds.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"
#include "tui/cells/theme.h"

static unsigned refuse_line(struct app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static unsigned refuse_line(struct app *a, const char *format, ...)
{
	char text[sizeof(a->said.text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	app_say(a, "%s", text);
	return LINE_REFUSED;
}

/* A whole number in a range; false: it is none. */
static bool is_number(const char *text, long long least, long long most, long long *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 10);
	return end != text && !*end && !errno && *number >= least && *number <= most;
}

/* The index of a name in a list, below 0: it is not in it, which is said. */
static int choose_name(struct app *a, const char *value, const char *const *names, int count)
{
	char list[256] = "";

	for (int i = 0; i < count; i++) {
		size_t used = strlen(list);

		if (!strcasecmp(names[i], value))
			return i;
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", names[i]);
	}
	app_say(a, "'%s' is not one of %s", value, list);
	return -1;
}

static unsigned line_view(struct app *a, const char *value)
{
	const char *names[VIEWS];
	int view;

	for (enum view_kind v = 0; v < VIEWS; v++)
		names[v] = a->views[v]->ops->name;
	view = choose_name(a, value, names, VIEWS);
	if (view < 0)
		return LINE_REFUSED;
	if (view == (int)a->view)
		return EFFECT_DRAW;
	return app_command(a, command_of_key((unsigned char)a->views[view]->ops->key, PLACE_TABLE));
}

#define APP_COLUMN_NAME 32

/* Gives what a column of the open view is called behind `:sort`. False: one does not sort by it. */
static bool column_name(const struct app *a, int column, char out[APP_COLUMN_NAME])
{
	const struct table *t = &app_view(a)->table;
	const char *title = table_title(t, column);

	if (!title)
		return false;
	if (table_report(t))
		title = report_columns[column].key;
	snprintf(out, APP_COLUMN_NAME, "%s", title);
	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return true;
}

static unsigned line_sort(struct app *a, const char *value)
{
	for (int column = 0; column < TABLE_COLUMNS; column++) {
		char name[APP_COLUMN_NAME];

		if (column_name(a, column, name) &&
		    (!strcasecmp(name, value) || !strcasecmp(table_title(&app_view(a)->table, column), value)))
			return app_sort_by(a, column);
	}
	return refuse_line(a, "no column '%s' here", value);
}

static unsigned line_filter(struct app *a, const char *value)
{
	return app_filter(a, value) ? EFFECT_DRAW : LINE_REFUSED;
}

static unsigned line_search(struct app *a, const char *value)
{
	a->search.from = 0;
	a->search.typed = false;
	return app_search(a, value) ? EFFECT_DRAW : LINE_REFUSED;
}

/* Not the nearest one: who says a number means that frame. */
static unsigned line_frame(struct app *a, const char *value)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct profile_frame *newest = times_newest(&a->at->times);
	long long number;

	if (!is_number(value, INT64_MIN + 1, INT64_MAX, &number) || !number)
		return refuse_line(a, "'%s' is not a frame number", value);
	if (!newest)
		return refuse_line(a, "no frames");
	if (number < 0) /* below 0, where there are not so many */
		number = newest->number <= INT64_MAX / 2 ? (long long)newest->number + 1 + number : 0;
	if (number <= 0 || !profile_find_frame(p, (uint64_t)number))
		return refuse_line(a, "frame %s is not in the history; %s to %s are", value,
				   figure_grouped(p->frames[0].number).text, figure_grouped(newest->number).text);
	return app_choose_frame(a, (uint64_t)number);
}

static unsigned line_last(struct app *a, const char *value)
{
	long long frames;

	if (!is_number(value, 1, UINT32_MAX, &frames))
		return refuse_line(a, "type how many frames to select, for example last 300");
	return app_select_last(a, (uint32_t)frames) ? EFFECT_DRAW : LINE_REFUSED;
}

static unsigned line_zone(struct app *a, const char *value)
{
	struct query *query = times_query(&a->at->times);
	struct path path;
	uint32_t key, place;

	if (!query)
		return refuse_line(a, "no zones yet");
	switch (keys_parse(query_keys(query), times_profile(&a->at->times), value, &key)) {
	case KEYS_AMBIGUOUS:
		return refuse_line(a, "several zones are called '%s'; type name@file:line", value);
	case KEYS_NO_ZONE:
		return refuse_line(a, "no zone '%s'", value);
	case KEYS_FOUND:
		break;
	}
	path_begin(&path, &place, query_keys(query)->id[key]);
	return app_drill_into(a, &path);
}

static unsigned line_thread(struct app *a, const char *value)
{
	const struct profile *p = times_profile(&a->at->times);
	char *name = name_unescape(value);
	uint32_t threads;

	if (!p || !name) {
		free(name);
		return refuse_line(a, "no threads yet");
	}
	threads = profile_parse_threads(p, name);
	free(name);
	if (threads == PROFILE_NONE && strcmp(value, "all") != 0)
		return refuse_line(a, "no thread '%s'", value);
	app_show_top(a);
	app_choose_threads(a, threads == PROFILE_NONE ? THREADS_ALL : threads);
	return EFFECT_DRAW;
}

static unsigned line_budget(struct app *a, const char *value)
{
	return app_set_budget(a, value) ? EFFECT_DRAW : LINE_REFUSED;
}

static unsigned line_worst(struct app *a, const char *value)
{
	int order = *value ? choose_name(a, value, worst_names, WORST_ORDERS) : -1;

	if (!*value)
		return app_command(a, COMMAND_WORST);
	if (order < 0)
		return LINE_REFUSED;
	view_worst_sort(a->views[VIEW_WORST], (enum worst_order)order);
	app_say(a, "worst frames: by %s", worst_names[order]);
	a->stale = true;
	return EFFECT_DRAW;
}

/* In the timeline, which stands still then: of its window the middle, or how wide it is. */
static unsigned show_time(struct app *a, const char *value, bool ago)
{
	const struct profile *p = times_profile(&a->at->times);
	const struct profile_frame *f;
	double seconds, ticks;
	int64_t width;

	if (!time_parse(value, &seconds) || (seconds <= 0 && !ago))
		return refuse_line(a, "'%s' is not a time; try 12.5ms or 2s", value);
	if (!p)
		return refuse_line(a, "no program to view");
	app_open_view(a, VIEW_TIMELINE);
	if (ago && !a->at->times.paused)
		app_turn_pause(a, 0);
	app_refresh(a);
	p = times_profile(&a->at->times);
	ticks = seconds * (double)p->ticks_per_s;
	ticks = ticks < (double)p->now_tick ? ticks : (double)p->now_tick;
	width = ago ? view_timeline_width(app_view(a)) : (int64_t)ticks;
	if (ago && (f = frame_at(p, p->now_tick - (int64_t)ticks)))
		app_choose_frame(a, f->number);
	app_refresh(a);
	view_timeline_show(app_view(a), ago ? p->now_tick - (int64_t)ticks : -1, width);
	return EFFECT_DRAW;
}

static unsigned line_zoom(struct app *a, const char *value)
{
	return show_time(a, value, false);
}

static unsigned line_ago(struct app *a, const char *value)
{
	return show_time(a, value, true);
}

static unsigned line_average(struct app *a, const char *value)
{
	int slot = choose_name(a, value, average_names, AVERAGE_SLOTS);

	if (slot < 0)
		return LINE_REFUSED;
	if (a->at->times.chosen && slot != AVERAGE_NOW && slot != AVERAGE_RUN)
		return refuse_line(a, "while paused, choose now (the frame) or run (the whole run)");
	return app_set_average(a, (enum average_slot)slot);
}

static unsigned line_unit(struct app *a, const char *value)
{
	int unit = choose_name(a, value, unit_names, UNITS);

	return unit < 0 ? LINE_REFUSED : app_set_unit(a, (enum unit)unit);
}

static unsigned line_precision(struct app *a, const char *value)
{
	long long digits = -1;

	if (*value && !is_number(value, 0, APP_PRECISION_MOST, &digits))
		return refuse_line(a, "'%s' is not a number from 0 to %d", value, APP_PRECISION_MOST);
	return app_set_precision(a, (int)digits);
}

static unsigned line_theme(struct app *a, const char *value)
{
	int theme = choose_name(a, value, theme_names, THEMES);

	if (theme < 0)
		return LINE_REFUSED;
	a->wanted.theme = theme;
	return EFFECT_DRAW | EFFECT_THEME_SET;
}

static unsigned take_letter(struct app *a, const char *value, enum command command)
{
	if (value[1] || ((*value | 0x20) < 'a' || (*value | 0x20) > 'z'))
		return refuse_line(a, "a mark is a letter from a to z");
	a->ask.command = command;
	return app_take_letter(a, (unsigned char)*value);
}

static unsigned line_mark(struct app *a, const char *value)
{
	return take_letter(a, value, COMMAND_MARK);
}

static unsigned line_go_to(struct app *a, const char *value)
{
	return take_letter(a, value, COMMAND_GO_TO_MARK);
}

static unsigned line_attach(struct app *a, const char *value)
{
	if (!*value)
		return app_command(a, COMMAND_REGIONS);
	snprintf(a->wanted.turn, sizeof(a->wanted.turn), "%s", value);
	return EFFECT_DRAW | EFFECT_TURN;
}

static unsigned line_record(struct app *a, const char *value)
{
	if (!*value && !*a->at->recording)
		return refuse_line(a, "not recording; type a file name to start");
	*a->wanted.record_proposed = '\0';
	if (*value)
		return app_record_to(a, value) ? EFFECT_DRAW | EFFECT_RECORD : LINE_REFUSED;
	*a->wanted.record = '\0';
	return EFFECT_DRAW | EFFECT_RECORD;
}

static unsigned (*const acts[LINE_ACTS])(struct app *a, const char *value) = {
	[LINE_VIEW] = line_view, [LINE_SORT] = line_sort, [LINE_FILTER] = line_filter,
	[LINE_SEARCH] = line_search, [LINE_FRAME] = line_frame, [LINE_LAST] = line_last, [LINE_ZONE] = line_zone,
	[LINE_THREAD] = line_thread, [LINE_BUDGET] = line_budget, [LINE_WORST] = line_worst,
	[LINE_ZOOM] = line_zoom,
	[LINE_AGO] = line_ago, [LINE_AVERAGE] = line_average,
	[LINE_UNIT] = line_unit, [LINE_PRECISION] = line_precision, [LINE_THEME] = line_theme,
	[LINE_MARK] = line_mark, [LINE_GO_TO] = line_go_to, [LINE_ATTACH] = line_attach,
	[LINE_RECORD] = line_record,
	[LINE_EXPORT] = app_export_line,
};

static unsigned refuse_name(struct app *a, const char *name, size_t length)
{
	char near[128];

	line_command_near(name, length, near, sizeof(near));
	return refuse_line(a, *near ? "no command '%.*s'; did you mean %s?" : "no command '%.*s'; :help lists all "
	    "commands%s", (int)length,
		      name, near);
}

unsigned app_run_line(struct app *a, const char *line)
{
	const struct line_command *c;
	char copy[PROMPT_SIZE], *name = copy, *value;
	size_t length;
	long long number;
	unsigned effects;

	snprintf(copy, sizeof(copy), "%s", line);
	name += strspn(name, " :");
	for (length = strlen(name); length && name[length - 1] == ' ';)
		name[--length] = '\0';
	if (!*name)
		return EFFECT_DRAW;
	if (is_number(name, INT64_MIN, INT64_MAX, &number))
		return line_frame(a, name);
	length = strcspn(name, " ");
	value = name + length;
	value += strspn(value, " ");
	c = line_command_find(name, length);
	if (!c)
		return refuse_name(a, name, length);
	if (!c->value && *value)
		return refuse_line(a, ":%s takes no value", c->name);
	if (c->value && !c->optional && !*value)
		return refuse_line(a, ":%s needs a value: %s", c->name, c->value);
	if (c->act != LINE_KEY)
		return acts[c->act](a, value);
	effects = app_command(a, c->command);
	a->guide.all |= c->command == COMMAND_HELP; /* that page lists the typed commands */
	return effects;
}

/*
 * Tab behind `:`: the rest of a command or of its value, as far as it can only be that, and what it
 * can be.
 */

/* Value i that a command may have. NULL: there are no more; "": this place has none. Caller frees. */

static char *view_at(const struct app *a, uint32_t i)
{
	char name[32];

	if (i >= VIEWS)
		return NULL;
	snprintf(name, sizeof(name), "%s", a->views[i]->ops->name);
	*name = (char)tolower((unsigned char)*name);
	return strdup(name);
}

static char *column_at(const struct app *a, uint32_t i)
{
	char name[APP_COLUMN_NAME];

	if (i >= TABLE_COLUMNS)
		return NULL;
	return strdup(column_name(a, (int)i, name) ? name : "");
}

static char *zone_at(const struct app *a, uint32_t i)
{
	struct query *query = times_query(&a->at->times);
	const char *name;

	if (!query || i >= query_keys(query)->count)
		return NULL;
	name = keys_shown(query_keys(query), times_profile(&a->at->times), i);
	return strdup(i && name ? name : "");
}

static char *thread_at(const struct app *a, uint32_t i)
{
	const struct profile *p = times_profile(&a->at->times);

	if (!p || i > p->thread_count)
		return NULL;
	if (i == p->thread_count)
		return strdup("all");
	return p->threads[i].namesake == i ? name_safe(p->threads[i].name, a->style.ascii) : strdup("");
}

static char *average_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < AVERAGE_SLOTS ? strdup(average_names[i]) : NULL;
}

static char *unit_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < UNITS ? strdup(unit_names[i]) : NULL;
}

static char *worst_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < WORST_ORDERS ? strdup(worst_names[i]) : NULL;
}

static char *theme_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < THEMES ? strdup(theme_names[i]) : NULL;
}

static char *kind_at(const struct app *a, uint32_t i)
{
	(void)a;
	if (i >= FILE_KINDS)
		return NULL;
	return strdup(file_kinds[i].form == FILE_REPORT ? "" : file_kind_names[i]);
}

static char *mark_at(const struct app *a, uint32_t i)
{
	char name[2] = { (char)('a' + i), '\0' };

	if (i >= FRAME_MARKS)
		return NULL;
	return strdup(a->at->times.marks[i] ? name : "");
}

static char *command_at(const struct app *a, uint32_t i)
{
	(void)a;
	return i < line_command_count ? strdup(line_commands[i].name) : NULL;
}

typedef char *candidate(const struct app *a, uint32_t i);

static candidate *const candidates[LINE_ACTS] = {
	[LINE_VIEW] = view_at, [LINE_SORT] = column_at, [LINE_ZONE] = zone_at, [LINE_THREAD] = thread_at,
	[LINE_AVERAGE] = average_at, [LINE_UNIT] = unit_at, [LINE_THEME] = theme_at, [LINE_GO_TO] = mark_at,
	[LINE_EXPORT] = kind_at, [LINE_WORST] = worst_at,
};

/* The candidates that begin with the typed text. */
struct found {
	uint32_t count;
	char common[PROMPT_SIZE]; /* so far all begin */
	char list[256];
};

static void find_candidates(const struct app *a, candidate *at, const char *begun, struct found *f)
{
	size_t length = strlen(begun);
	char *name;

	*f = (struct found){ 0 };
	for (uint32_t i = 0; (name = at(a, i)); i++) {
		size_t used = strlen(f->list), same = 0;

		if (*name && !strncasecmp(name, begun, length)) {
			if (!f->count++)
				snprintf(f->common, sizeof(f->common), "%s", name);
			while (name[same] && name[same] == f->common[same])
				same++;
			while (same && ((unsigned char)f->common[same] & 0xc0) == 0x80)
				same--; /* no character is cut */
			f->common[same] = '\0';
			if (used + strlen(name) + 2 < sizeof(f->list))
				snprintf(f->list + used, sizeof(f->list) - used, "%s%s", used ? "  " : "", name);
		}
		free(name);
	}
}

/* The line with what was found in the place of what had been begun at `from`. */
static void take_found(struct app *a, size_t from, const struct found *f, const char *behind)
{
	char line[2 * PROMPT_SIZE];

	snprintf(line, sizeof(line), "%.*s%s%s", (int)from, a->ask.prompt.text, f->common, behind);
	if (strlen(line) < PROMPT_SIZE)
		prompt_begin(&a->ask.prompt, a->ask.prompt.label, line);
}

void app_complete(struct app *a)
{
	const char *text = a->ask.prompt.text;
	size_t from = strspn(text, " "), length = strcspn(text + from, " ");
	const struct line_command *c;
	candidate *at = command_at;
	struct found f;

	if (a->ask.prompt.cursor != a->ask.prompt.length)
		return;
	if (text[from + length]) { /* it is the value */
		c = line_command_find(text + from, length);
		at = c ? candidates[c->act] : NULL;
		from += length;
		from += strspn(text + from, " ");
	}
	if (!at)
		return;
	find_candidates(a, at, text + from, &f);
	if (!f.count) {
		app_say(a, "no match");
		return;
	}
	c = at == command_at && f.count == 1 ? line_command_find(f.common, strlen(f.common)) : NULL;
	if (strlen(f.common) >= strlen(text + from))
		take_found(a, from, &f, c && c->value ? " " : "");
	if (f.count > 1) {
		app_say(a, "%s", f.list);
		a->said.choices = true;
	}
}

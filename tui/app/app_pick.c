/* SPDX-License-Identifier: MIT */
/*
 * app_pick: what is chosen from a list: threads, the column to sort by, programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/table/line.h"
#include "model/table/spark.h"
#include "model/stats/thread_load.h"
#include "model/table/thread_table.h"
#include "tui/app/app_inside.h"
#include "tui/cells/figures.h"

/* Threads */

void app_choose_threads(struct app *a, uint32_t threads)
{
	const struct profile *p = times_profile(&a->at->times);
	uint32_t i = threads & ~THREADS_NAMED(0);

	a->choice.thread = threads == THREADS_ALL ? CHOOSE_ALL
		    : profile_merges(threads) ? CHOOSE_NAME
					      : CHOOSE_THREAD;
	if (threads != THREADS_ALL && i < p->thread_count) {
		a->choice.thread_id = p->threads[i].id;
		snprintf(a->choice.thread_name, sizeof(a->choice.thread_name), "%s", p->threads[i].name);
	}
	app_look(a);
}

/* All merged, then one thread after the other, around. */
unsigned app_turn_thread(struct app *a, int by)
{
	const struct profile *p = times_profile(&a->at->times);
	uint32_t now, count;

	if (!p)
		return EFFECT_NONE;
	now = app_threads(a, p);
	count = p->thread_count + 1;
	now = profile_merges(now) ? 0 : now + 1;
	now = (now + (by > 0 ? 1 : count - 1)) % count;
	app_show_top(a);
	app_choose_threads(a, now ? now - 1 : THREADS_ALL);
	return EFFECT_DRAW;
}

#define NAME_MOST 20  /* cells of a thread's name in the list, */
#define NAME_PART 3   /* and of the screen's width, */
#define NAME_LEAST 6  /* but so many of it all the same */
#define SPARK_CELLS 8
#define TIME_CELLS 7  /* of the time in a frame */
#define PERCENT_CELLS 7
#define AMOUNT_CELLS 10 /* of its amount of another measure */

/* Details between a name, how busy the thread is, and its open zone: as many as fit, in this order. OFF CPU may be
 * left out alone. */
enum { PART_AMOUNT, PART_WAITS, PART_OFF_CPU, PART_TREND, PART_LONGEST, PARTS };

static const int part_cells[PARTS] = { [PART_AMOUNT] = 9 + AMOUNT_CELLS, [PART_WAITS] = 8 + PERCENT_CELLS,
					[PART_OFF_CPU] = 10 + PERCENT_CELLS, [PART_TREND] = 2 + SPARK_CELLS,
					[PART_LONGEST] = 6 + TIME_CELLS };

#define BUSY_CELLS 14 /* with the gap in front of it */
#define ZONE_LEAST 14 /* likewise, of what a thread is in */
#define TITLE_WIDE 40 /* of the list, from where on its title says that it is of threads */
#define ZONE_NAME 4   /* of that, without the gap, in front of an id */

/* The list of threads while it is made. */
struct thread_list {
	struct app *app;
	const struct profile *p;
	struct thread_loads loads;
	uint32_t frames; /* that the loads are of */
	const struct values *amounts; /* of another measure; NULL: of time */
	uint32_t *order; /* threads as they stand in it */
	const struct figure_unit *unit; /* of all times in it */
	int name;  /* cells of that column */
	bool parts[PARTS]; /* which of them are there */
	bool brief; /* there is no room to say what is busy */
};

static const char *shown_name(char *name)
{
	return name && *name ? name : "(no name)";
}

/* The name in the cells of its column, blanks behind it. Where it is cut its end stays, which tells worker-1 from
 * worker-2. Caller frees. */
static char *name_in_column(const struct thread_list *l, uint32_t thread)
{
	char *name = name_safe(l->p->threads[thread].name, l->app->style.ascii), *out = NULL;
	struct pen pen = { 0 };
	size_t used = pen_clipped_middle(&pen, shown_name(name), (size_t)l->name, l->app->style.ascii, STYLE_NAME);
	struct layout_line line = pen_take(&pen);

	if (!line.text || asprintf(&out, "%s%*s", line.text, l->name - (int)used, "") < 0)
		out = NULL;
	free(line.text);
	free(line.spans);
	free(name);
	return out;
}

/* Blank if it is unknown or less than 1 %. */
static void put_off_cpu(const struct thread_list *l, const struct thread_load *load, char *out, size_t size)
{
	const struct load_amount *off = &load->amounts[AMOUNT_OFF_CPU];
	enum measure_known known = load_amount_known(off);
	char percent[64];
	int pad;

	if (known == MEASURE_UNKNOWN || off->sum < l->loads.wall / 100) {
		snprintf(out, size, "%*s", part_cells[PART_OFF_CPU], "");
		return;
	}
	snprintf(percent, sizeof(percent), "%s%s", known == MEASURE_KNOWN ? "" : l->app->style.ascii ? ">=" : "≥",
		 figure_percent((double)off->sum, (double)l->loads.wall).text);
	pad = PERCENT_CELLS - (int)text_width(percent);
	snprintf(out, size, "  %*s%s off CPU", pad > 0 ? pad : 0, "", percent);
}

static void put_part(const struct thread_list *l, uint32_t thread, const struct thread_load *load, int part, char *out, size_t size)
{
	char spark[SPARK_SIZE(SPARK_CELLS)];
	char amount[THREAD_AMOUNT];
	struct figure longest;
	int pad;

	*out = '\0';
	if (part == PART_AMOUNT) {
		thread_amount(amount, l->p, l->amounts, thread, l->app->style.ascii);
		pad = AMOUNT_CELLS - (int)text_width(amount);
		snprintf(out, size, "  %*s%s amount", pad > 0 ? pad : 0, "", amount);
		return;
	}
	if (part == PART_WAITS) {
		snprintf(out, size, "  %7s waits", figure_percent((double)load->waits, (double)l->loads.wall).text);
		return;
	}
	if (part == PART_OFF_CPU) {
		put_off_cpu(l, load, out, size);
		return;
	}
	if (part == PART_TREND) {
		spark_draw(load->frames, l->loads.count, THREAD_LOAD_FRAMES / SPARK_CELLS, SPARK_CELLS, l->app->style.ascii,
			   spark);
		snprintf(out, size, "  %s", spark);
		return;
	}
	longest = figure_timed(load->longest, l->p->ticks_per_s, l->unit, 3, l->app->style.ascii);
	pad = TIME_CELLS - (int)text_width(longest.text);
	snprintf(out, size, "  %*s%s max", pad > 0 ? pad : 0, "", longest.text);
}

/* ` 62.3 % busy   30.1 % waits  ▁▂▇▃▂▁▁▂   12.3 ms max  `; where there are no frames, nothing. */
static void load_text(const struct thread_list *l, uint32_t thread, char *out, size_t size)
{
	const struct thread_load *load = l->loads.threads ? &l->loads.threads[thread] : NULL;
	size_t used;

	*out = '\0';
	if (!load || l->loads.wall <= 0)
		return;
	used = (size_t)snprintf(out, size, "%7s%s", figure_percent((double)load->busy, (double)l->loads.wall).text,
				l->brief ? "" : " busy");
	for (int part = 0; part < PARTS; part++) {
		if (!l->parts[part])
			continue;
		put_part(l, thread, load, part, out + used, size - used);
		used += strlen(out + used);
	}
	snprintf(out + used, size - used, "  ");
}

/* The open zone of a thread, while the program is viewed live; "": not known, or the thread has ended. Caller
 * frees. */
static char *zone_text(const struct thread_list *l, uint32_t thread)
{
	const struct track *t = l->app->at;
	const struct open_stacks *open = t->times.paused ? NULL : t->stacks;
	bool known = false;
	const struct open_row *row =
		open ? open_stacks_innermost(open, l->p->threads[thread].id, thread, &known) : NULL;

	return row ? name_safe(open->zones[row->zone].name, l->app->style.ascii) : strdup(known ? "(no zone)" : "");
}

/* The text behind the zone, as many whole pieces as fit. Only the id tells threads of one name apart: for these
 * the zone is shortened. Returns how many cells the zone may take. */
static int put_tail(const struct thread_list *l, uint32_t i, int zone, int room, char *out, size_t size)
{
	const struct profile_thread *t = &l->p->threads[i];
	const char *parts[] = { t->state == THREAD_ENDED ? "  ended" : "", t->marking ? "  frame thread" : "" };
	bool shared = *t->name && profile_selected(l->p, THREADS_NAMED(t->namesake)) > 1;
	int used = snprintf(out, size, "%sid %llu", zone ? "  " : "", (unsigned long long)t->id);

	if (shared && zone + used > room) {
		zone = room - used < ZONE_NAME ? 0 : room - used;
		used = snprintf(out, size, "%sid %llu", zone ? "  " : "", (unsigned long long)t->id);
	}
	if (zone + used > room) {
		*out = '\0';
		return zone <= room ? zone : room < ZONE_NAME ? 0 : room;
	}
	for (size_t part = 0; part < sizeof(parts) / sizeof(*parts); part++)
		if (zone + used + (int)strlen(parts[part]) <= room)
			used += snprintf(out + used, size - (size_t)used, "%s", parts[part]);
	return zone;
}

/* Caller frees. NULL: out of memory. */
static char *thread_text(const struct thread_list *l, uint32_t i)
{
	char *name = name_in_column(l, i), *zone = zone_text(l, i), *text = NULL, load[192], tail[96];
	int room = (int)l->app->screen.width - PICKER_EDGE - l->name - 2;
	struct layout_line shown = { 0 };
	struct pen pen = { 0 };

	load_text(l, i, load, sizeof(load));
	if (name && zone) {
		int cells = put_tail(l, i, (int)text_width(zone), room - (int)text_width(load), tail, sizeof(tail));

		pen_clipped(&pen, zone, (size_t)cells, l->app->style.ascii, STYLE_NAME);
		shown = pen_take(&pen);
	}
	if (shown.text && asprintf(&text, "%s  %s%s%s", name, load, shown.text, tail) < 0)
		text = NULL;
	free(shown.text);
	free(shown.spans);
	free(name);
	free(zone);
	return text;
}

static void add_thread(const struct thread_list *l, uint32_t i)
{
	char *text = thread_text(l, i);

	if (text)
		picker_add(&l->app->ask.picker, i, "%s", text);
	free(text);
}

static void add_group(const struct thread_list *l, uint32_t i)
{
	char *name = name_in_column(l, i);

	picker_add(&l->app->ask.picker, THREADS_NAMED(i), "%s  %u threads of this name, merged", name ? name : "?",
		   profile_selected(l->p, THREADS_NAMED(i)));
	free(name);
}

static int part_width(const struct thread_list *l, int part)
{
	bool is_there = part == PART_AMOUNT    ? l->amounts != NULL
			: part == PART_OFF_CPU ? l->loads.measures[AMOUNT_OFF_CPU] != PROFILE_NONE
					       : true;

	return is_there ? part_cells[part] : 0;
}

static void measure_threads(struct thread_list *l)
{
	int width = (int)l->app->screen.width, left;

	for (uint32_t i = 0; i < l->p->thread_count; i++) {
		char *name = name_safe(l->p->threads[i].name, l->app->style.ascii);
		int cells = (int)text_width(shown_name(name));

		l->name = cells > l->name ? cells : l->name;
		free(name);
	}
	l->name = l->name < NAME_MOST ? l->name : NAME_MOST;
	if (l->name > width / NAME_PART)
		l->name = width / NAME_PART < NAME_LEAST ? NAME_LEAST : width / NAME_PART;
	l->brief = width - PICKER_EDGE < l->name + BUSY_CELLS;
	left = width - PICKER_EDGE - l->name - BUSY_CELLS - (l->app->at->times.paused ? 0 : ZONE_LEAST);
	for (int part = 0; part < PARTS; part++) {
		int cells = part_width(l, part);

		l->parts[part] = cells && cells <= left;
		left -= l->parts[part] ? cells : 0;
		if (cells && !l->parts[part] && part != PART_OFF_CPU)
			return;
	}
}

static void list_threads(struct thread_list *l)
{
	const struct profile *p = l->p;
	struct picker *picker = &l->app->ask.picker;

	thread_loads_order(&l->loads, p, l->order);
	picker_add(picker, THREADS_ALL, "all threads, merged");
	for (uint32_t i = 0; i < p->thread_count; i++)
		if (*p->threads[i].name && p->threads[i].namesake == i && profile_selected(p, THREADS_NAMED(i)) > 1)
			add_group(l, i);
	for (uint32_t i = 0; i < p->thread_count; i++)
		add_thread(l, l->order[i]);
}

/* Covers the selected frames. If none are selected, it covers the newest ones up to the frame on the screen. */
static void make_loads(struct thread_list *l)
{
	const struct times *t = &l->app->at->times;
	uint32_t first = 0, count = t->selected_first ? profile_frame_range(l->p, t->selected_first, t->selected_last, &first) : 0;
	struct values *v = count ? values_of_frames(l->p, first, count) : NULL;

	if (v && thread_loads_cover(&l->loads, l->p, v, first, count))
		l->frames = count;
	else if (!count && thread_loads_make(&l->loads, l->p, t->chosen))
		l->frames = l->loads.count;
	values_free(v);
}

/* `Threads, last 64 frames (max: longest busy time)`: which frames the figures are of. */
static void title_threads(const struct thread_list *l)
{
	const struct app *a = l->app;
	const struct times *t = &a->at->times;
	bool wide = (int)a->screen.width - PICKER_EDGE > TITLE_WIDE;
	char frames[64];

	if (t->selected_first)
		snprintf(frames, sizeof(frames), "%s selected frames", figure_grouped(l->frames).text);
	else if (t->chosen)
		snprintf(frames, sizeof(frames), "%u frame%s up to #%s", l->frames, l->frames == 1 ? "" : "s", figure_grouped(t->chosen).text);
	else
		snprintf(frames, sizeof(frames), "last %u frames", l->frames);
	snprintf(l->app->ask.picker.title, PICKER_TITLE, "%s%s%s", !l->frames ? "Threads" : wide ? "Threads, " : "",
		 l->frames ? frames : "", l->frames && l->parts[PART_LONGEST] ? " (max: longest busy time)" : "");
}

static struct thread_list begin_list(struct app *a, const struct profile *p)
{
	struct thread_list l = { .app = a, .p = p };
	int64_t longest = 0;

	make_loads(&l);
	for (uint32_t i = 0; l.loads.threads && i < p->thread_count; i++)
		if (l.loads.threads[i].longest > longest)
			longest = l.loads.threads[i].longest;
	l.unit = figure_unit_for(longest, p->ticks_per_s);
	l.amounts = app_measure(a, p) != MEASURE_SELF ? query_values(times_query(&a->at->times)) : NULL;
	measure_threads(&l);
	title_threads(&l);
	return l;
}

unsigned app_pick_thread(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->at->times);
	struct thread_list l;
	uint32_t now;

	(void)unused;
	if (!p)
		return EFFECT_NONE;
	now = app_threads(a, p);
	picker_begin(&a->ask.picker, "Threads");
	l = begin_list(a, p);
	l.order = array_zeroed(p->thread_count, sizeof(*l.order));
	if (l.order)
		list_threads(&l);
	thread_loads_fini(&l.loads);
	free(l.order);
	for (uint32_t i = 0; i < a->ask.picker.count; i++)
		if (a->ask.picker.items[i].value == now)
			a->ask.picker.at = i;
	a->ask.overlay = OVERLAY_PICKER;
	a->ask.command = COMMAND_THREADS;
	return EFFECT_DRAW;
}

bool app_picks_threads(const struct app *a)
{
	return a->ask.overlay == OVERLAY_PICKER && a->ask.command == COMMAND_THREADS;
}

/* Each row stays where it is; a thread that came since is in the list when it is opened again. */
void app_renew_threads(struct app *a)
{
	const struct profile *p = times_profile(&a->at->times);
	struct thread_list l;

	if (!p || !app_picks_threads(a))
		return;
	l = begin_list(a, p);
	for (uint32_t i = 0; i < a->ask.picker.count; i++)
		if (a->ask.picker.items[i].value < p->thread_count)
			picker_say(&a->ask.picker, i, thread_text(&l, (uint32_t)a->ask.picker.items[i].value));
	thread_loads_fini(&l.loads);
}

/* Measures */

uint32_t app_measure(const struct app *a, const struct profile *p)
{
	uint32_t measure = *a->choice.measure ? profile_find_measure(p, a->choice.measure) : MEASURE_SELF;

	return measure != PROFILE_NONE && measure_is_shown(p, measure) ? measure : MEASURE_SELF;
}

bool app_shows_amounts(const struct app *a)
{
	struct query *q = times_query(&a->at->times);

	return q && query_options(q)->measure != MEASURE_SELF;
}

unsigned app_pick_measure(struct app *a, int unused)
{
	const struct profile *p = times_profile(&a->at->times);

	(void)unused;
	if (!p)
		return EFFECT_NONE;
	picker_begin(&a->ask.picker, "Measures");
	for (uint32_t i = 0; i < p->measure_count; i++) {
		const struct profile_measure *m = &p->measures[i];
		char *key = measure_is_shown(p, i) ? name_safe(m->key, a->style.ascii) : NULL;

		if (key && picker_add(&a->ask.picker, i, "%-16s %-8s %s", key, m->unit == MEASURE_TICKS ? "time" : measure_unit_names[m->unit],
				      measure_help(m->key)) && i == app_measure(a, p))
			a->ask.picker.at = a->ask.picker.count - 1;
		free(key);
	}
	a->ask.overlay = OVERLAY_PICKER;
	a->ask.command = COMMAND_AMOUNTS;
	return EFFECT_DRAW;
}

void app_choose_measure(struct app *a, uint32_t measure)
{
	const struct profile *p = times_profile(&a->at->times);

	if (!p || !measure_is_shown(p, measure) || strlen(p->measures[measure].key) >= sizeof(a->choice.measure))
		return;
	snprintf(a->choice.measure, sizeof(a->choice.measure), "%s", measure == MEASURE_SELF ? "" : p->measures[measure].key);
	app_look(a);
}

/* Order */

unsigned app_sort_by(struct app *a, int column)
{
	struct view *v = app_view(a);

	v->invert = false;
	v->sort = column;
	if (!a->choice.follows)
		table_home(&v->table);
	a->stale = true;
	return EFFECT_DRAW;
}

static unsigned say_own_order(struct app *a)
{
	app_say(a, app_view(a)->table.rows ? "these rows cannot be sorted" : "no rows to sort");
	return EFFECT_DRAW;
}

unsigned app_sort_beside(struct app *a, int step)
{
	int column = table_beside(&app_view(a)->table, step);

	return column < 0 ? say_own_order(a) : app_sort_by(a, column);
}

unsigned app_invert(struct app *a, int unused)
{
	(void)unused;
	if (table_sorted(&app_view(a)->table) < 0)
		return say_own_order(a);
	app_view(a)->invert = !app_view(a)->invert;
	if (!a->choice.follows)
		table_home(&app_view(a)->table);
	a->stale = true;
	return EFFECT_DRAW;
}

unsigned app_pick_column(struct app *a, int unused)
{
	const struct table *t = &app_view(a)->table;
	int sorted = table_sorted(t);

	(void)unused;
	if (sorted < 0)
		return say_own_order(a);
	picker_begin(&a->ask.picker, "Sort by");
	for (int c = 0; c < TABLE_COLUMNS; c++) {
		const char *title = table_title(t, c);

		if (title && picker_add(&a->ask.picker, (uint64_t)c, "%s", title) && c == sorted)
			a->ask.picker.at = a->ask.picker.count - 1;
	}
	a->ask.overlay = OVERLAY_PICKER;
	a->ask.command = COMMAND_SORT;
	return EFFECT_DRAW;
}

/* The programs that can be looked at */

void app_regions_forget(struct app *a)
{
	for (uint32_t i = 0; i < a->ask.region_count; i++)
		free(a->ask.regions[i]);
	free(a->ask.regions);
	a->ask.regions = NULL;
	a->ask.region_count = a->ask.region_capacity = 0;
}

void app_region(struct app *a, const char *name, const char *shown)
{
	char *copy = NULL;

	if (!array_reserve(&a->ask.regions, &a->ask.region_capacity, (uint64_t)a->ask.region_count + 1,
			   sizeof(*a->ask.regions)) ||
	    !(copy = strdup(name)) || !picker_add(&a->ask.picker, a->ask.region_count, "%s", shown)) {
		free(copy);
		return;
	}
	a->ask.regions[a->ask.region_count++] = copy;
}

void app_regions_begin(struct app *a)
{
	app_regions_forget(a);
	picker_begin(&a->ask.picker, "Programs");
}

void app_regions_end(struct app *a)
{
	if (!a->ask.picker.count) {
		app_say(a, "no program publishes here. Start one with PROF_SHM=name, or open a file with :attach FILE");
		return;
	}
	picker_add(&a->ask.picker, a->ask.region_count, ":attach FILE opens a recording");
	a->ask.overlay = OVERLAY_PICKER;
	a->ask.command = COMMAND_REGIONS;
}

/* What was picked */

static unsigned take_picked(struct app *a)
{
	uint64_t value = a->ask.picker.items[a->ask.picker.at].value;

	if (a->ask.command == COMMAND_THREADS) {
		app_show_top(a);
		app_choose_threads(a, (uint32_t)value);
	} else if (a->ask.command == COMMAND_WHY_BASE) {
		app_picked_base(a, value);
	} else if (a->ask.command == COMMAND_EXPORT) {
		app_ask_export(a, (int)value);
	} else if (a->ask.command == COMMAND_SORT) {
		app_sort_by(a, (int)value);
	} else if (a->ask.command == COMMAND_AMOUNTS) {
		app_choose_measure(a, (uint32_t)value);
	} else if (value < a->ask.region_count) {
		snprintf(a->wanted.turn, sizeof(a->wanted.turn), "%s", a->ask.regions[value]);
		return EFFECT_DRAW | EFFECT_TURN;
	} else {
		app_ask(a, COMMAND_LINE, ":", "attach ");
	}
	return EFFECT_DRAW;
}

unsigned app_picked(struct app *a, enum picker_result result)
{
	if (result == PICKER_GOES_ON)
		return EFFECT_DRAW;
	a->ask.overlay = OVERLAY_NONE;
	return result == PICKER_DONE ? take_picked(a) : EFFECT_DRAW;
}

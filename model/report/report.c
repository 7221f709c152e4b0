/* SPDX-License-Identifier: MIT */
#include "model/report/report.h"

#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/report/report_rows.h"

/* Preparing */

/* The zones that `text` may mean, as a user has to write them: "a@x.c:1, a@y.c:2". */
static void list_places(const struct making *m, const char *text, const char *shown, char *out,
			size_t size)
{
	size_t at = 0;

	*out = '\0';
	for (uint32_t i = 0; i < m->keys->count; i++) {
		const struct profile_zone *zone = &m->p->zones[m->keys->keys[i].zone];
		char *file = name_escape(zone->file, strlen(zone->file));
		bool same = !strcmp(zone->name, text) && m->keys->keys[i].depth == 1;

		if (file && same && at + strlen(shown) + strlen(file) + 32 < size)
			at += (size_t)snprintf(out + at, size - at, "%s%s@%s:%u", at ? ", " : "",
					       shown, file, zone->line);
		free(file);
	}
}

static enum report_error focus_find(struct making *m, char *why, size_t why_size)
{
	const char *text = m->options->zone;
	enum keys_lookup found;
	char *shown, places[512];

	m->focus = m->options->focus;
	if (m->options->view != REPORT_GRAPH || (!text && m->focus < m->keys->count))
		return REPORT_OK;
	if (!text) {
		snprintf(why, why_size, "a call graph needs a zone: choose one");
		return REPORT_NEEDS_ZONE;
	}
	found = keys_parse(m->keys, m->p, text, &m->focus);
	if (found == KEYS_FOUND)
		return REPORT_OK;
	shown = name_escape(text, strlen(text));
	if (!shown) {
		snprintf(why, why_size, "out of memory");
		return REPORT_NO_MEMORY;
	}
	list_places(m, text, shown, places, sizeof(places));
	if (found == KEYS_NO_ZONE)
		snprintf(why, why_size, "no zone '%s' has been entered", shown);
	else
		snprintf(why, why_size, "several zones are called '%s'. Choose one by its source line: %s",
			 shown, places);
	free(shown);
	return found == KEYS_NO_ZONE ? REPORT_NO_SUCH_ZONE : REPORT_AMBIGUOUS_ZONE;
}

/* Does the zone call another? Calls of itself alone do not count, and functions
 * below it count for samples alone. */
static bool calls_find(struct making *m)
{
	bool of_samples = m->p->measures[m->v->measure].unit == MEASURE_SAMPLES;

	m->calls = array_zeroed(m->keys->count, sizeof(*m->calls));
	if (!m->calls)
		return false;
	for (uint32_t i = 0; i < m->keys->node_count; i++) {
		uint32_t parent = m->p->nodes[i].parent;

		if (parent != PROFILE_NONE && m->keys->of_node[parent] != m->keys->of_node[i] &&
		    (of_samples || !(m->p->zones[m->p->nodes[i].zone].flags & ZONE_FUNCTION)))
			m->calls[m->keys->of_node[parent]] = true;
	}
	m->calls[PROFILE_NO_ZONE] = false;
	return true;
}

/* Sections */

static char *thread_name(const struct profile *p, uint32_t thread)
{
	const char *name = p->threads[thread].name;
	char *shown;

	if (*name)
		return name_escape(name, strlen(name));
	shown = malloc(40);
	if (shown)
		snprintf(shown, 40, "thread %llu", (unsigned long long)p->threads[thread].id);
	return shown;
}

char *report_threads(const struct profile *p, uint32_t selection)
{
	uint32_t count = profile_selected(p, selection);
	char *name, *shown;

	if (selection == THREADS_ALL)
		return strdup("all threads");
	if (!count)
		return strdup("no thread");
	name = thread_name(p, selection & ~THREADS_NAMED(0));
	if (!name || count < 2)
		return name;
	shown = malloc(strlen(name) + 40);
	if (shown)
		sprintf(shown, "%s (%u threads)", name, count);
	free(name);
	return shown;
}

static bool makes_stats(const struct making *m)
{
	return m->options->per_frame && !m->options->stats && m->report->columns >> COLUMN_FRAMES & 1;
}

/* Statistics of the covered frames. A run and a fading average have those of all frames that are held. NULL: out
 * of memory, or the view has no statistics. */
static struct zone_stats *stats_make(struct making *m, uint32_t thread)
{
	struct scope scope = { .keys = m->keys, .threads = thread, .measure = m->v->measure };
	uint32_t first, count = profile_frame_range(m->p, m->v->first_frame, m->v->last_frame, &first);

	if (!makes_stats(m) || (!m->tally.store && !tally_init(&m->tally)))
		return NULL;
	return zone_stats_of_frames(m->p, &scope, &m->tally, first, count, report_extent(m->options->view));
}

static bool section_make(struct making *m, uint32_t thread)
{
	struct report *r = m->report;
	struct report_section *section = &r->sections[r->section_count];
	char *name = report_threads(m->p, thread);
	struct zone_stats *stats;
	bool done;

	r->store->thread_names[r->section_count++] = name;
	section->name = name;
	section->thread = thread;
	section->before = m->row_count;
	stats = stats_make(m, thread);
	m->stats = stats ? stats : m->options->stats;
	done = name && (stats || !makes_stats(m)) && rows_draft(m, section) && rows_arrange(m, section);
	m->row_count += section->row_count;
	zone_stats_free(stats);
	free(m->drafts);
	m->stats = NULL;
	m->drafts = NULL;
	return done;
}

/* A thread that ended has a section only if it has time here. */
static bool has_something(const struct making *m, uint32_t thread)
{
	return m->p->threads[thread].state == THREAD_LIVE || m->v->time[thread];
}

static bool sections_make(struct making *m)
{
	struct report *r = m->report;
	bool each = m->options->thread == THREADS_EACH;
	uint32_t count = each ? m->v->thread_count : 1;

	r->sections = array_zeroed(count, sizeof(*r->sections));
	r->store->thread_names = array_zeroed(count, sizeof(*r->store->thread_names));
	if (!r->sections || !r->store->thread_names)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if ((!each || has_something(m, i)) && !section_make(m, each ? i : m->options->thread))
			return false;
	return true;
}

/* The report as a whole */

static enum column default_sort(enum report_view view)
{
	return view == REPORT_SELF ? COLUMN_SELF : COLUMN_HIER;
}

/* Whether the longest call of no node is known: slices that a reader infers from totals have none. */
static bool knows_no_longest(const struct values *v)
{
	bool unknown = false;

	for (uint32_t i = 0; i < v->node_count; i++) {
		if (v->longest[i] && v->longest[i] != PROFILE_LONGEST_UNKNOWN)
			return false;
		unknown |= v->longest[i] == PROFILE_LONGEST_UNKNOWN;
	}
	return unknown;
}

/* The columns that the view has for these values. */
static uint32_t columns_offered(const struct making *m)
{
	const struct report_options *o = m->options;
	uint32_t columns = 0;

	for (enum column c = 0; c < COLUMNS; c++)
		if (report_columns[c].views >> o->view & 1)
			columns |= 1u << c;
	if (!o->heat && !o->heat_later)
		columns &= ~(1u << COLUMN_HEAT);
	if (!o->trend && !o->trend_later)
		columns &= ~(1u << COLUMN_TREND);
	if (!o->base)
		columns &= ~(1u << COLUMN_DELTA);
	if (o->view == REPORT_TREE && o->bottom_up) /* of a zone's self time, by who called it */
		columns &= ~(1u << COLUMN_SELF | 1u << COLUMN_AVG_SELF | 1u << COLUMN_MAX);
	if (m->v->measure != MEASURE_SELF || (o->watched && knows_no_longest(m->v))) /* single calls are of time */
		columns &= ~(1u << COLUMN_MAX);
	if (o->thread == THREADS_EACH || profile_selected(m->p, o->thread) < 2)
		columns &= ~(1u << COLUMN_THREADS);
	/* On the screen, statistics cover the newest frames only: their number is known, and the first one means
	 * nothing. */
	if (o->watched)
		columns &= ~(1u << COLUMN_FRAMES | 1u << COLUMN_FIRST);
	return columns;
}

/* Entries a second are there where they are sorted by, and of a program that marks no frames. */
static uint32_t columns_shown(const struct making *m, uint32_t columns)
{
	const struct report_options *o = m->options;

	if (!o->per_frame)
		columns &= (1u << COLUMN_FRAMES) - 1;
	if (!o->per_frame && o->sort != COLUMN_RATE && !m->report->unmarked)
		columns &= ~(1u << COLUMN_RATE);
	for (enum column c = 0; o->watched && c < COLUMNS; c++)
		if (column_is_asked(c) && c != o->sort)
			columns &= ~(1u << c);
	return columns;
}

/* Frames that proftop cuts itself are of no length that means anything to the program. */
static bool is_unmarked(const struct profile *p)
{
	return p->frame_count ? p->frames[p->frame_count - 1].flags & FRAME_GUESSED : !p->frames_ended;
}

/* Units of time are of times alone. Of other amounts, the finest one asks for plain numbers. */
static enum unit unit_asked(const struct report *r, enum unit unit)
{
	if (per_s_is_time(r->ticks_per_s) || unit == UNIT_PCT)
		return unit;
	return unit != UNIT_NS ? UNIT_AUTO : r->ticks_per_s == PER_S_BYTES ? UNIT_BYTES : UNIT_COUNT;
}

static void report_describe(struct making *m)
{
	const struct report_options *o = m->options;
	const struct values *v = m->v;
	struct report *r = m->report;

	r->view = o->view;
	r->each = o->thread == THREADS_EACH;
	r->bottom_up = o->view == REPORT_TREE && o->bottom_up;
	r->spread = o->spread;
	r->scale = v->scale;
	r->measure = v->measure;
	r->wall = values_whole(v);
	r->ticks_per_s = measure_per_s(m->p, v->measure);
	r->frames = v->frames;
	r->first_frame = v->first_frame;
	r->last_frame = v->last_frame;
	r->average = v->average;
	r->incomplete = v->incomplete;
	r->asked = unit_asked(r, o->unit);
	r->unit = r->asked == UNIT_AUTO ? report_wall_unit(r) : r->asked;
	r->trend = o->trend;
	if (o->base)
		snprintf(r->base, sizeof(r->base), "vs %s", o->base_name ? o->base_name : "base");
	r->precision = o->precision;
	r->unmarked = is_unmarked(m->p);
	r->mean_of_cut = r->unmarked && v->average;
	r->offered = columns_offered(m);
	r->columns = columns_shown(m, r->offered);
	r->sort = o->sort < COLUMNS && r->columns >> o->sort & 1 ? o->sort : default_sort(o->view);
	r->descending = report_columns[r->sort].ascending == o->invert;
}

/* The names of all keys, one behind the other: rows come and go with the report, the keys' own do
 * not. */
static bool names_copy(struct making *m)
{
	struct report_store *s = m->report->store;
	size_t size = 1;
	char *at;

	s->names = array_zeroed(m->keys->count, sizeof(*s->names));
	for (uint32_t i = 0; s->names && i < m->keys->count; i++) {
		s->names[i] = keys_shown(m->keys, m->p, i);
		if (!s->names[i])
			return false;
		size += strlen(s->names[i]) + 1;
	}
	at = s->text = malloc(size);
	if (!s->names || !at)
		return false;
	for (uint32_t i = 0; i < m->keys->count; i++) {
		size_t length = strlen(s->names[i]) + 1;

		s->names[i] = memcpy(at, s->names[i], length);
		at += length;
	}
	return true;
}

static bool report_fill(struct making *m)
{
	struct report *r = m->report;

	r->store = calloc(1, sizeof(*r->store));
	if (!r->store || !names_copy(m) || (m->options->view != REPORT_TREE && !calls_find(m)))
		return false;
	report_describe(m);
	if (r->view == REPORT_GRAPH) {
		r->focus = strdup(r->store->names[m->focus]);
		if (!r->focus)
			return false;
	}
	if (!rows_find_places(m) || !sections_make(m))
		return false;
	report_units(r);
	return true;
}

static enum report_error report_try(struct making *m, char *why, size_t why_size)
{
	enum report_error error;

	if (!pattern_init(&m->filter, m->options->filter, why, why_size))
		return REPORT_BAD_FILTER;
	error = focus_find(m, why, why_size);
	if (error)
		return error;
	m->report = calloc(1, sizeof(*m->report));
	if (m->report && report_fill(m))
		return REPORT_OK;
	snprintf(why, why_size, "out of memory");
	return REPORT_NO_MEMORY;
}

enum report_error report_make(const struct profile *p, const struct values *v,
			      const struct report_options *options, struct report **out,
			      char *why, size_t why_size)
{
	struct making m = { .p = p, .v = v, .options = options, .keys = options->keys };
	struct keys *own = NULL;
	enum report_error error = REPORT_NO_MEMORY;

	*out = NULL;
	if (!m.keys) {
		own = keys_new(options->spread);
		if (own && keys_update(own, p))
			m.keys = own;
	}
	if (m.keys)
		error = report_try(&m, why, why_size);
	else
		snprintf(why, why_size, "out of memory");
	if (error)
		report_free(m.report);
	else
		*out = m.report;
	pattern_fini(&m.filter);
	tally_fini(&m.tally);
	free(m.calls);
	free(m.knows);
	flat_fini(&m.flat);
	flat_fini(&m.flat_base);
	lookup_fini(&m.places);
	keys_free(own);
	return error;
}

void report_free(struct report *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; i < r->section_count; i++) {
		free(r->sections[i].rows);
		free(r->store->thread_names[i]);
	}
	if (r->store) {
		free(r->store->text);
		free(r->store->names);
		free(r->store->thread_names);
	}
	free(r->store);
	free(r->sections);
	free(r->focus);
	free(r);
}

const char *report_title(const struct report *r, enum column column)
{
	if (column == COLUMN_HIER && r->bottom_up) /* it is that of the zone that a stack began with */
		column = COLUMN_SELF;
	return column == COLUMN_DELTA && *r->base ? r->base : report_columns[column].title;
}

uint32_t report_trend(const struct report *r, const struct report_row *row,
		      int64_t out[TREND_FRAMES])
{
	bool by_self = r->view == REPORT_SELF || row->role == ROW_NO_ZONE;

	if (!(row->shown >> COLUMN_TREND & 1))
		return 0;
	return trend_values(r->trend, row->key, by_self ? EXTENT_SELF : EXTENT_HIER, out);
}

int64_t report_longest(const struct report_section *section)
{
	for (uint32_t i = 0; i < section->row_count; i++)
		if (section->rows[i].role == ROW_FOCUS)
			return section->rows[i].values[COLUMN_MAX].exact;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "io/export/export_calls.h"
#include "io/export/export_table.h"
#include "io/export/export_timeline.h"
#include "io/export/export_values.h"
#include "io/export/export_why.h"
#include "io/export/title.h"
#include "model/query/overhead.h"
#include "model/report/zone_table.h"
#include "model/stats/cause.h"
#include "model/stats/frame_stats.h"
#include "model/stats/statistics.h"
#include "model/table/event_table.h"

#define CAUSE_COUNTERS 5 /* of a line */

/* The first lines: the process and its frames */

static void put_count(struct title_line *line, const char *format, unsigned long long count)
{
	char text[128];

	snprintf(text, sizeof(text), format, count);
	title_field(line, text);
}

/* Frame times in ms, of those that are covered, or of all that are held; so it is where one frame alone is covered, which
 * is set against them. Those that were kept alone are for being long: the longest is one of them, and no percentile. */
static void put_frame_times(struct title_line *line, const struct export *e)
{
	const struct profile *p = e->profile;
	uint32_t first = e->chosen ? 0 : e->first, count = e->chosen ? p->frame_count : e->count;
	int64_t longest = frames_longest(p, first, count);
	struct statistics lengths;
	char p50[32], p99[32], max[32], text[128];
	uint64_t discarded = 0;

	for (; count && p->frames[first].flags & FRAME_KEPT; first++)
		count--;
	if (!statistics_of_lengths(p, first, count, &lengths) || !lengths.count)
		return;
	format_time_shown(p50, sizeof(p50), lengths.median, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	format_time_shown(p99, sizeof(p99), lengths.p99, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	format_time_shown(max, sizeof(max), longest, 1, p->ticks_per_s, UNIT_MS, -1, 0);
	snprintf(text, sizeof(text), "frame ms: p50 %s p99 %s max %s", p50, p99, max);
	title_field(line, text);
	if (!e->asked && p->frames[first].number > 1)
		put_count(line, "(of the last %llu frames; max also of retained ones)", lengths.count);
	for (uint32_t i = first; i < first + count; i++)
		discarded += (p->frames[i].flags & FRAME_DISCARDED) != 0;
	if (discarded)
		put_count(line, discarded == 1 ? "(%llu discarded frame not counted)" : "(%llu discarded frames not counted)", discarded);
}

static void put_process(const struct export *e, const struct export_style *style, FILE *out)
{
	struct title_line line = { .out = out, .width = style->width };

	title_process(&line, e->profile, style);
	put_count(&line, e->profile->frames_ended == 1 ? "%llu frame" : "%llu frames",
		  (unsigned long long)e->profile->frames_ended);
	put_frame_times(&line, e);
	title_end(&line);
}

/* The line above the table: what the numbers are of */

/* Returns the median length of a frame and its two neighbours, because the last
 * frame may be shorter. */
static int64_t usual_length(const struct profile *p, const struct profile_frame *f)
{
	uint32_t at = (uint32_t)(f - p->frames);
	int64_t before = at ? f[-1].length : f->length, behind = at + 1 < p->frame_count ? f[1].length : before;
	int64_t least = before < behind ? before : behind, most = before < behind ? behind : before;

	return f->length < least ? least : f->length > most ? most : f->length;
}

/* Prints the length in the largest unit in which it is whole, to 1 %. */
static void put_guessed(struct title_line *line, const struct profile *p, const struct profile_frame *f)
{
	static const struct {
		int64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	const int64_t ns = format_ns(usual_length(p, f), p->ticks_per_s);
	size_t unit = 0;
	char text[96];
	int64_t value;

	while ((value = (ns + units[unit].ns / 2) / units[unit].ns) * units[unit].ns > ns + ns / 100 ||
	       value * units[unit].ns < ns - ns / 100)
		unit++;
	snprintf(text, sizeof text, "made by proftop, %lld %s each, as the program marks none", (long long)value,
		 units[unit].name);
	title_field(line, text);
}

/* Says who made the frames, if the program did not. */
static void put_cutter(struct title_line *line, const struct export *e)
{
	const struct profile_frame *f = NULL;

	if (e->values->frames)
		f = profile_find_frame(e->profile, e->values->last_frame);
	if (f && f->flags & FRAME_GUESSED)
		put_guessed(line, e->profile, f);
	else if (f && f->flags & FRAME_TIMER)
		title_field(line, "made by the timer of libprof");
}

/* The unit of times in the title. `unit` is that of the report's amounts. If these are of another measure than time, the
 * title has the unit that the user chose, or the one that suits the covered time. */
static enum unit title_unit(const struct export *e, enum unit unit)
{
	enum unit asked = e->report->asked;

	if (e->report->measure == MEASURE_SELF)
		return e->report->unit == UNIT_PCT ? UNIT_MS : unit;
	if (asked == UNIT_MS || asked == UNIT_US || asked == UNIT_NS)
		return asked;
	return unit_for(e->values->wall / e->values->scale, e->profile->ticks_per_s);
}

/* One frame: that which is covered, or what it is set against. */
static void put_frame(struct title_line *line, const struct export *e, const struct values *v, const char *before,
		      const char *role, const struct export_style *style)
{
	const struct report *r = e->report;

	title_frame(line, e->profile, &(struct title_frame){
		.before = before, .role = role, .number = v->last_frame, .ticks = v->wall, .scale = v->scale,
		.unit = r ? title_unit(e, r->unit) : UNIT_MS, .precision = r ? r->precision : -1 }, style);
}

static void put_span_of_frames(struct title_line *line, const struct export *e, const struct export_style *style)
{
	const struct values *v = e->values;
	char text[160] = "no frames";

	if (v->frames && !v->first_frame) /* of an average that fades */
		snprintf(text, sizeof(text), "%llu frames up to %llu", (unsigned long long)v->frames,
			 (unsigned long long)v->last_frame);
	else if (v->frames)
		snprintf(text, sizeof(text), "%llu frames, %llu to %llu",
			 (unsigned long long)v->frames, (unsigned long long)v->first_frame,
			 (unsigned long long)v->last_frame);
	if (v->frames && v->first_frame == v->last_frame)
		put_frame(line, e, v, "", NULL, style);
	else
		title_field(line, text);
	if (e->base)
		put_frame(line, e, e->base, "against ", e->base_role ? e->base_role : "the median", style);
	put_cutter(line, e);
	if (e->asked > v->frames)
		put_count(line, "(of %llu requested)",
			  (unsigned long long)e->asked);
}

/* Prints the frames per second, and how much of the time is in frames. Prints
 * nothing for frames that proftop or a timer made: their rate says nothing
 * about the program. */
static void put_rate(struct title_line *line, const struct export *e)
{
	const struct profile *p = e->profile;
	const struct values *v = e->values;
	uint32_t flags = p->frame_count ? p->frames[p->frame_count - 1].flags : 0;
	double rate = values_frame_rate(v, p);
	char text[64], number[32];

	if (rate <= 0 || flags & (FRAME_GUESSED | FRAME_TIMER))
		return;
	format_fixed(number, sizeof(number), rate, 1);
	snprintf(text, sizeof(text), "%s fps", number);
	title_field(line, text);
	if (v->wall >= v->elapsed)
		return;
	format_fixed(number, sizeof(number), (double)v->wall / (double)v->elapsed * 100, 1);
	snprintf(text, sizeof(text), "in frames %s %% of the time", number);
	title_field(line, text);
}

static void put_average(struct title_line *line, const struct export *e)
{
	char text[96], seconds[32];

	format_fixed(seconds, sizeof(seconds), average_seconds(e->average), 1);
	if (e->average == AVERAGE_FAST || e->average == AVERAGE_SLOW)
		snprintf(text, sizeof(text), "average frame, %s (%s s)", average_names[e->average], seconds);
	else
		snprintf(text, sizeof(text), "average frame, %s", average_names[e->average]);
	title_field(line, text);
	put_rate(line, e);
}

/* How much of it was more than there was to take, where that is a tenth or more: then a pair costs less here than
 * when it was calibrated. Mostly it costs more: what that may be is said, too. */
static void put_less_overhead(struct title_line *line, const struct export *e)
{
	double left = e->values->overhead_left, whole = e->values->overhead + left;
	char text[128], pair_ns[48], cold_ns[48];
	int length;

	format_fixed(pair_ns, sizeof(pair_ns), e->profile->process.pair_ns, 1);
	format_fixed(cold_ns, sizeof(cold_ns), e->profile->process.pair_cold_ns, 1);
	length = snprintf(text, sizeof(text), "profiling cost subtracted (at least %s ns per call", pair_ns);
	if (overhead_pair_cold(e->profile) > 0)
		length += snprintf(text + length, sizeof(text) - (size_t)length, ", %s cold", cold_ns);
	snprintf(text + length, sizeof(text) - (size_t)length, ")");
	title_field(line, text);
	if (whole > 0 && left >= whole / 10)
		put_count(line, "%llu %% of it exceeds the measured times", (unsigned long long)(left / whole * 100 + 0.5));
}

/* Names what is missing: threads of the whole run, slices of frames. */
static void put_incomplete(struct title_line *line, const struct export *e, bool ascii)
{
	const struct profile *p = e->profile;

	if (!e->whole_run && e->values->incomplete)
		put_count(line, e->values->incomplete == 1 ? "%llu slice incomplete"
							   : "%llu slices incomplete",
			  e->values->incomplete);
	for (uint32_t i = 0; e->whole_run && i < p->thread_count; i++) {
		char *text = p->threads[i].unread ? title_unread(&p->threads[i], ascii) : NULL;

		if (text)
			title_field(line, text);
		free(text);
	}
	if (e->whole_run && e->report) {
		enum unit unit = title_unit(e, e->report->units[COLUMN_SELF]);
		char *text = title_known_until(p, unit, e->report->precision, ascii);

		if (text)
			title_field(line, text);
		free(text);
	}
}

/* `the last 3.200 s`, or what of them is shown. */
static void put_stretch(struct title_line *line, const struct export *e, bool ascii)
{
	const struct timeline_report *t = e->timeline;
	char text[128];

	title_stretch(text, sizeof(text), t->zero - t->from, t->zero - t->to, e->profile->ticks_per_s, ascii);
	title_field(line, text);
}

/* The totals of a running program may end before the newest frame that was read: then the last frame that
 * they cover is named. Counters and events reach the newest frame. */
static void put_run(struct title_line *line, const struct export *e)
{
	unsigned long long frames = e->report ? e->values->frames : 0;
	char text[64];

	snprintf(text, sizeof(text), frames && frames != e->profile->frames_ended ? "the run up to frame %llu" : "the whole run",
		 frames);
	title_field(line, text);
}

static void put_covered(const struct export *e, const struct export_style *style, FILE *out)
{
	struct title_line line = { .out = out, .width = style->width };
	const struct report *r = e->report;
	const char *covers = e->table ? e->table->covers : NULL;

	if (e->values->average && !e->chosen)
		put_average(&line, e);
	else if (e->whole_run && e->timeline)
		put_stretch(&line, e, style->ascii);
	else if (e->whole_run && !covers)
		put_run(&line, e);
	if (!e->whole_run)
		put_span_of_frames(&line, e, style);
	if (covers)
		title_field(&line, covers);
	if (r && r->section_count == 1 && e->profile->thread_count > 1) {
		char *name = name_shown(r->sections[0].name, style->ascii);

		title_field(&line, name ? name : "");
		free(name);
	}
	if (e->values->measure != MEASURE_SELF)
		title_measure(&line, e->profile, e->values->measure);
	if (r && r->bottom_up)
		title_field(&line, "bottom-up");
	if (r && r->spread)
		title_field(&line, "recursion spread");
	if (e->values->less_overhead)
		put_less_overhead(&line, e);
	put_incomplete(&line, e, style->ascii);
	title_end(&line);
}

/* For a call graph: what its columns do not show of the focus. */
static void put_focus(const struct export *e, const struct export_style *style, FILE *out)
{
	const struct report *r = e->report;
	struct title_line line = { .out = out, .width = style->width };
	char *name = name_shown(r->focus, style->ascii);
	char *text = name ? malloc(strlen(name) + 32) : NULL;
	char count[96];

	if (text) {
		sprintf(text, "call graph of %s", name);
		title_field(&line, text);
	}
	if (r->section_count == 1) {
		format_count(count, sizeof(count), r->sections[0].recursive, r->scale);
		put_count(&line, "depth %llu", r->sections[0].depth);
		strcat(count, " recursive entries");
		if (profile_has_calls(e->profile))
			title_field(&line, count);
	}
	title_end(&line);
	free(text);
	free(name);
}

#define COSTLY "* profiling cost is more than 10 % of its time"

/* Explains the star, if a row has one and the line has space. */
static void put_costly(const struct report *r, const struct export_style *style, FILE *out)
{
	if (style->width && style->width < strlen(COSTLY))
		return;
	for (uint32_t i = 0; i < r->section_count; i++)
		for (uint32_t k = 0; k < r->sections[i].row_count; k++)
			if (r->sections[i].rows[k].costly) {
				fputs(COSTLY "\n\n", out);
				return;
			}
}

static bool put_table(const struct report *r, const struct export_style *style, FILE *out)
{
	struct zone_table t;

	zone_table_init(&t, NULL, r);
	if (!export_table_text(&t.table, style, out))
		return false;
	put_costly(r, style, out);
	return true;
}

/* What goes with the heat of a focus */

static const char *const extent_names[EXTENTS] = { [EXTENT_SELF] = "self", [EXTENT_HIER] = "hier" };

static void put_varies(const struct export *e, enum extent extent, const struct export_style *style, FILE *out)
{
	const struct variance *v = &e->cause->varies[extent];
	struct title_line line = { .out = out, .width = style->width };
	char text[CAUSE_TEXT], whole[CAUSE_TEXT + 32];

	cause_varies_text(v, text, sizeof(text));
	snprintf(whole, sizeof(whole), "%s variation: %s", extent_names[extent], text);
	title_field(&line, whole);
	if (v->known) {
		snprintf(whole, sizeof(whole), "in %u frames", v->frames);
		title_field(&line, whole);
	}
	title_end(&line);
}

static void put_correlates(const struct export *e, enum correlate_with with, const struct export_style *style,
			   FILE *out)
{
	const struct correlation *rows[CAUSE_COUNTERS];
	uint32_t count = correlations_strongest(&e->cause->correlations, with, CAUSE_COUNTERS, rows);
	struct title_line line = { .out = out, .width = style->width };
	char text[CAUSE_TEXT], whole[CAUSE_TEXT + 64];

	if (!count)
		return;
	for (uint32_t i = 0; i < count; i++) {
		cause_counter_text(e->profile, rows[i], with, style->ascii, text, sizeof(text));
		snprintf(whole, sizeof(whole), "correlates with %s: %s", correlate_with_words[with], text);
		title_field(&line, i ? text : whole);
	}
	title_end(&line);
}

static void put_cause(const struct export *e, const struct export_style *style, FILE *out)
{
	if (!e->cause)
		return;
	for (int extent = 0; extent < EXTENTS; extent++)
		put_varies(e, extent, style, out);
	put_correlates(e, CORRELATE_TIME, style, out);
	put_correlates(e, CORRELATE_LENGTH, style, out);
	fputc('\n', out);
}

/* The second table, with the name of its section above it, as it has but one. */
static bool put_below(const struct export *e, const struct export_style *style, FILE *out)
{
	struct title_line line = { .out = out, .width = style->width };
	char *name;

	if (!e->below || !e->below->section_count)
		return true;
	name = name_shown(e->below->sections[0].name, style->ascii);
	title_field(&line, name ? name : "");
	title_end(&line);
	free(name);
	return put_table(e->below, style, out);
}

void export_titles(const struct export *e, const struct export_style *style, FILE *out)
{
	put_process(e, style, out);
	if (e->why)
		text_why_titles(e->why, style, out);
	else
		put_covered(e, style, out);
	if (e->report && e->report->view == REPORT_GRAPH)
		put_focus(e, style, out);
	fputc('\n', out);
}

static bool put_view(const struct export *e, const struct export_style *style, FILE *out)
{
	if (e->table)
		return export_table_text(e->table, style, out);
	if (e->timeline)
		return text_timeline(e, style, out);
	if (e->why)
		return text_why(e->why, style, out);
	if (e->flame ? !text_flame(e->report, style, out) : !put_table(e->report, style, out))
		return false;
	if (e->calls)
		text_calls(e, e->calls, style, out);
	put_cause(e, style, out);
	return put_below(e, style, out);
}

bool export_text(const struct export *e, const struct export_style *style, FILE *out)
{
	bool lists_events = e->table && e->table->type == &event_table_type;

	export_titles(e, style, out);
	if (!put_view(e, style, out))
		return false;
	if (!lists_events && (e->asked || e->chosen || e->to))
		text_happened(e, style, out);
	if (!lists_events && !e->chosen)
		text_outside(e, style, out);
	title_losses(e->profile, NULL, style, out);
	return !ferror(out);
}

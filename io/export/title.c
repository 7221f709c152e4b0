/* SPDX-License-Identifier: MIT */
#include "io/export/title.h"

#include <stdlib.h>
#include <string.h>

#define GAP_CELLS 3
#define LEFT_OPEN "left_open" /* a loss that is shown apart: nothing is missing */
#define UNSEEN "unseen_frames" /* no loss: nobody looked */
#define LEFT_OUT "left_out_frames" /* no loss: they were not asked for */

void title_field(struct title_line *line, const char *text)
{
	size_t cells = text_width(text);

	if (line->used && line->width && line->used + GAP_CELLS + cells > line->width)
		title_end(line);
	fprintf(line->out, "%*s%s", line->used ? GAP_CELLS : 0, "", text);
	line->used += (line->used ? GAP_CELLS : 0) + (uint32_t)cells;
}

void title_end(struct title_line *line)
{
	if (line->used)
		fputc('\n', line->out);
	line->used = 0;
}

char *title_name(const struct export_style *style, const char *bytes)
{
	return name_safe(bytes, style->ascii);
}

/* ` each 1.000 ms`, or in us what is shorter. */
static void put_period(char *out, size_t size, int64_t ns)
{
	char number[32];
	bool is_ms = ns >= 1000000;

	format_scaled(number, sizeof(number), ns, is_ms ? 1000000 : 1000, ns % 1000000 ? 3 : 0);
	snprintf(out, size, " each %s %s", number, is_ms ? "ms" : "us");
}

void title_measure(struct title_line *line, const struct profile *p, uint32_t measure)
{
	const struct profile_measure *m = &p->measures[measure];
	char *key = name_escape(m->key, strlen(m->key)), text[160];
	int length = snprintf(text, sizeof(text), "measure: %.64s", key ? key : "?");

	if (m->sampled && length > 0)
		length += snprintf(text + length, sizeof(text) - (size_t)length, ", sampled");
	if (m->sampled && m->period > 0)
		put_period(text + length, sizeof(text) - (size_t)length, m->period);
	title_field(line, text);
	free(key);
}

void title_duration(char *out, size_t size, int64_t ticks, uint64_t ticks_per_s)
{
	uint64_t ms = (uint64_t)(format_ns(ticks, ticks_per_s) / 1000000), s = ms / 1000;

	if (s < 60)
		snprintf(out, size, "%llu.%03llu s", (unsigned long long)s,
			 (unsigned long long)(ms % 1000));
	else
		snprintf(out, size, "%02llu:%02llu:%02llu", (unsigned long long)(s / 3600),
			 (unsigned long long)(s / 60 % 60), (unsigned long long)(s % 60));
}

#define CLOCK_FROM 60  /* seconds, from which on a time is hours, minutes and seconds */
#define CLOCK_LEAST 10 /* seconds: what is so long is well told in these */

/* How a stretch of time is told. */
struct telling {
	int64_t unit_ns; /* 0: as title_duration tells it */
	const char *unit;
	int decimals;
};

static struct telling telling_of(int64_t from_ns, int64_t length_ns, bool ascii)
{
	enum unit unit = unit_for(from_ns, 1000000000);
	struct telling t = { unit == UNIT_MS ? 1000000 : unit == UNIT_US ? 1000 : 1, unit_title(unit, ascii), unit == UNIT_NS ? 0 : 3 };
	int64_t digit = t.unit_ns / 1000;

	if (from_ns >= CLOCK_FROM * INT64_C(1000000000) && length_ns >= CLOCK_LEAST * INT64_C(1000000000))
		return (struct telling){ 0 };
	if (from_ns >= 1000000000) {
		t = (struct telling){ 1000000000, "s", 3 };
		digit = 1000000;
	}
	for (; digit > 1 && length_ns < 100 * digit; digit /= 10)
		t.decimals++;
	return t;
}

static void tell_time(const struct telling *t, int64_t ns, char *out, size_t size)
{
	size_t length;

	if (!t->unit_ns) {
		title_duration(out, size, ns, 1000000000);
		return;
	}
	length = format_scaled(out, size, ns, t->unit_ns, t->decimals);
	snprintf(out + length, size - length, " %s", t->unit);
}

void title_stretch(char *out, size_t size, int64_t from, int64_t to, uint64_t ticks_per_s, bool ascii)
{
	int64_t from_ns = format_ns(from, ticks_per_s), to_ns = format_ns(to, ticks_per_s);
	struct telling t = telling_of(from_ns, from_ns - to_ns, ascii);
	char begin[48], end[48];

	tell_time(&t, from_ns, begin, sizeof(begin));
	tell_time(&t, to_ns, end, sizeof(end));
	if (to <= 0)
		snprintf(out, size, "the last %s", begin);
	else
		snprintf(out, size, "from %s to %s before the end", begin, end);
}

/* Like snprintf into a field, with a name in it. */
static void named_field(struct title_line *line, const struct export_style *style,
			const char *format, const char *bytes, long long number)
{
	char *name = title_name(style, bytes);
	char *text = name ? malloc(strlen(name) + strlen(format) + 32) : NULL;

	if (text) {
		sprintf(text, format, name, number);
		title_field(line, text);
	}
	free(text);
	free(name);
}

void title_frame(struct title_line *line, const struct profile *p, const struct title_frame *frame,
		 const struct export_style *style)
{
	const struct profile_frame *held = profile_find_frame(p, frame->number);
	char *name = title_name(style, held && held->name ? profile_frame_name(p, held) : "");
	bool named = name && *name;
	char length[64], *text;

	format_time_shown(length, sizeof(length), frame->ticks, frame->scale, p->ticks_per_s, frame->unit,
			  frame->precision, 0);
	if (asprintf(&text, "%sframe %llu%s%s%s%s%s%s: %s %s", frame->before, (unsigned long long)frame->number,
		     named ? " '" : "", named ? name : "", named ? "'" : "",
		     frame->role ? " (" : "", frame->role ? frame->role : "", frame->role ? ")" : "", length,
		     unit_title(frame->unit, style->ascii)) >= 0) {
		title_field(line, text);
		free(text);
	}
	free(name);
}

/* Zones cost more where the machine's counter is not to be trusted; and where nobody knows its rate, every time
 * is a guess. */
static void clock_field(struct title_line *line, const char *clock)
{
	char text[64];

	if (!strcmp(clock, "clock_gettime") || !strcmp(clock, "unknown rate")) {
		snprintf(text, sizeof(text), "clock: %s", clock);
		title_field(line, text);
	}
}

void title_process(struct title_line *line, const struct profile *p,
		   const struct export_style *style)
{
	static const char *const states[] = {
		[PROFILE_LIVE] = "live",
		[PROFILE_ENDED] = "ended",
		[PROFILE_DEAD] = "dead (_exit, crash or kill)",
		[PROFILE_FILE] = "file",
	};
	char run[64];

	named_field(line, style, "%s[%lld]", p->process.program, (long long)p->process.pid);
	named_field(line, style, "%s", p->process.source, 0);
	title_field(line, p->process.stopped ? "stopped by a signal" : states[p->process.state]);
	title_duration(run, sizeof(run), p->now_tick - p->first_tick, p->ticks_per_s);
	title_field(line, run);
	clock_field(line, p->process.clock);
}

char *title_unread(const struct profile_thread *thread, bool ascii)
{
	static const char *const why[] = {
		[THREAD_MOVING] = "could not be read, because it kept changing",
		[THREAD_DAMAGED] = "could not be read, because its totals are damaged",
	};
	char *name = name_safe(thread->name, ascii);
	size_t size = name ? strlen(name) + 96 : 0;
	char *text = name ? malloc(size) : NULL;

	if (text)
		snprintf(text, size, "%s (%lld) %s", name, (long long)thread->tid, why[thread->unread]);
	free(name);
	return text;
}

/* By how much less of the run is known of it than of the program. One that ended is known. */
static int64_t unknown_end(const struct profile *p, const struct profile_thread *thread)
{
	return thread->state == THREAD_LIVE && !thread->unread && thread->first_tick ? profile_run_tick(p) - thread->first_tick - thread->time
							       : 0;
}

char *title_known_until(const struct profile *p, enum unit unit, int precision, bool ascii)
{
	const struct profile_thread *most = NULL;
	bool moves = p->process.state == PROFILE_LIVE && !p->process.stopped;
	char shown[48], *name = NULL, *text = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; !moves && i < p->thread_count; i++) {
		format_time(shown, sizeof(shown), unknown_end(p, &p->threads[i]), 1, p->ticks_per_s, unit, precision, 0);
		if (unknown_end(p, &p->threads[i]) < 0 || !strpbrk(shown, "123456789"))
			continue;
		count++;
		if (!most || unknown_end(p, &p->threads[i]) > unknown_end(p, most))
			most = &p->threads[i];
	}
	if (!most)
		return NULL;
	format_time(shown, sizeof(shown), unknown_end(p, most), 1, p->ticks_per_s, unit, precision, 0);
	name = name_safe(most->name, ascii);
	if (name && (count == 1 ? asprintf(&text, "%s (%lld) is known until %s %s before the end", name,
					   (long long)most->tid, shown, unit_title(unit, ascii))
				: asprintf(&text, "%u threads are known until %s %s or less before the end", count,
					   shown, unit_title(unit, ascii))) < 0)
		text = NULL;
	free(name);
	return text;
}

static void put_loss(const struct profile_loss *loss, FILE *out)
{
	fprintf(out, " %8llu  %s: %s\n", (unsigned long long)loss->count, loss->key,
		loss->sentence);
}

/* Nothing if the number is 0. */
static void put_number(struct title_line *line, uint64_t number, const char *format)
{
	char text[64];

	snprintf(text, sizeof(text), format, (unsigned long long)number);
	if (number)
		title_field(line, text);
}

void title_losses(const struct profile *p, const char *before, const struct export_style *style, FILE *out)
{
	struct title_line line = { .out = out };
	char *name = *p->left_open ? title_name(style, p->left_open) : NULL;
	uint64_t open = 0;

	for (uint32_t i = 0; i < p->loss_count; i++)
		if (!strcmp(p->losses[i].key, LEFT_OPEN))
			open = p->losses[i].count;
	if (before && (profile_loss_total(p) || p->unseen_frames || p->left_out_frames))
		title_field(&line, before);
	put_number(&line, profile_loss_total(p) - open, "lost %llu");
	put_number(&line, p->unseen_frames, p->unseen_frames == 1 ? "%llu frame before attach" : "%llu frames before attach");
	put_number(&line, p->left_out_frames, p->left_out_frames == 1 ? "%llu frame left out" : "%llu frames left out");
	put_number(&line, open, open == 1 ? "zones not closed once" : "zones not closed %llu times");
	if (open && name)
		fprintf(out, " (last: %s)", name);
	title_end(&line);
	free(name);
	for (uint32_t i = 0; i < p->loss_count; i++)
		if (p->losses[i].count)
			put_loss(&p->losses[i], out);
	if (p->unseen_frames)
		put_loss(&(struct profile_loss){ UNSEEN, "a frame that was overwritten before proftop attached",
						 p->unseen_frames }, out);
	if (p->left_out_frames)
		put_loss(&(struct profile_loss){ LEFT_OUT, "a frame that was not recorded, because only slow frames and "
						 "what is around them were asked for", p->left_out_frames }, out);
}

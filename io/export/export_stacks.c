/* SPDX-License-Identifier: MIT */
#include "io/export/export.h"

#include <stdlib.h>

#include "io/export/json_members.h"
#include "io/export/title.h"
#include "model/table/thread_table.h"

#define SECOND_NS INT64_C(1000000000)

/* How long a zone has been open.  Of a dead process nobody knows when it died: only that it lived at its newest
 * tick, so that this is the least. */
static int64_t open_for(const struct source_stack *stack, const struct source_open *open)
{
	return stack->now > open->entered ? stack->now - open->entered : 0;
}

/* Text */

/* From a second on as long as it is: `2.510 s`, `00:14:22`. */
static void open_text(const struct profile *p, int64_t ticks, const struct export_style *style, char *out, size_t size)
{
	enum unit unit = unit_for(ticks, p->ticks_per_s);
	size_t length;

	if (format_ns(ticks, p->ticks_per_s) >= SECOND_NS) {
		title_duration(out, size, ticks, p->ticks_per_s);
		return;
	}
	length = format_time_shown(out, size, ticks, 1, p->ticks_per_s, unit, -1, 0);
	snprintf(out + length, size - length, " %s", unit_title(unit, style->ascii));
}

static void put_thread(const struct profile *p, uint32_t thread, const struct source_stack *stack,
		       const struct export_style *style, FILE *out)
{
	const struct profile_thread *t = &p->threads[thread];
	char *name = title_name(style, t->name);

	fprintf(out, "\nthread: %s   tid %lld", name ? name : "", (long long)t->tid);
	if (t->marking)
		fputs("   frame thread", out);
	if (stack->busy)
		fputs(p->process.state == PROFILE_LIVE
			      ? "   (just entering or leaving the last zone)"
			      : "   (it ended while entering or leaving the last zone)", out);
	fputc('\n', out);
	if (!stack->count)
		fputs("  (no zone)\n", out);
	free(name);
}

static void put_place(const struct profile_zone *zone, const struct export_style *style, FILE *out)
{
	char *file = *zone->file ? title_name(style, zone->file) : NULL;

	if (file)
		fprintf(out, "   %s:%u", file, zone->line);
	free(file);
}

static void put_open(const struct profile *p, const struct source_stack *stack, uint32_t level,
		     const struct export_style *style, FILE *out)
{
	const struct source_open *open = &stack->zones[level];
	const struct profile_zone *zone = &p->zones[p->nodes[open->node].zone];
	char *name = title_name(style, zone->name);
	char time[64];

	open_text(p, open_for(stack, open), style, time, sizeof(time));
	fprintf(out, "  %*s%s   %s%s", (int)(level < 40 ? level : 40) * 2, "", name ? name : "",
		p->process.state == PROFILE_DEAD ? "at least " : "", time);
	put_place(zone, style, out);
	fputc('\n', out);
	free(name);
}

bool export_stacks(struct source *s, uint32_t wanted, const struct export_style *style, FILE *out)
{
	const struct profile *p = s->profile;
	struct title_line title = { .out = out, .width = style->width };
	struct source_stack stack;
	uint32_t shown = 0;

	title_process(&title, p, style);
	title_end(&title);
	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (!profile_selects(p, wanted, i) || !source_stack(s, i, &stack))
			continue;
		put_thread(p, i, &stack, style, out);
		for (uint32_t k = 0; k < stack.count; k++)
			put_open(p, &stack, k, style, out);
		free(stack.zones);
		shown++;
	}
	if (!shown)
		fputs("\nno thread was running\n", out);
	if (profile_loss_total(p)) { /* a zone that found no room is in no stack */
		fputc('\n', out);
		title_losses(p, NULL, style, out);
	}
	return !ferror(out);
}

/* JSON */

static void json_open(struct json *j, const struct profile *p, const struct source_stack *stack,
		      const struct source_open *open)
{
	json_object(j, NULL);
	json_zone(j, p, p->nodes[open->node].zone, 1);
	json_integer(j, "node", open->node);
	json_integer(j, "entered", open->entered);
	json_ticks(j, p, "open", open_for(stack, open), 1);
	json_bool(j, "at_least", p->process.state == PROFILE_DEAD);
	json_object_end(j);
}

static void json_stack(struct json *j, const struct profile *p, uint32_t thread,
		       const struct source_stack *stack)
{
	const struct profile_thread *t = &p->threads[thread];

	json_line(j);
	json_object(j, NULL);
	json_unsigned(j, "thread", t->id);
	json_integer(j, "tid", t->tid);
	json_name(j, "name", t->name);
	json_text(j, "state", thread_state_names[t->state]);
	json_bool(j, "busy", stack->busy);
	json_integer(j, "last_tick", stack->last);
	json_array(j, "open");
	for (uint32_t i = 0; i < stack->count; i++)
		json_open(j, p, stack, &stack->zones[i]);
	json_array_end(j);
	json_object_end(j);
}

bool export_stacks_json(struct source *s, uint32_t wanted, FILE *out)
{
	const struct profile *p = s->profile;
	struct json *j = json_begin(out);
	struct source_stack stack;

	if (!j)
		return false;
	json_object(j, NULL);
	json_process(j, p);
	json_array(j, "stacks");
	for (uint32_t i = 0; i < p->thread_count; i++) {
		if (!profile_selects(p, wanted, i) || !source_stack(s, i, &stack))
			continue;
		json_stack(j, p, i, &stack);
		free(stack.zones);
	}
	json_array_end(j);
	json_losses(j, p);
	json_object_end(j);
	return json_end(j);
}

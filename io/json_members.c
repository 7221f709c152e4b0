/* SPDX-License-Identifier: MIT */
#include "io/json_members.h"

#include <stdlib.h>
#include <string.h>

#include "io/json_table.h"

static const char *const state_names[] = {
	[PROFILE_LIVE] = "live",
	[PROFILE_ENDED] = "ended",
	[PROFILE_DEAD] = "dead",
	[PROFILE_FILE] = "file",
};

static void put_pair(struct json *j, const char *key, double ns)
{
	if (ns > 0)
		json_real(j, key, ns);
	else
		json_null(j, key);
}

void json_process(struct json *j, const struct profile *p)
{
	const struct profile_process *process = &p->process;

	json_object(j, "process");
	json_name(j, "region", process->source);
	json_name(j, "program", process->program);
	json_name(j, "command", process->command);
	json_integer(j, "pid", process->pid);
	json_integer(j, "uid", process->uid);
	json_text(j, "state", process->stopped ? "stopped" : state_names[process->state]);
	json_integer(j, "started_ns", process->started_ns);
	json_text(j, "clock", process->clock);
	put_pair(j, "pair_ns", process->pair_ns);
	put_pair(j, "pair_cold_ns", process->pair_cold_ns);
	json_integer(j, "first_tick", p->first_tick);
	json_integer(j, "now_tick", p->now_tick);
	json_integer(j, "frames", (int64_t)p->frames_ended);
	json_object_end(j);
	json_line(j);
	json_integer(j, "ticks_per_s", (int64_t)p->ticks_per_s);
}

void json_thread(struct json *j, const struct profile *p, uint32_t thread)
{
	if (thread < p->thread_count)
		json_unsigned(j, "thread", p->threads[thread].id);
	else
		json_null(j, "thread");
}

void json_number(struct json *j, const char *key, bool real, union profile_number n)
{
	if (real)
		json_exact(j, key, n.real);
	else
		json_integer(j, key, n.whole);
}

void json_zone(struct json *j, const struct profile *p, uint32_t zone, uint32_t depth)
{
	const struct profile_zone *z = &p->zones[zone];
	char *spread = NULL;

	if (depth > 1) {
		spread = malloc(strlen(z->name) + 16);
		if (spread)
			sprintf(spread, "%s(%u)", z->name, depth);
	}
	json_name(j, "zone", spread ? spread : z->name);
	json_name(j, "file", z->file);
	json_integer(j, "line", z->line);
	free(spread);
}

void json_ticks(struct json *j, const struct profile *p, const char *name, int64_t ticks,
		int64_t scale)
{
	json_time(j, p->ticks_per_s, name, ticks, scale);
}

void json_amount(struct json *j, const struct profile *p, uint32_t measure, const char *name, bool known, int64_t amount,
		 int64_t scale)
{
	if (!known)
		json_null(j, name);
	else if (p->measures[measure].unit == MEASURE_TICKS)
		json_ticks(j, p, name, amount, scale);
	else
		json_scaled(j, name, amount, scale);
}

void json_measure(struct json *j, const struct profile *p, uint32_t measure)
{
	const struct profile_measure *m = &p->measures[measure];

	if (measure == MEASURE_SELF)
		return;
	json_name(j, "measure", m->key);
	json_text(j, "unit", measure_unit_names[m->unit]);
	if (m->sampled)
		json_integer(j, "period_ns", m->period);
}

void json_longest(struct json *j, const struct profile *p, int64_t ticks)
{
	if (ticks != PROFILE_LONGEST_UNKNOWN) {
		json_ticks(j, p, "max", ticks, 1);
		return;
	}
	json_null(j, "max");
	json_null(j, "max_ns");
}

void json_losses(struct json *j, const struct profile *p)
{
	json_object(j, "lost");
	for (uint32_t i = 0; i < p->loss_count; i++)
		json_integer(j, p->losses[i].key, (int64_t)p->losses[i].count);
	json_object_end(j);
}

void json_frame_name(struct json *j, const struct profile *p, const struct profile_frame *frame)
{
	if (frame->name)
		json_name(j, "name", profile_frame_name(p, frame));
}

void json_frame_flags(struct json *j, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {
		{ FRAME_DISCARDED, "discarded" }, { FRAME_BOUNDED, "bounded" },
		{ FRAME_SLOW, "slow" },           { FRAME_GUESSED, "guessed" },
		{ FRAME_TIMER, "timer" },
		{ FRAME_KEPT, "kept" },
	};

	json_array(j, "flags");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (flags & names[i].flag)
			json_text(j, NULL, names[i].name);
	json_array_end(j);
}

/* SPDX-License-Identifier: MIT */
/*
 * live_process: what the region says of its process: who it is, its state, what was lost, by cause.
 */
#include "io/region/live_inside.h"

#include <string.h>
#include <time.h>

#include "model/profile/moment.h"

const char *live_clock_name(uint32_t clock)
{
	static const char *const names[] = {
		[REGION_CLOCK_TSC] = "tsc",
		[REGION_CLOCK_CNTVCT] = "cntvct",
		[REGION_CLOCK_MONOTONIC] = "clock_gettime",
	};

	return clock < sizeof(names) / sizeof(*names) && names[clock] ? names[clock] : "unknown";
}

void live_command_line(const struct region_header *header, char *out)
{
	size_t size = sizeof(header->command), length = 0;

	for (size_t i = 0; i < size; i++) {
		out[i] = header->command[i] ? header->command[i] : ' ';
		if (header->command[i])
			length = i + 1;
	}
	out[length < size ? length : size - 1] = '\0';
}

bool live_describe_process(struct live *l)
{
	const struct region_header *header = &l->a.header;
	struct profile_process *process = &l->source.profile->process;
	char program[sizeof(header->program) + 1] = "", command[sizeof(header->command)];

	memcpy(program, header->program, sizeof(header->program));
	live_command_line(header, command);
	process->pid = header->pid;
	process->uid = l->a.uid;
	process->size = (int64_t)l->a.size;
	process->started_ns = (int64_t)header->created.real_ns;
	return profile_text(&process->source, l->name) && profile_text(&process->program, program) &&
	       profile_text(&process->command, command) &&
	       profile_text(&process->clock, live_clock_name(header->clock));
}

/* Since the newest tick there is, or it was seen alive: on this machine's counter, or, if that one means nothing any more, by
 * the time of day of an instant that the process noted. */
static double silence_ns(struct live *l)
{
	const struct snapshot_process *process = &l->process;
	const struct region_instant *known = process->latest.ticks ? &process->latest
								   : &process->created;
	double ns_per_tick = 1e9 / (double)l->source.profile->ticks_per_s;
	int64_t newest = snapshot_newest_tick(&l->a), now;

	if (newest < l->alive_tick)
		newest = l->alive_tick;
	if (snapshot_now(&l->a, &now))
		return (double)(now - newest) * ns_per_tick;
	if (!known->real_ns)
		return -1;
	return (double)clock_ns(CLOCK_REALTIME) - (double)known->real_ns -
	       ((double)newest - (double)known->ticks) * ns_per_tick;
}

/* 0 of one that runs. */
static double stopped_for(const struct live *l)
{
	if (!l->source.profile->process.stopped)
		return 0;
	return l->stopped_ns ? (double)(clock_ns(CLOCK_MONOTONIC) - l->stopped_ns) : -1;
}

void live_read_silence(struct source *s)
{
	struct live *l = (struct live *)s;
	double ns = l->a.live ? stopped_for(l) : silence_ns(l);

	s->profile->process.silent_ns = ns >= 0 && ns < 9e18 ? (int64_t)ns : -1;
}

/* When this machine was started, by the time of day, to a second: ticks of another boot have a place before it,
 * and that is known no better. */
static int64_t boot_ns(void)
{
	int64_t ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC_RAW);

	return (ns + NS_PER_S / 2) / NS_PER_S * NS_PER_S;
}

/* A process in a time namespace has another CLOCK_MONOTONIC_RAW, which may be days away, but the same counter. */
static bool has_other_time(struct live *l, const struct region_instant *known, int64_t *tick, int64_t *moment)
{
	double ns_per_tick = 1e9 / (double)l->source.profile->ticks_per_s, apart;

	if (!l->a.same_boot || !snapshot_now(&l->a, tick))
		return false;
	*moment = clock_ns(CLOCK_MONOTONIC_RAW);
	apart = (double)*moment - (double)known->raw_ns - ((double)*tick - (double)known->ticks) * ns_per_tick;
	return apart > NS_PER_S || apart < -NS_PER_S;
}

/* An instant that the process noted: the newest, as what is looked at is near to it. */
static void read_moment(struct live *l)
{
	int64_t tick, moment;

	struct profile_process *process = &l->source.profile->process;
	const struct region_instant *created = &l->process.created, *known = &l->process.latest;

	if (known->ticks <= created->ticks || known->raw_ns < created->raw_ns)
		known = created;
	if (known->ticks > INT64_MAX || known->raw_ns > INT64_MAX || known->real_ns > INT64_MAX)
		return;
	if (has_other_time(l, known, &tick, &moment)) {
		process->known_moment = moment;
		process->known_tick = tick;
		return;
	}
	if (l->a.same_boot)
		process->known_moment = (int64_t)known->raw_ns;
	else if (known->real_ns && process->known_moment == MOMENT_NONE)
		process->known_moment = (int64_t)known->real_ns - boot_ns();
	else
		return;
	process->known_tick = (int64_t)known->ticks;
}

void live_read_state(struct live *l)
{
	struct profile *p = l->source.profile;
	int64_t now = 0;
	bool guessed, known = snapshot_now(&l->a, &now); /* before the process is looked at */
	enum region_pulse pulse = region_pulse(&l->a);
	bool stopped = pulse == REGION_STOPPED;

	if (stopped && !p->process.stopped)
		l->stopped_ns = l->alive_tick ? clock_ns(CLOCK_MONOTONIC) : 0;
	p->process.stopped = stopped;
	p->process.here = pulse != REGION_UNKNOWN;
	if (known && (stopped || pulse == REGION_RUNS))
		l->alive_tick = now;
	p->process.state = l->a.live ? PROFILE_LIVE
				     : l->process.exited ? PROFILE_ENDED : PROFILE_DEAD;
	p->process.pair_ns = (double)l->process.pair_ps / 1000;
	p->process.pair_cold_ns = (double)l->process.pair_cold_ps / 1000;
	p->ticks_per_s = snapshot_rate(&l->a, &guessed);
	live_read_silence(&l->source);
	read_moment(l);
	if (guessed)
		live_held(l, profile_text(&p->process.clock, "unknown rate"));
	for (uint32_t i = 0; i < l->a.thread_count; i++)
		if (l->blocks[i].thread != PROFILE_NONE)
			p->threads[l->blocks[i].thread].marking = i == l->process.marker;
	if (l->process.left_open) {
		uint32_t zone = live_zone(l, l->process.left_open);

		live_held(l, zone != PROFILE_NONE &&
				     profile_text(&p->left_open, p->zones[zone].name));
	} else {
		live_held(l, profile_text(&p->left_open, ""));
	}
}

void live_read_losses(struct live *l)
{
	const struct {
		const char *key, *sentence;
		uint64_t count;
	} ours[] = {
		{ "lapped_parts", "a slice that was overwritten before proftop read it",
		  l->lost_parts },
		{ "lapped_frames", "a frame that was overwritten before proftop read it",
		  l->lost_frames },
		{ "lapped_values",
		  "8 bytes of counters, events and notes that were overwritten before proftop read them",
		  l->lost_values },
		{ "in_flight", "a thread's last slice, which it was just changing", l->in_flight },
		{ "unread_totals", "a thread that kept changing while proftop read its totals: they are missing, or "
		                   "older",
		  l->unread_totals },
		{ "torn_totals", "a thread whose totals are damaged and left out", l->torn_totals },
		{ "torn_values", "a thread's value of a counter that it was just changing, or that is damaged",
		  l->torn_values },
		{ "damaged_records", "a record that is damaged and left out", l->damaged_records },
		{ "damaged_nodes", "a zone stack that is damaged, shown as (damaged)",
		  l->damaged_nodes },
	};
	struct profile *p = l->source.profile;

	snapshot_losses(&l->a, &l->process); /* of all slices that were read, too */
	p->unplaced = l->process.unplaced;
	for (unsigned i = 0; i < LOSS_CAUSES; i++)
		live_held(l, profile_set_loss(p, region_loss_key(i), region_loss_text(i),
					      l->process.lost[i]));
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		live_held(l, profile_set_loss(p, ours[i].key, ours[i].sentence, ours[i].count));
}

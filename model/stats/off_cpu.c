/* SPDX-License-Identifier: MIT */
#include "model/stats/off_cpu.h"

#include <stdio.h>
#include <string.h>

#include "model/base/format.h"
#include "model/profile/measures.h"

static bool find_amount(const struct profile *p, const struct profile_held *part, const char *key, enum measure_unit unit,
			enum measure_combine combine, int64_t *amount)
{
	return profile_slice_amount(p, part, profile_find_slice_measure(p, key, unit, combine), amount);
}

uint32_t off_cpu_measure(const struct profile *p)
{
	return profile_find_slice_measure(p, "off_cpu", MEASURE_NS, MEASURE_SUM);
}

struct off_cpu off_cpu_of(const struct profile *p, uint64_t frame, uint32_t thread)
{
	const struct profile_frame *f = profile_find_frame(p, frame);
	const struct profile_held *part = f && thread < p->thread_count ? profile_find_part(f, thread) : NULL;
	struct off_cpu off = { 0 };

	if (!part)
		return off;
	off.known = profile_slice_amount(p, part, off_cpu_measure(p), &off.ns);
	find_amount(p, part, "cpu_doubt", MEASURE_NS, MEASURE_MAX, &off.doubt);
	off.counted = find_amount(p, part, "involuntary", MEASURE_COUNT, MEASURE_SUM, &off.preempted) &&
		      find_amount(p, part, "voluntary", MEASURE_COUNT, MEASURE_SUM, &off.blocked);
	off.delayed = find_amount(p, part, "run_delay", MEASURE_NS, MEASURE_SUM, &off.delay);
	return off;
}

int64_t off_cpu_ticks(const struct profile *p, uint32_t measure, const struct profile_frame *frame, uint32_t thread)
{
	const struct profile_held *part = thread < p->thread_count ? profile_find_part(frame, thread) : NULL;
	int64_t ns;
	double ticks;

	if (!part || !profile_slice_amount(p, part, measure, &ns))
		return 0;
	ticks = (double)ns / PER_S_NS * (double)p->ticks_per_s;
	return ticks < (double)frame->length ? (int64_t)ticks : frame->length;
}

/* Appends `what`, and how often; nothing for 0 times. */
static void put_times(char out[OFF_CPU_TEXT], const char *what, int64_t times)
{
	size_t at = strlen(out);
	const char *comma = at ? ", " : "";

	if (times == 1)
		snprintf(out + at, OFF_CPU_TEXT - at, "%s%s once", comma, what);
	else if (times)
		snprintf(out + at, OFF_CPU_TEXT - at, "%s%s %lld times", comma, what, (long long)times);
}

static void put_delay(char out[OFF_CPU_TEXT], int64_t ns, bool ascii)
{
	size_t at = strlen(out);
	enum unit unit = unit_for(ns, PER_S_NS);
	char time[64];

	format_time_shown(time, sizeof(time), ns, 1, PER_S_NS, unit, -1, 0);
	snprintf(out + at, OFF_CPU_TEXT - at, "%swaited %s %s for a core", at ? ", " : "", time, unit_title(unit, ascii));
}

void off_cpu_text(const struct off_cpu *off, const struct off_cpu *base, bool ascii, char out[OFF_CPU_TEXT])
{
	int64_t more = off->delay - base->delay;

	*out = '\0';
	if (off->counted) {
		put_times(out, "preempted", off->preempted);
		put_times(out, "blocked", off->blocked);
	}
	if (off->delayed && base->delayed && more > 0 && more >= off->ns / 100)
		put_delay(out, more, ascii);
}

/* SPDX-License-Identifier: MIT */
#include "model/stats/off_cpu.h"

#include <stdio.h>

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

static size_t put_times(char *out, size_t size, const char *what, int64_t times)
{
	int length = times == 1 ? snprintf(out, size, "%s once", what)
				: snprintf(out, size, "%s %lld times", what, (long long)times);

	return (size_t)length < size ? (size_t)length : size - 1;
}

void off_cpu_text(const struct off_cpu *off, char out[OFF_CPU_TEXT])
{
	size_t at = 0;

	*out = '\0';
	if (!off->counted)
		return;
	if (off->preempted)
		at = put_times(out, OFF_CPU_TEXT, "preempted", off->preempted);
	if (off->preempted && off->blocked)
		at += (size_t)snprintf(out + at, OFF_CPU_TEXT - at, ", ");
	if (off->blocked)
		put_times(out + at, OFF_CPU_TEXT - at, "blocked", off->blocked);
}

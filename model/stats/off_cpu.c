/* SPDX-License-Identifier: MIT */
#include "model/stats/off_cpu.h"

#include <stdio.h>

#include "model/profile/measures.h"

/* False: it is not known. */
static bool find_amount(const struct profile *p, const struct profile_held *part, const char *key, int64_t *amount)
{
	uint32_t measure = profile_find_measure(p, key);
	struct measure_amounts a = { 0 };

	*amount = 0;
	if (measure != PROFILE_NONE)
		a = profile_amounts(p, part, measure);
	for (uint32_t i = 0; a.known && i < a.count; i++)
		*amount += measure_amount(&a, i).value;
	return a.known;
}

struct off_cpu off_cpu_of(const struct profile *p, uint64_t frame, uint32_t thread)
{
	const struct profile_frame *f = profile_find_frame(p, frame);
	const struct profile_held *part = f && thread < p->thread_count ? profile_find_part(f, thread) : NULL;
	struct off_cpu off = { 0 };

	if (!part)
		return off;
	off.known = find_amount(p, part, "off_cpu", &off.ns);
	off.counted = find_amount(p, part, "involuntary", &off.preempted) && find_amount(p, part, "voluntary", &off.blocked);
	return off;
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

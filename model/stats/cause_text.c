/* SPDX-License-Identifier: MIT */
#include "model/stats/cause_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/format.h"
#include "model/base/text.h"

#define NAME_CELLS 24
#define THREAD_CELLS 12

const char *const correlate_with_words[CORRELATE_WITHS] = {
	[CORRELATE_LENGTH] = "the frame's length",
	[CORRELATE_TIME] = "its self time",
};

/* Shares may lie far outside of 0 to 1. */
static long percent(double share)
{
	return lround(fmax(-1e6, fmin(1e6, share)) * 100);
}

void cause_varies_text(const struct variance *v, char *out, size_t size)
{
	long calls = percent(v->calls), carried = percent(v->carried);
	char other[48] = "";

	if (v->frames < VARIANCE_FRAMES) {
		snprintf(out, size, "- (needs %u frames)", VARIANCE_FRAMES);
		return;
	}
	if (!v->known) {
		snprintf(out, size, "none");
		return;
	}
	if (carried)
		snprintf(other, sizeof(other), ", %ld %% carried over", carried);
	snprintf(out, size, "%ld %% call count, %ld %% time per call%s", calls,
		 100 - calls - carried, other);
}

/* Clipped to so many cells. NULL: out of memory. Caller frees. */
static char *name_of(const char *raw, bool ascii, size_t cells, int *length)
{
	char *name = name_safe(raw, ascii);
	size_t used;

	*length = name ? (int)text_clip(name, cells, &used) : 0;
	return name;
}

void cause_counter_text(const struct profile *p, const struct correlation *c, enum correlate_with with, bool ascii,
			char *out, size_t size)
{
	bool has_thread = c->thread < p->thread_count;
	int length, thread_length;
	char *name = name_of(p->counters[c->counter].name, ascii, NAME_CELLS, &length);
	char *thread = name_of(has_thread ? p->threads[c->thread].name : "", ascii, THREAD_CELLS, &thread_length);
	bool says_thread = thread_length > 0 && profile_selected(p, THREADS_ALL) > 1;
	char rho[32];

	format_fixed(rho, sizeof(rho), c->with[with].rho, 2);
	snprintf(out, size, "%s%.*s%s%.*s%s %s%s", c->with[with].of_change ? "growth of " : "", length,
		 name ? name : "", says_thread ? " (" : "", says_thread ? thread_length : 0, thread ? thread : "",
		 says_thread ? ")" : "", *rho == '-' ? "" : "+", rho);
	free(name);
	free(thread);
}

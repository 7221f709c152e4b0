/* SPDX-License-Identifier: MIT */
/*
 * io_frames: the frames of a profile as text, so that a test says what it expects by writing it down.
 *
 *   1 100+50 D: main 100-150 .:10 a:40*2^30; worker M
 *
 * Number, start+length, flags (Discarded, Bounded, Slow, Kept); a part a thread: its name, bound-end,
 * flags (Missing, Lapped, merGed, Inferred, Discarded, Exit), and its cells as zone:self, *entries and
 * ^longest where they are not 0; `.` is the root.
 */
#ifndef TESTS_IO_FRAMES_H
#define TESTS_IO_FRAMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/profile/profile.h"

static inline void frames_flags(FILE *out, uint32_t flags, const char *letters)
{
	if (flags)
		fputc(' ', out);
	for (; *letters; letters++, flags >>= 1)
		if (flags & 1)
			fputc(*letters, out);
}

static inline void frames_part(FILE *out, const struct profile *p, const struct profile_held *part)
{
	fprintf(out, " %s", p->threads[part->thread].name);
	if (part->bound != part->end || part->cell_count)
		fprintf(out, " %lld-%lld", (long long)part->bound, (long long)part->end);
	frames_flags(out, part->flags, "MLGIDEK");
	for (uint32_t i = 0; i < part->cell_count; i++) {
		struct profile_cell cell = profile_cell(part, i);
		uint32_t zone = p->nodes[cell.node].zone;

		fprintf(out, " %s:%lld", zone ? p->zones[zone].name : ".", (long long)cell.self);
		if (cell.count)
			fprintf(out, "*%lld", (long long)cell.count);
		if (cell.longest)
			fprintf(out, "^%lld", (long long)cell.longest);
	}
}

/* Caller frees. */
static inline char *frames_text(const struct profile *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (uint32_t i = 0; i < p->frame_count; i++) {
		const struct profile_frame *frame = &p->frames[i];

		fprintf(out, "%llu %lld+%lld", (unsigned long long)frame->number,
			(long long)frame->start, (long long)frame->length);
		frames_flags(out, frame->flags, "DBSGK");
		fputc(':', out);
		for (uint32_t k = 0; k < frame->part_count; k++) {
			if (k)
				fputc(';', out);
			frames_part(out, p, &frame->parts[k]);
		}
		fputc('\n', out);
	}
	fclose(out);
	return text;
}

static inline void expect_frames(const struct profile *p, const char *expected)
{
	char *text = frames_text(p);

	assert_string_equal(text, expected);
	free(text);
}

/* Σ self of each whole part is its length, and of each thread's totals its time. */
static inline void expect_exact(const struct profile *p)
{
	for (uint32_t i = 0; i < p->frame_count; i++)
		for (uint32_t k = 0; k < p->frames[i].part_count; k++) {
			const struct profile_held *part = &p->frames[i].parts[k];
			int64_t self = 0;

			for (uint32_t c = 0; c < part->cell_count; c++)
				self += profile_cell(part, c).self;
			if (!(part->flags & (PART_MISSING | PART_LAPPED | PART_DISCARDED)))
				assert_int_equal(self, part->end - part->bound);
		}
	for (uint32_t t = 0; t < p->thread_count; t++) {
		int64_t self = 0;

		for (uint32_t n = 0; n < p->node_count; n++)
			self += p->nodes[n].thread == t ? p->totals[n].self : 0;
		assert_int_equal(self, p->threads[t].time);
	}
}

#endif

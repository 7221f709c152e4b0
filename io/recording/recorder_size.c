/* SPDX-License-Identifier: MIT */
#include "io/recording/recorder_inside.h"

#include <string.h>

#include "model/base/search.h"

/* Called after a take is written, as only then these counts are known. */
void recorder_write_losses_of_size(struct recorder *r)
{
	const struct profile_loss losses[] = {
		{ .key = "frames_over_size", .sentence = "a frame that was not recorded: more came at once than --max-size holds",
		  .count = r->frames_over },
		{ .key = "calls_over_size", .sentence = "a begin or end of a call that was not recorded: more came at once than "
		                                        "--max-size holds",
		  .count = r->calls_over },
		{ .key = "values_over_size", .sentence = "a value, event or note that was not recorded: more came at once than "
		                                         "--max-size holds",
		  .count = r->values_over },
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		if (losses[i].count)
			writer_loss(r->w, &losses[i]);
}

/* Calls are packed to know their size if they have 1/16 of the limit or more,
 * and less than 8 times the limit. */
#define FEW_PARTS 16
#define MOST_PACKED 8

#define CARRIED_PARTS 4 /* frames that are carried over take at most this part of the space, if one of them fits into it */

/* Estimates of bytes per item, rather too large than too small: compression is not counted. */
enum { CALL_BYTES = 3, FRAME_BYTES = 32, PART_BYTES = 16, CELL_BYTES = 6, CHANGE_BYTES = 16, INSTANT_BYTES = 16,
       TOTAL_BYTES = 16, NAME_BYTES = 16, THREAD_BYTES = 48, LOSS_BYTES = 160, RUN_BYTES = 512 };

static uint64_t frame_bytes(const struct profile_frame *f)
{
	uint64_t sum = FRAME_BYTES;

	for (uint32_t i = 0; i < f->part_count; i++)
		sum += PART_BYTES + CELL_BYTES * (uint64_t)f->parts[i].cell_count;
	return sum;
}

static uint64_t frames_bytes(const struct recorder *r, int64_t from)
{
	const struct profile *p = r->p;
	uint64_t sum = 0;

	for (uint32_t i = recorder_first_unsettled(r); i < p->frame_count && frame_end(&p->frames[i]) <= r->until; i++)
		if (frame_end(&p->frames[i]) > from && recorder_looks_at(r, &p->frames[i], r->frame) &&
		    recorder_frame_is_near(r, &p->frames[i]) && recorder_is_pending(r, &p->frames[i]))
			sum += frame_bytes(&p->frames[i]);
	return sum;
}

static uint64_t instants_bytes(const struct recorder *r, int64_t from)
{
	const struct profile *p = r->p;
	uint32_t i = SEARCH(k, 0, p->instant_count, p->instants[k].tick <= from);
	uint64_t sum = 0;

	for (; i < p->instant_count && p->instants[i].tick <= r->until; i++)
		if (recorder_is_near(r, p->instants[i].tick, p->instants[i].tick))
			sum += INSTANT_BYTES + (p->instants[i].text ? strlen(p->instants[i].text) : 0);
	return sum;
}

static uint64_t changes_bytes(const struct recorder *r, int64_t from)
{
	const struct profile *p = r->p;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->track_count; i++) {
		const struct profile_track *t = &p->tracks[i];
		uint32_t k = SEARCH(n, 0, t->change_count, t->changes[n].tick <= from);

		for (; k < t->change_count && t->changes[k].tick <= r->until; k++)
			sum += recorder_is_near(r, t->changes[k].tick, k + 1 < t->change_count ? t->changes[k + 1].tick : r->until) ?
				       CHANGE_BYTES : 0;
	}
	return sum;
}

/* Writes the calls of the list after `from` that belong to a take, or only
 * counts them if w is NULL. Returns how many. */
static uint32_t write_calls_after(const struct recorder *r, struct writer *w, const struct transition_list *l, int64_t from)
{
	uint32_t first = SEARCH(k, 0, l->count, l->at[k].tick <= from);
	uint32_t end = SEARCH(k, first, l->count, l->at[k].tick <= r->until), sum = 0;
	bool written;

	for (uint32_t i = first, n; i < end; i += n) {
		n = recorder_calls_together(r, l, i, end, &written);
		sum += written ? n : 0;
		if (written && w)
			writer_calls(w, l->id, l->thread, l->first + i, l->at + i, n);
	}
	return sum;
}

/* About how many bytes the frames, values, events and notes after `from` take.
 * calls_bytes: and the calls. */
static uint64_t content_bytes(const struct recorder *r, int64_t from)
{
	return frames_bytes(r, from) + instants_bytes(r, from) + changes_bytes(r, from);
}

static uint64_t calls_bytes(const struct recorder *r, int64_t from)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; r->calls && i < r->calls->count; i++)
		sum += CALL_BYTES * (uint64_t)write_calls_after(r, NULL, &r->calls->lists[i], from);
	return sum;
}

/* How many bytes the calls after `from` take in a file. UINT64_MAX: not
 * known. */
static uint64_t packed_calls(const struct recorder *r, int64_t from)
{
	struct writer *w = writer_new(NULL, NULL);
	uint64_t bytes = UINT64_MAX;

	for (uint32_t i = 0; w && r->calls && i < r->calls->count; i++)
		write_calls_after(r, w, &r->calls->lists[i], from);
	if (w)
		writer_flush(w);
	if (w && !writer_failed(w))
		bytes = writer_bytes(w);
	writer_free(w);
	return bytes;
}

/* About how many bytes each take has, whatever its frames: totals, threads,
 * losses and new names. */
static uint64_t basis_bytes(const struct recorder *r)
{
	const struct profile *p = r->p;
	uint64_t sum = RUN_BYTES + TOTAL_BYTES * (uint64_t)p->node_count + THREAD_BYTES * (uint64_t)p->thread_count +
		       2 * CHANGE_BYTES * (uint64_t)p->track_count + LOSS_BYTES * (uint64_t)p->loss_count;

	for (uint32_t i = r->zone_count ? r->zone_count : 1; i < p->zone_count; i++)
		sum += NAME_BYTES + strlen(p->zones[i].name) + strlen(p->zones[i].file);
	return sum;
}

/* Calls are read later than the rest. */
int64_t recorder_newest(const struct recorder *r)
{
	int64_t tick = r->p->now_tick;

	for (uint32_t i = 0; r->calls && i < r->calls->count; i++) {
		const struct transition_list *l = &r->calls->lists[i];

		if (l->count && l->at[l->count - 1].tick > tick)
			tick = l->at[l->count - 1].tick;
	}
	return tick;
}

typedef uint64_t bytes_after(const struct recorder *r, int64_t from);

/* Returns the first tick from `least` on after which there are at most `most`
 * bytes. */
static int64_t first_that_fits(const struct recorder *r, bytes_after *bytes, uint64_t most, int64_t least)
{
	int64_t end = r->until < recorder_newest(r) ? r->until : recorder_newest(r);

	while (least < end) {
		int64_t middle = least + (end - least) / 2;

		if (bytes(r, middle) <= most)
			end = middle;
		else
			least = middle + 1;
	}
	return end;
}

/* The same, of what was not written yet. INT64_MIN: all fits. */
static int64_t newest_that_fit(const struct recorder *r, bytes_after *bytes, uint64_t most)
{
	if (bytes(r, INT64_MIN) <= most)
		return INT64_MIN;
	return first_that_fits(r, bytes, most, recorder_later(r->taken, r->p->first_tick - 1));
}

/* Bytes that are left in the file, less those of the last run and the losses,
 * which are not written yet. */
static uint64_t space_left(struct recorder *r)
{
	uint64_t head;

	writer_flush(r->w);
	head = writer_bytes(r->w) + RUN_BYTES + LOSS_BYTES * (r->p->loss_count + 3ull) +
	       2 * CHANGE_BYTES * (uint64_t)r->p->track_count;
	return head < r->limit ? r->limit - head : 0;
}

/* Frames that are carried over get a quarter of the space beside what is new,
 * or more if that is too little for one frame. */
static int64_t carried_that_fit(const struct recorder *r, uint64_t most)
{
	uint64_t now = content_bytes(r, r->taken), all;
	int64_t from = INT64_MAX;

	for (uint64_t parts = CARRIED_PARTS; parts && !frames_bytes(r, from); parts /= 2) {
		all = now + most / parts;
		from = first_that_fits(r, content_bytes, all < most ? all : most, r->carried_from);
	}
	return from;
}

/* If more came than fits into the file, the oldest is left out. Calls may have
 * at least half of the space, as they are most of what there is. */
void recorder_fit_frames(struct recorder *r)
{
	uint64_t calls = calls_bytes(r, INT64_MIN), space, most;

	r->frames_from = INT64_MIN;
	if (!r->limit)
		return;
	space = space_left(r);
	most = space - (calls < space / 2 ? calls : space / 2);
	r->frames_from = r->carries ? carried_that_fit(r, most) : newest_that_fit(r, content_bytes, most);
}

void recorder_fit_calls(struct recorder *r)
{
	uint64_t space, packed;
	int64_t from;

	r->calls_from = INT64_MIN;
	if (!r->limit)
		return;
	space = space_left(r);
	r->calls_from = newest_that_fit(r, calls_bytes, space);
	if (r->calls_from == INT64_MIN)
		return;
	packed = packed_calls(r, r->calls_from);
	if (!packed || packed > space)
		return;
	from = newest_that_fit(r, calls_bytes, (uint64_t)((double)space / (double)packed * 0.9 * (double)space));
	if (from < r->calls_from && packed_calls(r, from) <= space)
		r->calls_from = from;
}

uint64_t recorder_bytes(const struct recorder *r)
{
	uint64_t calls = calls_bytes(r, INT64_MIN);

	if (calls > r->limit / FEW_PARTS && calls / MOST_PACKED < r->limit)
		calls = packed_calls(r, INT64_MIN);
	return basis_bytes(r) + content_bytes(r, r->taken) + calls;
}

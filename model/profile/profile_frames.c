/* SPDX-License-Identifier: MIT */
/*
 * profile_frames: the frames that a profile holds, the parts of the threads in them, and their cells.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/search.h"
#include "model/profile/profile_inside.h"

/*
 * Names that the program gave its frames (Prof_Frame_Begin): a few words in most programs, and a new one for
 * each frame in others. A name is held as long as a frame that is held has it, and its bytes count with those of
 * frames. A frame has 1 + the number of its name, which is given to another one when the name is gone.
 */

#define NAMES_MOST ((UINT32_C(1) << 24) - 1) /* what profile_frame.name has bits for */

/* The most memory that a name can take, beside its text. The arrays double their size, so half of each may be
 * empty. */
#define NAME_BYTES (2 * sizeof(struct string) + 4 * sizeof(struct lookup_slot))

static struct string *name_of(const struct profile *p, uint32_t number)
{
	return &p->store->frame_names.at[number - 1];
}

static uint64_t name_bytes(const struct string *name)
{
	return NAME_BYTES + PROFILE_PIECE((uint64_t)name->length + 1);
}

/* The number of a name, from 1; 0: there is no memory for it. Most frames have the name of the one before. */
static uint32_t number_of(struct profile *p, const char *text, uint32_t likely)
{
	uint32_t number;

	if (likely && !strcmp(name_of(p, likely)->text, text))
		return likely;
	number = strings_add(&p->store->frame_names, text, strlen(text), NAMES_MOST) + 1; /* STRINGS_NONE becomes 0 */
	if (number && !name_of(p, number)->users) {
		p->held_bytes += name_bytes(name_of(p, number));
		p->frame_name_count++;
	}
	return number;
}

/* The frame, which leaves, has no name any more. */
static void unname_frame(struct profile *p, struct profile_frame *frame)
{
	uint32_t number = frame->name;

	frame->name = 0;
	if (!number || --name_of(p, number)->users)
		return;
	p->held_bytes -= name_bytes(name_of(p, number));
	p->frame_name_count--;
	strings_remove(&p->store->frame_names, number - 1);
}

void profile_name_frame(struct profile *p, const char *name)
{
	struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
	uint32_t number;

	if (!newest)
		return;
	number = *name ? number_of(p, name, p->frame_count > 1 ? newest[-1].name : 0) : 0;
	if (number)
		name_of(p, number)->users++;
	unname_frame(p, newest);
	newest->name = number & NAMES_MOST;
}

const char *profile_frame_name(const struct profile *p, const struct profile_frame *frame)
{
	return frame->name ? name_of(p, frame->name)->text : "";
}

/* The share of a frame that stays in the bytes of its name. */
static uint64_t frame_name_bytes(const struct profile *p, const struct profile_frame *frame)
{
	return frame->name ? name_bytes(name_of(p, frame->name)) / name_of(p, frame->name)->users : 0;
}

/*
 * The parts of a frame with their cells are one thing that a profile and its copies share: what stands
 * before the first says how many they are. Who wants to change them, or is the last to let go of them,
 * has them alone.
 */
struct parts_head {
	uint32_t users;
	uint32_t capacity;
	struct profile_held parts[];
};

_Static_assert(PROFILE_PART_BYTES == PROFILE_PIECE(sizeof(struct parts_head) + sizeof(struct profile_held)),
	       "what live_limit.c takes a part for");

static struct parts_head *parts_head(const struct profile_held *parts)
{
	return (struct parts_head *)(void *)((char *)parts - offsetof(struct parts_head, parts));
}

static size_t parts_size(uint32_t capacity)
{
	return sizeof(struct parts_head) + capacity * sizeof(struct profile_held);
}

/* Room for more parts, in which `old` are when it is given. NULL: out of memory. */
static struct profile_held *parts_room(struct profile_held *old, uint32_t capacity)
{
	struct parts_head *head = realloc(old ? parts_head(old) : NULL, parts_size(capacity));

	if (!head)
		return NULL;
	head->users = 1;
	head->capacity = capacity;
	return head->parts;
}

static void cells_free(struct profile_held *part)
{
	if (part->is_wide)
		free(part->cells.wide);
	else
		free(part->cells.narrow);
}

static void parts_free(struct profile_held *parts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		cells_free(&parts[i]);
	free(parts_head(parts));
}

static uint64_t cells_bytes(const struct profile_held *part)
{
	size_t size = profile_cells_size(part);

	return size ? PROFILE_PIECE(size) : 0;
}

static uint64_t parts_bytes(const struct profile_held *parts)
{
	return parts ? PROFILE_PIECE(parts_size(parts_head(parts)->capacity)) : 0;
}

static uint64_t frame_bytes(const struct profile_frame *frame)
{
	uint64_t bytes = PROFILE_FRAME_BYTES + parts_bytes(frame->parts);

	for (uint32_t i = 0; i < frame->part_count; i++)
		bytes += cells_bytes(&frame->parts[i]);
	return bytes;
}

void profile_frame_share(struct profile_frame *frame)
{
	if (frame->parts)
		parts_head(frame->parts)->users++;
}

void profile_frame_leave(struct profile_frame *frame)
{
	if (frame->parts && --parts_head(frame->parts)->users == 0)
		parts_free(frame->parts, frame->part_count);
}

uint32_t profile_frame_index(const struct profile *p, uint64_t number)
{
	uint32_t count = p->frame_count;
	uint64_t behind = count ? p->frames[count - 1].number - number : 0;

	if (behind < count && p->frames[count - 1 - behind].number == number)
		return count - 1 - (uint32_t)behind; /* without gaps from there on, as nearly always */
	return SEARCH(i, 0, count, p->frames[i].number < number);
}

uint32_t profile_frame_range(const struct profile *p, uint64_t first, uint64_t last, uint32_t *from)
{
	uint32_t end = first ? profile_frame_index(p, last + 1) : p->frame_count;

	*from = profile_frame_index(p, first);
	return end > *from ? end - *from : 0;
}

static bool is_complete(const struct profile_frame *frame)
{
	for (uint32_t i = 0; i < frame->part_count; i++)
		if (frame->parts[i].flags & (PART_LAPPED | PART_KEPT))
			return false;
	return frame->part_count;
}

uint32_t profile_newest_frames(const struct profile *p, uint64_t most, bool complete, uint32_t *from)
{
	uint32_t count = 0;

	*from = p->frame_count;
	for (uint32_t i = p->frame_count; i && count < most; i--) {
		const struct profile_frame *frame = &p->frames[i - 1];

		if (frame->flags & FRAME_KEPT || (complete && !is_complete(frame)))
			break;
		if (frame->flags & FRAME_DISCARDED)
			continue;
		count++;
		*from = i - 1;
	}
	return count;
}

static struct profile_frame *frame_find(const struct profile *p, uint64_t number)
{
	uint32_t i = profile_frame_index(p, number);

	return i < p->frame_count && p->frames[i].number == number ? &p->frames[i] : NULL;
}

int64_t frame_end(const struct profile_frame *frame)
{
	int64_t end;

	return __builtin_add_overflow(frame->start, frame->length, &end) ? INT64_MAX : end;
}

int64_t frame_elapsed(const struct profile *p, const struct profile_frame *frame)
{
	const struct profile_frame *before = frame > p->frames ? frame - 1 : NULL;
	int64_t from = frame->start;

	if (!(frame->flags & FRAME_BOUNDED))
		return frame->length;
	if (before && before->number + 1 == frame->number)
		from = frame_end(before);
	else if (p->dropped_frame && p->dropped_frame + 1 == frame->number)
		from = p->dropped_end;
	return from < frame->start ? frame_end(frame) - from : frame->length;
}

const struct profile_frame *profile_find_frame(const struct profile *p, uint64_t number)
{
	return frame_find(p, number);
}

bool profile_add_frame(struct profile *p, uint64_t number, int64_t start, int64_t length,
		       uint32_t flags)
{
	struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;

	if (newest && number < newest->number)
		return false;
	if (!newest || number > newest->number) {
		if (!array_queue(&p->store->frames, &p->store->frame_capacity, &p->frames, p->frame_count,
				 sizeof(*p->frames)))
			return false;
		newest = &p->frames[p->frame_count++];
		*newest = (struct profile_frame){ .number = number };
		p->held_bytes += frame_bytes(newest);
	}
	newest->start = start;
	newest->length = length;
	newest->flags = flags & 0xff;
	return true;
}

/* Index of the first part whose thread is >= thread. */
static uint32_t part_index(const struct profile_frame *frame, uint32_t thread)
{
	return SEARCH(i, 0, frame->part_count, frame->parts[i].thread < thread);
}

const struct profile_held *profile_find_part(const struct profile_frame *frame, uint32_t thread)
{
	uint32_t i = part_index(frame, thread);

	return i < frame->part_count && frame->parts[i].thread == thread ? &frame->parts[i] : NULL;
}

/* Whether all values of the cells are below 2^32. False also when a node is not of the part's thread:
 * *refused. */
static bool fits_narrow(const struct profile *p, const struct profile_part *part, bool *refused)
{
	const struct profile_node *nodes = p->nodes;
	uint64_t bits = 0;

	*refused = part->thread >= p->thread_count;
	for (uint32_t i = 0; i < part->cell_count && !*refused; i++) {
		const struct profile_cell *cell = &part->cells[i];

		*refused = cell->node >= p->node_count || nodes[cell->node].thread != part->thread;
		bits |= (uint64_t)cell->self | (uint64_t)cell->count | (uint64_t)cell->longest;
	}
	return bits <= UINT32_MAX && !*refused;
}

/* Room for the cells of a part that has some, and its columns. False: out of memory. */
static bool cells_room(struct profile_held *part, size_t size)
{
	void *room = malloc(size);

	if (part->is_wide)
		part->cells.wide = room;
	else
		part->cells.narrow = room;
	return room;
}

/* The cells of `given`, narrow if they can be, and its columns. False: out of memory, or refused. */
static bool cells_take(const struct profile *p, struct profile_held *part, const struct profile_part *given)
{
	bool refused;
	size_t size;

	part->is_wide = !fits_narrow(p, given, &refused);
	part->cells.narrow = NULL;
	if (refused || (!part->cell_count && !part->column_count))
		return !refused;
	size = profile_columns_fit(p, given) ? profile_cells_size_for(part, given) : 0;
	if (!size || !cells_room(part, size))
		return false;
	if (part->is_wide && given->cell_count)
		memcpy(part->cells.wide, given->cells, given->cell_count * sizeof(*given->cells));
	for (uint32_t i = 0; !part->is_wide && i < given->cell_count; i++) {
		const struct profile_cell *cell = &given->cells[i];

		part->cells.narrow[i] = (struct profile_narrow){
			cell->node, (uint32_t)cell->self, (uint32_t)cell->count,
			(uint32_t)cell->longest
		};
	}
	if (part->column_count)
		profile_put_columns(p, part, given);
	return true;
}

/* Self of zones that wait; what no region means, but may claim, is no more than the limit. */
static int64_t waiting_of(const struct profile *p, const struct profile_part *part)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < part->cell_count; i++)
		if (p->zones[p->nodes[part->cells[i].node].zone].flags & ZONE_WAITING &&
		    __builtin_add_overflow(sum, part->cells[i].self, &sum))
			return INT64_MAX;
	return sum;
}

/* Cells and columns of its own for a part that has those of `from`. False: out of memory. */
static bool cells_copy(struct profile_held *part, const struct profile_held *from)
{
	size_t size = profile_cells_size(from);

	if (!size)
		return true;
	if (!cells_room(part, size))
		return false;
	memcpy(part->cells.wide, from->cells.wide, size);
	return true;
}

/* Parts of its own for a frame that has them in common with a copy. */
static bool frame_unshare(struct profile_frame *frame)
{
	struct profile_held *parts = parts_room(NULL, frame->part_count + 1);
	bool done = parts;

	for (uint32_t i = 0; done && i < frame->part_count; i++) {
		parts[i] = frame->parts[i];
		done = cells_copy(&parts[i], &frame->parts[i]);
		if (!done)
			parts_free(parts, i);
	}
	if (!done)
		return false;
	parts_head(frame->parts)->users--;
	frame->parts = parts;
	return true;
}

/* The frame's parts can be changed, and there is room for one more. */
static bool frame_own(struct profile_frame *frame)
{
	struct profile_held *grown = frame->parts;

	if (frame->parts && parts_head(frame->parts)->users > 1)
		return frame_unshare(frame);
	if (!grown || frame->part_count == parts_head(grown)->capacity)
		grown = parts_room(frame->parts, frame->part_count + frame->part_count / 2 + 1);
	if (grown)
		frame->parts = grown;
	return grown;
}

/* The place for a thread's part, empty: the one it had, or a new one. */
static struct profile_held *part_place(struct profile *p, struct profile_frame *frame,
				       uint32_t thread)
{
	uint32_t i = part_index(frame, thread);
	uint64_t before = parts_bytes(frame->parts);

	if (!frame_own(frame))
		return NULL;
	p->held_bytes += parts_bytes(frame->parts) - before;
	if (i < frame->part_count && frame->parts[i].thread == thread) {
		p->held_bytes -= cells_bytes(&frame->parts[i]);
		cells_free(&frame->parts[i]);
		return &frame->parts[i];
	}
	memmove(&frame->parts[i + 1], &frame->parts[i],
		(frame->part_count - i) * sizeof(*frame->parts));
	frame->part_count++;
	return &frame->parts[i];
}

bool profile_set_part(struct profile *p, uint64_t number, const struct profile_part *part)
{
	struct profile_frame *frame = frame_find(p, number);
	struct profile_held held = { .thread = part->thread, .flags = part->flags,
				     .first_frame = part->first_frame, .bound = part->bound,
				     .end = part->end, .cell_count = part->cell_count,
				     .column_count = (uint8_t)part->column_count };
	struct profile_held *place;

	if (!frame || part->column_count > MEASURES_MOST || !cells_take(p, &held, part))
		return false;
	held.waiting = waiting_of(p, part);
	place = part_place(p, frame, part->thread);
	if (!place) {
		cells_free(&held);
		return false;
	}
	*place = held;
	p->held_bytes += cells_bytes(place);
	return true;
}

const struct profile_held *frame_parts(const struct profile_frame *frame, uint32_t threads, uint32_t *count)
{
	const struct profile_held *part = profile_merges(threads) ? frame->parts : profile_find_part(frame, threads);

	*count = profile_merges(threads) ? frame->part_count : part != NULL;
	return part;
}

bool frame_lacks(const struct profile *p, const struct profile_frame *frame, uint32_t threads, uint32_t flags)
{
	uint32_t count;
	const struct profile_held *parts = frame_parts(frame, threads, &count);

	for (uint32_t i = 0; i < count; i++)
		if (parts[i].flags & flags && profile_selects(p, threads, parts[i].thread))
			return true;
	return !frame->part_count;
}

bool frame_knows(const struct profile *p, const struct profile_frame *frame, uint32_t threads, uint32_t measure)
{
	uint32_t count;
	const struct profile_held *parts = frame_parts(frame, threads, &count);

	for (uint32_t i = 0; measure != MEASURE_SELF && i < count; i++)
		if (profile_selects(p, threads, parts[i].thread) && !profile_amounts(p, &parts[i], measure).known)
			return false;
	return true;
}

uint32_t profile_kept_frames(const struct profile *p)
{
	return SEARCH(i, 0, p->frame_count, p->frames[i].flags & FRAME_KEPT);
}

uint64_t profile_frames_bytes(const struct profile *p, uint32_t first, uint32_t end)
{
	uint64_t bytes = 0;

	for (uint32_t i = first; i < end; i++)
		bytes += frame_bytes(&p->frames[i]) + frame_name_bytes(p, &p->frames[i]);
	return bytes;
}

static int64_t newest_end(const struct profile *p)
{
	const struct profile_frame *newest = &p->frames[p->frame_count - 1];

	return newest->start + newest->length;
}

/* The first `n` frames are gone. Values of counters and what happened are held from the first frame on that
 * was not kept alone. */
static void frames_gone(struct profile *p, uint32_t n, int64_t end)
{
	uint32_t kept;

	p->frames += n;
	p->frame_count -= n;
	kept = profile_kept_frames(p);
	profile_drop_values(p, kept < p->frame_count ? p->frames[kept].start : end);
}

static void frame_goes(struct profile *p, struct profile_frame *frame)
{
	if (frame->number > p->dropped_frame) {
		p->dropped_frame = frame->number;
		p->dropped_end = frame_end(frame);
	}
	p->held_bytes -= frame_bytes(frame);
	unname_frame(p, frame);
	profile_frame_leave(frame);
}

void profile_drop_frames(struct profile *p, uint32_t n)
{
	int64_t end = 0;

	if (n > p->frame_count)
		n = p->frame_count;
	if (!n)
		return;
	end = newest_end(p);
	for (uint32_t i = 0; i < n; i++)
		frame_goes(p, &p->frames[i]);
	frames_gone(p, n, end);
}

void profile_thin_frames(struct profile *p, uint32_t n, const bool *stays)
{
	uint32_t to = n;
	int64_t end = 0;

	if (!n)
		return;
	end = newest_end(p);
	for (uint32_t i = n; i-- > 0;) {
		if (stays[i]) {
			p->frames[--to] = p->frames[i];
			p->frames[to].flags |= FRAME_KEPT;
			continue;
		}
		frame_goes(p, &p->frames[i]);
	}
	frames_gone(p, to, end);
}

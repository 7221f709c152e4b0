/* SPDX-License-Identifier: MIT */
/*
 * foreign_perf_timer: the files of perf_timer, JSON and binary: of each thread its calls with the frames in which they were
 * entered, and its notes.
 *
 *     [0, thread, frame, ns, "name"]    enter; 1: exit, of the same frame; 2: a note. Frame -1: in none
 *     u32 0xFA57, u32 count, and each as u8 op, u64 thread, i32 frame, u64 ns, u16 length, name; little-endian
 *
 * A call that still runs is entered and not left.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign_events.h"
#include "io/foreign/foreign.h"
#include "io/json.h"
#include "model/base/array.h"
#include "model/base/text.h"

#define MAGIC 0xFA57u
#define NAME_MOST 0xFFFFu /* bytes, of the binary one */
#define NO_FRAME (-1)

enum { OP_ENTER, OP_EXIT, OP_NOTE };

struct record {
	int op;
	uint64_t thread;
	int32_t frame;
	uint64_t ns;
	const char *name;
};

struct perf_timer {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_counts counts;
	int32_t *frames; /* of the calls that are open */
	uint32_t level, capacity;
	uint64_t beyond;  /* frames whose number is too large for the format */
	uint64_t *found;  /* of a file: calls of this thread, by frame */
	uint64_t lacking; /* calls that are found in another frame than the file had them in */
	void (*put)(struct perf_timer *f, const struct record *r);
	struct json *j;
	FILE *out;
	uint64_t count; /* of records */
	uint64_t cut;   /* names that were too long */
	uint64_t left;  /* records that it cannot count any more */
};

static int32_t frame_of(struct perf_timer *f, uint32_t thread, int64_t tick, int64_t until)
{
	const struct profile *p = f->t->profile;
	uint32_t i = foreign_frame_at(f->t, thread, tick, until);

	if (i == PROFILE_NONE || p->frames[i].flags & FRAME_GUESSED)
		return NO_FRAME;
	if (f->found && until != FOREIGN_NOTE)
		f->found[i]++;
	if (p->frames[i].number > INT32_MAX) {
		f->beyond++;
		return NO_FRAME;
	}
	return (int32_t)p->frames[i].number;
}

static bool push_frame(struct perf_timer *f, int32_t frame)
{
	if (!array_reserve(&f->frames, &f->capacity, (uint64_t)f->level + 1, sizeof(*f->frames)))
		return false;
	f->frames[f->level++] = frame;
	return true;
}

static bool put_step(struct perf_timer *f, const struct foreign_lane *lane, const struct foreign_step *step)
{
	struct record r = { .op = step->enter ? OP_ENTER : OP_EXIT, .thread = lane->id,
			    .ns = (uint64_t)foreign_ns(f->t, step->tick),
			    .name = f->names.zones[f->t->profile->nodes[step->node].zone] };

	if (step->enter && !push_frame(f, frame_of(f, lane->thread, step->tick, step->until)))
		return false;
	r.frame = f->frames[f->level - 1];
	f->level -= !step->enter;
	foreign_count_step(&f->counts, step);
	if (!(step->flags & STEP_RUNNING))
		f->put(f, &r);
	return true;
}

static bool put_mark(struct perf_timer *f, const struct foreign_lane *lane, const struct foreign_mark *mark)
{
	char *text = mark->kind == MARK_NOTE ? foreign_names_text(&f->names, mark->text) : NULL;

	if (text)
		f->put(f, &(struct record){ OP_NOTE, lane->id, frame_of(f, lane->thread, mark->tick, FOREIGN_NOTE),
					    (uint64_t)foreign_ns(f->t, mark->tick), text });
	free(text);
	return text || mark->kind != MARK_NOTE;
}

static bool put_lane(struct perf_timer *f, const struct foreign_lane *lane)
{
	struct foreign_events e;
	struct foreign_step step;
	struct foreign_mark mark;
	bool done = true;

	if (!foreign_events_begin(&e, f->t, lane, false))
		return false;
	f->level = 0;
	for (enum foreign_event what; done && (what = foreign_events_next(&e, &step, &mark)) != FOREIGN_OVER;)
		done = what == FOREIGN_STEP ? put_step(f, lane, &step) : put_mark(f, lane, &mark);
	foreign_events_end(&e);
	return done;
}

/* The lanes of a thread follow each other. */
static void put_lanes(struct perf_timer *f)
{
	const struct foreign *t = f->t;
	uint32_t frames = t->profile->frame_count;

	memset(&f->counts, 0, sizeof(f->counts));
	f->beyond = f->lacking = 0;
	f->found = t->whole && foreign_frames_of_file(t) ? array_zeroed(frames, sizeof(*f->found)) : NULL;
	for (uint32_t i = 0; i < t->lane_count; i++) {
		uint32_t thread = t->lanes[i].thread;

		f->t->no_memory |= !put_lane(f, &t->lanes[i]);
		if (!f->found || (i + 1 < t->lane_count && t->lanes[i + 1].thread == thread))
			continue;
		f->lacking += foreign_frames_lacking(t, thread, f->found);
		memset(f->found, 0, frames * sizeof(*f->found));
	}
	free(f->found);
}

static void say_lacks(struct perf_timer *f)
{
	struct foreign *t = f->t;

	foreign_say_since(t);
	foreign_say_counts(t, &f->counts, false);
	foreign_say_lacks(t, LACKS_EVENTS | LACKS_COUNTERS);
	foreign_say_count(t, f->lacking, "call belongs to a frame that overlaps another one: the file has it in that "
	                                 "frame, or not at all",
			"calls belong to frames that overlap others: the file has them in those frames, or not at all");
	foreign_say_count(t, f->beyond, "call is in a frame whose number is too large, and in none here",
			"calls are in frames whose numbers are too large, and in none here");
	foreign_say_count(t, f->cut, "name is cut to 65535 bytes", "names are cut to 65535 bytes");
	foreign_say_count(t, f->left, "record after the first 4294967295 is left out",
			"records after the first 4294967295 are left out");
	foreign_say_names(t, &f->names);
	foreign_names_fini(&f->names);
	free(f->frames);
}

/* JSON */

static void put_json(struct perf_timer *f, const struct record *r)
{
	json_line(f->j);
	json_array(f->j, NULL);
	json_integer(f->j, NULL, r->op);
	json_unsigned(f->j, NULL, r->thread);
	json_integer(f->j, NULL, r->frame);
	json_unsigned(f->j, NULL, r->ns);
	json_text(f->j, NULL, r->name);
	json_array_end(f->j);
}

bool foreign_perf_timer(struct foreign *t, FILE *out)
{
	struct perf_timer f = { .t = t, .put = put_json };
	bool done = foreign_names_init(&f.names, t->profile, TEXT_UTF8);

	f.j = done ? json_begin(out) : NULL;
	t->no_memory |= !f.j;
	if (f.j) {
		json_array(f.j, NULL);
		put_lanes(&f);
		json_array_end(f.j);
		done = json_end(f.j);
	}
	say_lacks(&f);
	return done;
}

/* Binary */

static void put_bytes(struct perf_timer *f, uint64_t value, int bytes)
{
	for (; bytes--; value >>= 8)
		putc((int)(value & 0xFF), f->out);
}

static void put_binary(struct perf_timer *f, const struct record *r)
{
	size_t length = strlen(r->name);

	if (!f->count) {
		f->left++;
		return;
	}
	f->count--;
	f->cut += length > NAME_MOST;
	length = length > NAME_MOST ? utf8_cut(r->name, NAME_MOST) : length;
	put_bytes(f, (uint64_t)r->op, 1);
	put_bytes(f, r->thread, 8);
	put_bytes(f, (uint32_t)r->frame, 4);
	put_bytes(f, r->ns, 8);
	put_bytes(f, length, 2);
	fwrite(r->name, 1, length, f->out);
}

static void count_record(struct perf_timer *f, const struct record *r)
{
	(void)r;
	f->count++;
}

/* The number of records stands in front of them, so they are gone through twice. */
bool foreign_perf_binary(struct foreign *t, FILE *out)
{
	struct perf_timer f = { .t = t, .put = count_record, .out = out };

	if (foreign_names_init(&f.names, t->profile, TEXT_BYTES)) {
		put_lanes(&f);
		f.count = f.count > UINT32_MAX ? UINT32_MAX : f.count;
		put_bytes(&f, MAGIC, 4);
		put_bytes(&f, f.count, 4);
		f.put = put_binary;
		put_lanes(&f);
	} else {
		t->no_memory = true;
	}
	say_lacks(&f);
	return !ferror(out);
}

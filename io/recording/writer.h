/* SPDX-License-Identifier: MIT */
/*
 * writer: a recording as it is written, item by item (recording.h). The recorder writes what a source has (recorder.h),
 * an importer what it finds in a file.
 *
 * Items are gathered, and go out as a block when there are enough of them or writer_flush says so. What was defined has
 * the index that the call returns, from 0 on for each kind (zones from 1 on: 0 is PROFILE_NO_ZONE; nodes are counted
 * together with the roots of threads). Frames come with ascending numbers, and the parts of a frame behind it, at once or
 * later; the same thread's part again replaces what was there. Transitions of a list come in the order of time.
 *
 * All of it is done by one thread. A call that fails (no memory, or the output takes no more) makes all further ones do
 * nothing; writer_failed says so, once is enough, and `why` tells it.
 */
#ifndef IO_WRITER_H
#define IO_WRITER_H

#include "io/source.h"

struct writer;

/* Takes the bytes. False: it takes no more; errno says why. */
typedef bool writer_out(void *context, const void *bytes, size_t size);

struct writer *writer_new(writer_out *out, void *context); /* out NULL: bytes are only counted. NULL: out of memory */
void writer_free(struct writer *w); /* what was not flushed is gone */

bool writer_failed(const struct writer *w);
uint64_t writer_bytes(const struct writer *w); /* that went out */

/* A block of another recording as it is, in place of items. */
void writer_block(struct writer *w, const void *block, size_t size);

/* All that was gathered goes out. */
void writer_flush(struct writer *w);
/* The same, and the recording is ended. */
void writer_end(struct writer *w);

/* The recording begins again, with nothing defined: what was written no longer holds. */
void writer_anew(struct writer *w);

/* Writes the process (its known_tick and known_moment, and real_ns, the time of day of that tick, 0: not known)
 * and ticks_per_s of the profile. First of all, and again when they changed. */
void writer_process(struct writer *w, const struct profile *p, int64_t real_ns);

/* Whatever the profile has that the recording does not know yet: measures, modules, zones and their new names, threads,
 * nodes, counters, events, tracks. The recording must be of this profile alone, so that indices are the same. `running`:
 * by thread, ticks that its time is too long by. NULL: none. */
void writer_define(struct writer *w, const struct profile *p, const int64_t *running);

uint32_t writer_zone(struct writer *w, const struct profile_zone *zone);
/* The thread's root is the next node: *root (may be NULL). */
uint32_t writer_thread(struct writer *w, const struct profile_thread *thread, uint32_t *root);
/* Writes the present name, state and times of a thread. */
void writer_renew_thread(struct writer *w, uint32_t index, const struct profile_thread *thread);
uint32_t writer_node(struct writer *w, uint32_t parent, uint32_t zone, uint32_t line); /* line: profile_node.line */

/* `name` may be NULL or "". */
void writer_frame(struct writer *w, const struct profile_frame *frame, const char *name);
/* All cells of a part are of nodes that were written. Its columns are of measures of the profile, which were written in
 * their order. */
void writer_part(struct writer *w, uint64_t frame, const struct profile_part *part);

/* `count` transitions of the list with this id; the first has the number `number`. Where it does not follow the one before,
 * the list has a gap. */
void writer_calls(struct writer *w, uint64_t list, uint32_t thread, uint64_t number, const struct transition *at,
		  uint32_t count);

uint32_t writer_counter(struct writer *w, const struct profile_counter *counter);
/* Writes a new track, or the present thread of one, and whether its counter is summed, its unit, and whether it is a total. */
void writer_renew_track(struct writer *w, uint32_t index, const struct profile_track *track,
			const struct profile_counter *counter);
void writer_change(struct writer *w, uint32_t track, const struct profile_change *change);
/* now, run_least and run_most of the track. */
void writer_now(struct writer *w, uint32_t index, const struct profile_track *track);

/* A measure that is none of the first three; and what the nodes that changed have of it in the whole run, in ascending order.
 * `threads` are those of which some is missing. */
struct profile_measure;
uint32_t writer_measure(struct writer *w, const struct profile_measure *measure);
struct writer_amount {
	uint32_t node;
	int64_t amount;
};
void writer_amounts(struct writer *w, uint32_t measure, const struct writer_amount *amounts, uint32_t count,
		    const uint32_t *threads, uint32_t thread_count);

/* A module that zones are addresses in: before these. */
uint32_t writer_module(struct writer *w, const struct profile_module *module);
/* The zone has another name, file and line. */
void writer_rename(struct writer *w, uint32_t index, const struct profile_zone *zone);

uint32_t writer_event(struct writer *w, const char *name);
void writer_instant(struct writer *w, const struct profile_instant *instant);

struct writer_total {
	uint32_t node;
	struct profile_total total;
};

/* Totals of the whole run, of nodes that changed, in ascending order. */
void writer_totals(struct writer *w, const struct writer_total *totals, uint32_t count);
/* profile_pass_total, before the totals that it changed. */
void writer_pass(struct writer *w, uint32_t node, uint32_t heir);
/* The numbers of the profile that are of the run: first_tick to frame_began, instants_from, left_open. */
void writer_run(struct writer *w, const struct profile *p);
void writer_loss(struct writer *w, const struct profile_loss *loss);
/* The zones that are open in the thread. */
void writer_stack(struct writer *w, uint32_t thread, const struct source_stack *stack);

#endif

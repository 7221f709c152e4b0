/* SPDX-License-Identifier: MIT */
/*
 * foreign_pprof: profile.proto of pprof, compressed with gzip where there is zlib.
 *
 *     Profile    1 sample_type   2 sample   4 location   5 function   6 string_table   9 time_nanos
 *                10 duration_nanos   11 period_type   12 period   14 default_sample_type
 *     ValueType  1 type   2 unit
 *     Sample     1 location_id, the innermost first   2 value: calls/count (if they are known), self/nanoseconds or another
 *                measure   3 label: thread
 *     Location   1 id   4 line (1 function_id   2 line)
 *     Function   1 id   2 name   4 filename   5 start_line
 *
 * A zone is a function with one location, and its number is that of both, from 1. Behind these, a node at a line of a function
 * (profile_node.line) has a location of its own. Fields are varints (0) or bytes with
 * their length in front (2). Messages are made in memory, one at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "io/foreign/foreign.h"
#include "io/foreign/foreign_sums.h"
#include "io/gzip.h"
#include "model/base/array.h"
#include "model/base/format.h"
#include "model/profile/measures.h"

/* Bytes of a message */

struct bytes {
	unsigned char *at;
	uint32_t count, capacity;
	bool failed; /* out of memory */
};

static void add_byte(struct bytes *b, unsigned byte)
{
	if (array_reserve(&b->at, &b->capacity, (uint64_t)b->count + 1, 1))
		b->at[b->count++] = (unsigned char)byte;
	else
		b->failed = true;
}

static void add_varint(struct bytes *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		add_byte(b, (unsigned)(value & 0x7F) | 0x80);
	add_byte(b, (unsigned)value);
}

/* 0 is what a field that is not there has. */
static void add_number(struct bytes *b, unsigned field, int64_t value)
{
	if (!value)
		return;
	add_varint(b, field << 3);
	add_varint(b, (uint64_t)value);
}

static void add_data(struct bytes *b, unsigned field, const void *data, size_t length)
{
	add_varint(b, field << 3 | 2);
	add_varint(b, length);
	if (!array_reserve(&b->at, &b->capacity, (uint64_t)b->count + length, 1)) {
		b->failed = true;
		return;
	}
	if (length)
		memcpy(b->at + b->count, data, length);
	b->count += (uint32_t)length;
}

/* The message is empty again then. */
static void add_message(struct bytes *b, unsigned field, struct bytes *message)
{
	add_data(b, field, message->at, message->count);
	b->failed |= message->failed;
	message->count = 0;
}

/* The profile */

enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING = 6, TIME = 9, DURATION = 10, PERIOD_TYPE = 11,
       PERIOD = 12, DEFAULT_TYPE = 14 };

/* Indices of strings, in the order of put_strings; then a name and a file a zone, and a name a thread. */
enum { STRING_EMPTY, STRING_CALLS, STRING_COUNT, STRING_SELF, STRING_UNIT, STRING_THREAD, STRINGS };

struct pprof {
	struct foreign *t;
	struct foreign_names names;
	struct foreign_sums sums;
	uint32_t *stack;
	bool *located; /* by node: it is in a sample, and has a location of its own */
	struct bytes profile, message, inner;
	struct gzip *gzip;
};

/* Packs the bytes collected so far, and begins again. */
static void flush_message(struct pprof *f)
{
	gzip_put(f->gzip, f->profile.at, f->profile.count);
	f->profile.count = 0;
}

static void put_type(struct pprof *f, unsigned field, int type, int unit)
{
	add_number(&f->message, 1, type);
	add_number(&f->message, 2, unit);
	add_message(&f->profile, field, &f->message);
}

static void put_label(struct pprof *f, uint32_t thread)
{
	add_number(&f->inner, 1, STRING_THREAD);
	add_number(&f->inner, 2, STRINGS + 2 * (int64_t)f->t->profile->zone_count + thread);
	add_message(&f->message, 3, &f->inner);
}

static uint64_t location_of(struct pprof *f, uint32_t node)
{
	if (!f->t->profile->nodes[node].line)
		return (uint64_t)foreign_zone(&f->sums, node) + 1;
	f->located[node] = true;
	return (uint64_t)f->t->profile->zone_count + node + 1;
}

static void put_sample(struct pprof *f, uint32_t node)
{
	uint32_t count = foreign_stack(f->t->profile, node, f->stack);

	for (uint32_t i = 0; i < count; i++)
		add_varint(&f->inner, location_of(f, f->stack[i]));
	add_message(&f->message, 1, &f->inner);
	if (profile_has_calls(f->t->profile))
		add_varint(&f->inner, (uint64_t)f->sums.calls[node]);
	add_varint(&f->inner, (uint64_t)f->sums.self[node]);
	add_message(&f->message, 2, &f->inner);
	if (!f->t->merged)
		put_label(f, f->t->profile->nodes[node].thread);
	add_message(&f->profile, SAMPLE, &f->message);
	flush_message(f);
}

static void put_location(struct pprof *f, uint64_t id, uint32_t zone, uint32_t line)
{
	add_number(&f->inner, 1, (int64_t)zone + 1);
	add_number(&f->inner, 2, line);
	add_number(&f->message, 1, (int64_t)id);
	add_message(&f->message, 4, &f->inner);
	add_message(&f->profile, LOCATION, &f->message);
	flush_message(f);
}

static void put_zone(struct pprof *f, uint32_t zone)
{
	const struct profile_zone *z = &f->t->profile->zones[zone];

	put_location(f, (uint64_t)zone + 1, zone, z->line);
	add_number(&f->message, 1, (int64_t)zone + 1);
	add_number(&f->message, 2, STRINGS + 2 * (int64_t)zone);
	if (*z->file)
		add_number(&f->message, 4, STRINGS + 2 * (int64_t)zone + 1);
	add_number(&f->message, 5, z->line);
	add_message(&f->profile, FUNCTION, &f->message);
	flush_message(f);
}

static void put_text(struct pprof *f, const char *text)
{
	add_data(&f->profile, STRING, text, strlen(text));
	flush_message(f);
}

static void put_owned(struct pprof *f, char *text)
{
	f->t->no_memory |= !text;
	put_text(f, text ? text : "");
	free(text);
}

static void put_strings(struct pprof *f)
{
	static const char *const units[MEASURE_UNITS] = { "nanoseconds", "count", "bytes", "nanoseconds", "count" };
	const struct profile *p = f->t->profile;

	const struct profile_measure *measure = foreign_measure(f->t);

	put_text(f, "");
	put_text(f, "calls");
	put_text(f, "count");
	put_owned(f, foreign_names_text(&f->names, foreign_is_time(f->t) ? "self" : measure->key));
	put_text(f, units[measure->unit]);
	put_text(f, "thread");
	for (uint32_t i = 0; i < p->zone_count; i++) {
		put_text(f, f->names.zones[i]);
		put_owned(f, foreign_names_text(&f->names, p->zones[i].file));
	}
	for (uint32_t i = 0; i < p->thread_count; i++)
		put_owned(f, foreign_names_thread(&f->names, i));
}

static void put_all(struct pprof *f)
{
	const struct profile *p = f->t->profile;

	if (profile_has_calls(p))
		put_type(f, SAMPLE_TYPE, STRING_CALLS, STRING_COUNT);
	put_type(f, SAMPLE_TYPE, STRING_SELF, STRING_UNIT);
	for (uint32_t i = 0; i < f->sums.count; i++)
		if (foreign_has(&f->sums, i))
			put_sample(f, i);
	for (uint32_t i = 0; i < p->zone_count; i++)
		put_zone(f, i);
	for (uint32_t i = 0; i < f->sums.count; i++)
		if (f->located[i])
			put_location(f, location_of(f, i), p->nodes[i].zone, p->nodes[i].line);
	put_strings(f);
	add_number(&f->profile, TIME, p->process.started_ns);
	add_number(&f->profile, DURATION, format_ns(f->t->values->wall, p->ticks_per_s));
	put_type(f, PERIOD_TYPE, STRING_SELF, STRING_UNIT);
	add_number(&f->profile, PERIOD, 1);
	add_number(&f->profile, DEFAULT_TYPE, STRING_SELF);
	flush_message(f);
}

static void give_bytes(void *out, const void *data, size_t length)
{
	fwrite(data, 1, length, out);
}

bool foreign_pprof(struct foreign *t, FILE *out)
{
	struct pprof f = { .t = t };
	bool done = foreign_names_init(&f.names, t->profile, TEXT_UTF8) && foreign_sums_init(&f.sums, t);

	f.stack = done ? foreign_stack_room(t, f.sums.count) : NULL;
	f.located = f.stack ? array_zeroed(f.sums.count, sizeof(*f.located)) : NULL;
	f.gzip = f.located ? gzip_new(0, give_bytes, out) : NULL;
	done = f.gzip;
	t->no_memory |= !done;
	if (done) {
		put_all(&f);
		done = gzip_end(f.gzip) && !ferror(out);
	}
	t->no_memory |= f.profile.failed;
	if (!profile_has_calls(t->profile))
		foreign_say(t, "calls are not known, so there is self time alone");
	foreign_say_names(t, &f.names);
	foreign_say_incomplete(t);
	foreign_sums_fini(&f.sums);
	foreign_names_fini(&f.names);
	free(f.stack);
	free(f.located);
	free(f.profile.at);
	free(f.message.at);
	free(f.inner.at);
	return done;
}

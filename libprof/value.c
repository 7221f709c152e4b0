/* value.c: counters, events and notes.
 *
 * A thread has a slot of its own in the region for each counter that it changes (struct region_slot), and writes to
 * it as long as the interval lasts; when the value changes in a later one, what the slot had is first written to
 * the value log (shm/value.h).  So a counter that changes often costs a few stores, and one that does not change
 * costs nothing.  Events and notes go to the value log at once.
 *
 * All of it is between the thread's guard: a signal handler that comes in between drops its value, and counts it.
 * No transition is made, so none of this ends the thread's part of a frame.
 */
#include "libprof/real.h"
#include "libprof/transition.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "shm/value.h"

#define FIRST_ROOM 256u /* of a thread's table of slots */

/* ---- the calling thread */

static struct thread *claimed_thread(struct process *p)
{
	struct thread *t = prof__thread_claim(p);

	if (!t && WORD_LOAD(p->shared->enabled))
		loss_add(p, prof__outsider.cause);
	return t;
}

cold struct thread *prof__other_thread(struct thread *t)
{
	if (t && t->guard == GUARD_WIPED) {
		prof__forked();
		t = NULL;
	}
	if (!t) {
		struct process *p = prof__running();
		if (!p)
			prof__too_early(0, 1);
		return p ? claimed_thread(p) : NULL;
	}
	if (t->guard != GUARD_BUSY)
		return t;
	if (!is_off(t))
		loss_add(prof__process, LOSS_IN_HANDLER);
	return NULL;
}

/* ---- into the value log */

static uint64_t head_word(uint64_t generation, enum value_kind_of kind, unsigned flags, unsigned words, uint64_t id)
{
	return (uint64_t)kind | (uint64_t)flags << 4 | (uint64_t)words << 8 | (generation & 0xffff) << 16 | id << 32;
}

static void write_record(struct thread *t, const uint64_t *words, unsigned count)
{
	struct log_record r;

	log_make_way(&t->values, count);
	log_begin(&r, &t->values);
	while (count) {
		size_t some;
		region_word *to = log_words(&r, count, &some);
		if (unlikely(!to)) {
			prof__log_take_back(&r, 0);
			loss_add(prof__process, LOSS_VALUE_ROOM);
			return;
		}
		for (size_t i = 0; i < some; i++)
			WORD_STORE(to[i], *words++);
		count -= (unsigned)some;
	}
	prof__log_publish(&r);
}

/* The clock went back, or has not come to `least`, to which a boundary has pushed the thread's time. */
static cold int64_t late_tick(struct thread *t, int64_t now, int64_t least)
{
	int64_t seen = t->value_tick == t->value_to ? t->value_from : t->value_tick;

	seen = max_tick(seen, clock_seen(t));
	if (now < seen)
		loss_add(prof__process, LOSS_CLOCK_BACK);
	t->value_to = least;
	t->value_from = max_tick(seen, now);
	return least;
}

/* The tick of an event or a note: never before that of the one before, nor before the thread's last transition. */
static uint64_t value_tick(struct thread *t)
{
	int64_t now = prof__ticks(prof__process), least = max_tick(t->value_tick, OWN(t->block->last));

	t->value_tick = unlikely(now < least) ? late_tick(t, now, least) : now;
	return (uint64_t)t->value_tick;
}

/* ---- values, as 64 bits */

enum change { SET_WHOLE, ADD_WHOLE, SET_REAL, ADD_REAL };

inlined bool is_real(enum change how)
{
	return how == SET_REAL || how == ADD_REAL;
}

inlined bool is_set(enum change how)
{
	return how == SET_WHOLE || how == SET_REAL;
}

/* A sum that would not fit stays at the end of what does. */
inlined int64_t sum(int64_t a, int64_t b)
{
	int64_t out;

	if (unlikely(__builtin_add_overflow(a, b, &out)))
		return b < 0 ? INT64_MIN : INT64_MAX;
	return out;
}

/* The new value after a change; false: it is not a finite number. */
inlined bool changed(enum change how, uint64_t from, uint64_t by, uint64_t *to)
{
	if (is_real(how)) {
		*to = is_set(how) ? by : real_sum(from, by);
		return real_finite(*to);
	}
	*to = is_set(how) ? by : (uint64_t)sum((int64_t)from, (int64_t)by);
	return true;
}

inlined bool is_less(enum change how, uint64_t a, uint64_t than)
{
	return is_real(how) ? real_less(a, than) : (int64_t)a < (int64_t)than;
}

/* ---- a slot */

/* Takes a value into the interval that the slot is of. */
inlined void store(struct region_slot *s, enum change how, uint64_t value)
{
	seq_write_begin(&s->seq);
	WORD_STORE(s->last, value);
	if (is_less(how, value, WORD_LOAD(s->least)))
		WORD_STORE(s->least, value);
	if (is_less(how, WORD_LOAD(s->most), value))
		WORD_STORE(s->most, value);
	seq_write_end(&s->seq);
}

static void write_sample(struct thread *t, const struct region_slot *s)
{
	uint64_t last = WORD_LOAD(s->last), least = WORD_LOAD(s->least), most = WORD_LOAD(s->most);
	unsigned count = last == least && last == most ? 3 : 5;
	uint64_t words[5] = { head_word(WORD_LOAD(s->owner), VALUE_SAMPLE, 0, count, WORD_LOAD(s->counter)),
		              WORD_LOAD(s->interval), last, least, most };

	write_record(t, words, count);
}

/* The least is more than the most: there is no interval before. */
static void clear_run(struct region_slot *s, enum change how)
{
	WORD_STORE(s->run_least, is_real(how) ? real_bits(1) : 1);
	WORD_STORE(s->run_most, 0);
}

static void add_to_run(struct region_slot *s, enum change how)
{
	uint64_t least = WORD_LOAD(s->least), most = WORD_LOAD(s->most);
	bool none = is_less(how, WORD_LOAD(s->run_most), WORD_LOAD(s->run_least));

	if (none || is_less(how, least, WORD_LOAD(s->run_least)))
		WORD_STORE(s->run_least, least);
	if (none || is_less(how, WORD_LOAD(s->run_most), most))
		WORD_STORE(s->run_most, most);
}

/* The first value of an interval, or of an owner.  One that sets, or whose counter was ever set, has a value of its
 * own; one that adds to a sum goes on where the owner before it stopped. */
static void turn_over(struct thread *t, struct region_slot *s, uint32_t id, enum change how, uint64_t by)
{
	struct process *p = prof__process;
	uint64_t interval = WORD_LOAD(*t->epoch_word), value;
	bool own = is_set(how) || WORD_LOAD(p->counters[id - 1].flags) & COUNTER_SET;
	bool anew = own && WORD_LOAD(s->owner) != t->generation;
	bool turns = anew || WORD_LOAD(s->interval) != interval;

	if (!changed(how, anew ? 0 : WORD_LOAD(s->last), by, &value)) {
		loss_add(p, LOSS_NOT_A_NUMBER);
		return;
	}
	if (turns) {
		prof__interval_end(p, interval - 1); /* a sample in the log is of an interval whose end is decided */
		write_sample(t, s);
	}
	seq_write_begin(&s->seq);
	if (anew)
		clear_run(s, how);
	else if (turns)
		add_to_run(s, how);
	if (turns || is_less(how, value, WORD_LOAD(s->least)))
		WORD_STORE(s->least, value);
	if (turns || is_less(how, WORD_LOAD(s->most), value))
		WORD_STORE(s->most, value);
	WORD_STORE(s->last, value);
	WORD_STORE(s->interval, interval);
	WORD_STORE(s->owner, t->generation);
	seq_write_end(&s->seq);
}

/* ---- a thread's slots */

static bool table_room(struct thread *t, uint32_t id)
{
	uint32_t room = t->slot_room ? t->slot_room : FIRST_ROOM;

	while (room <= id)
		room *= 2;
	if (room == t->slot_room)
		return true;
	struct slot *pages = prof__pages(room * sizeof *pages);
	if (!pages)
		return false;
	if (t->slots) {
		memcpy(pages, t->slots, t->slot_room * sizeof *pages);
		prof__pages_free(t->slots);
	}
	t->slots = pages;
	t->slot_room = room;
	return true;
}

static struct region_slot *fresh_slot(struct thread *t)
{
	struct process *p = prof__process;

	if (t->slot_count % CHUNK_SLOTS == 0) {
		uint32_t chunk = prof__chunk_claim(p, CHUNK_FOR_NODES, 0);
		if (!chunk)
			return NULL;
		struct region_slot_chunk *fresh = (struct region_slot_chunk *)&p->chunks[chunk - 1];
		memset((void *)fresh, 0, sizeof *fresh);
		WORD_STORE(fresh->link, t->slot_chunk);
		WORD_STORE(fresh->seq, t->slot_count / CHUNK_SLOTS);
		WORD_RELEASE(t->block->slot_chunk, chunk); /* pairs with the acquire in snapshot_slots */
		t->slot_chunk = chunk;
	}
	struct region_slot_chunk *chunk = (struct region_slot_chunk *)&p->chunks[t->slot_chunk - 1];
	return &chunk->slots[t->slot_count++ % CHUNK_SLOTS];
}

/* The first value that the block ever gives to a counter. */
static struct region_slot *open_slot(struct thread *t, uint32_t id, enum change how, uint64_t value)
{
	struct region_slot *s = fresh_slot(t);

	if (!s)
		return NULL;
	WORD_STORE(s->born, WORD_LOAD(*t->epoch_word));
	WORD_STORE(s->interval, WORD_LOAD(s->born));
	WORD_STORE(s->owner, t->generation);
	WORD_STORE(s->last, value);
	WORD_STORE(s->least, value);
	WORD_STORE(s->most, value);
	clear_run(s, how);
	WORD_RELEASE(s->counter, id); /* pairs with the acquire in snapshot_slots */
	return s;
}

static uint32_t known_id(struct process *p, Prof_counter *counter, bool real)
{
	uint32_t id = __atomic_load_n(&counter->id[real], __ATOMIC_RELAXED);

	if (id == COUNTER_REFUSED) {
		loss_add(p, LOSS_COUNTER_ROOM);
		return 0;
	}
	if (!known_row(&p->counter_rows, id)) /* the slot must not be seen before its counter */
		id = prof__counter_id(p, counter, real);
	if (!id)
		loss_add(p, prof__counters_refused());
	return id;
}

/* The slow path: every change but one within the interval of an existing slot. */
static void take_slow_change(struct thread *t, Prof_counter *counter, enum change how, uint64_t by)
{
	struct process *p = prof__process;

	if (is_real(how) && !real_finite(by)) {
		loss_add(p, LOSS_NOT_A_NUMBER);
		return;
	}
	uint32_t id = known_id(p, counter, is_real(how));
	if (!id)
		return;
	if (!table_room(t, id)) {
		loss_add(p, LOSS_MEMORY);
		return;
	}
	struct slot *mine = &t->slots[id];
	if (is_set(how) && !mine->set) {
		atomic_fetch_or_explicit(&p->counters[id - 1].flags, COUNTER_SET, memory_order_relaxed);
		mine->set = true;
	}
	if (mine->shared)
		turn_over(t, mine->shared, id, how, by);
	else if (!(mine->shared = open_slot(t, id, how, by)))
		loss_add(p, LOSS_COUNTER_ROOM);
}

static cold void change_slowly(struct thread *t, Prof_counter *counter, enum change how, uint64_t by, enum guard ready)
{
	int saved = errno;

	if (!is_off(t))
		take_slow_change(t, counter, how, by);
	errno = saved;
	guard_give(t, ready);
}

inlined void change(Prof_counter *counter, enum change how, uint64_t by)
{
	struct thread *t = thread_for_value();
	uint32_t id = __atomic_load_n(&counter->id[is_real(how)], __ATOMIC_RELAXED);
	uint64_t value;

	if (unlikely(!t))
		return;
	enum guard ready = guard_take(t);
	struct region_slot *s = id < t->slot_room && (!is_set(how) || t->slots[id].set) ? t->slots[id].shared : NULL;
	if (unlikely(!s || is_off(t) || WORD_LOAD(s->interval) != WORD_LOAD(*t->epoch_word) ||
	             WORD_LOAD(s->owner) != t->generation || !changed(how, WORD_LOAD(s->last), by, &value))) {
		change_slowly(t, counter, how, by, ready);
		return;
	}
	store(s, how, value);
	guard_give(t, ready);
}

void prof__set_whole(Prof_counter *counter, int64_t value)
{
	change(counter, SET_WHOLE, (uint64_t)value);
}

void prof__add_whole(Prof_counter *counter, int64_t value)
{
	change(counter, ADD_WHOLE, (uint64_t)value);
}

void prof__set_real(Prof_counter *counter, double value)
{
	change(counter, SET_REAL, real_bits(value));
}

void prof__add_real(Prof_counter *counter, double value)
{
	change(counter, ADD_REAL, real_bits(value));
}

void prof__set_float(Prof_counter *counter, float value)
{
	change(counter, SET_REAL, real_of_float(value));
}

void prof__add_float(Prof_counter *counter, float value)
{
	change(counter, ADD_REAL, real_of_float(value));
}

void prof__set_long(Prof_counter *counter, long double value)
{
	change(counter, SET_REAL, prof__real_of_long(value));
}

void prof__add_long(Prof_counter *counter, long double value)
{
	change(counter, ADD_REAL, prof__real_of_long(value));
}

/* ---- events and notes */

static cold uint32_t new_event(struct process *p, Prof_zone *zone)
{
	int saved = errno;
	uint32_t id = prof__zone_id(p, zone);

	if (!id)
		loss_add(p, prof__registry_refused(LOSS_ZONE_ROOM));
	errno = saved;
	return id;
}

void prof__event(Prof_zone *zone)
{
	struct thread *t = thread_for_value();

	if (unlikely(!t))
		return;
	enum guard ready = guard_take(t);
	struct process *p = prof__process;
	uint32_t id = __atomic_load_n(&zone->id, __ATOMIC_RELAXED);
	if (is_off(t)) {
		guard_give(t, ready);
		return;
	}
	if (unlikely(!known_zone(p, id)))
		id = new_event(p, zone);
	if (id) {
		uint64_t words[VALUE_HEAD_WORDS] = { head_word(t->generation, VALUE_EVENT, 0, VALUE_HEAD_WORDS, id),
			                             value_tick(t) };
		write_record(t, words, VALUE_HEAD_WORDS);
	}
	guard_give(t, ready);
}

/* Room to see behind the longest text whether its last character is whole. */
#define NOTE_ROOM (VALUE_NOTE_MAX + 8)

static void write_note(struct thread *t, uint64_t *words, int length)
{
	char *text = (char *)(words + VALUE_HEAD_WORDS);
	bool whole = length >= 0 && length <= (int)VALUE_NOTE_MAX;
	unsigned size = length < 0 ? 0 : whole ? (unsigned)length : (unsigned)prof__cut_utf8(text, VALUE_NOTE_MAX);
	unsigned count = VALUE_HEAD_WORDS + (size + 7) / 8;

	if (!whole)
		loss_add(prof__process, LOSS_NOTE_CUT);
	memset(text + size, 0, count * 8 - VALUE_HEAD_WORDS * 8 - size);
	words[0] = head_word(t->generation, VALUE_NOTE, whole ? 0 : VALUE_CUT, count, size);
	words[1] = value_tick(t);
	write_record(t, words, count);
}

void prof__note(const char *format, ...)
{
	uint64_t words[VALUE_HEAD_WORDS + NOTE_ROOM / 8];
	struct thread *t = thread_for_value();
	va_list arguments;
	int saved = errno;

	if (!t || is_off(t))
		return;
	va_start(arguments, format);
	int length = vsnprintf((char *)(words + VALUE_HEAD_WORDS), NOTE_ROOM, format, arguments); /* < 0: it failed */
	va_end(arguments);
	errno = saved;
	enum guard ready = guard_take(t);
	write_note(t, words, length);
	guard_give(t, ready);
}

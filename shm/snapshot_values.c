/* snapshot_values.c: counters, what each block gives to them, and the records of a value log.
 *
 * A slot is read whole under its own sequence word; a record is checked by its length, its kind, and what it
 * names.  A double that is no finite number is damage: libprof takes none.
 */
#include "shm/snapshot_read.h"

#include <math.h>
#include <stdlib.h>

/* ---- counters */

static uint32_t counter_count(const struct attachment *a)
{
	return snapshot_filled(a, REGION_COUNTERS, WORD_ACQUIRE(a->process->counters));
}

static struct region_counter *counter_at(const struct attachment *a, uint32_t index)
{
	return snapshot_element(a, REGION_COUNTERS, index);
}

bool snapshot_counter(struct attachment *a, uint32_t index, struct snapshot_counter *out, char *text, size_t size)
{
	struct region_counter *from;

	out->name = "";
	out->unit[0] = '\0';
	out->flags = 0;
	if (index >= counter_count(a))
		return false;
	from = counter_at(a, index);
	uint64_t name = WORD_LOAD(*(region_word *)from), unit = WORD_ACQUIRE(from->unit);
	out->flags = (unsigned)WORD_LOAD(from->flags) & (COUNTER_REAL | COUNTER_SET | COUNTER_TOTAL);
	if (!snapshot_text(a, unit >> 32, unit & UINT32_MAX, out->unit, sizeof out->unit))
		return false;
	if (!snapshot_text(a, (uint32_t)name, name >> 32, text, size)) /* offset and size, as they lie in memory */
		return false;
	if (size)
		out->name = text;
	return true;
}

/* ---- values of one kind */

static bool is_real(const struct attachment *a, uint32_t counter)
{
	return WORD_LOAD(counter_at(a, counter)->flags) & COUNTER_REAL;
}

static double double_of_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static bool in_order(uint64_t a, uint64_t b, bool reals)
{
	if (reals)
		return isfinite(double_of_bits(a)) && isfinite(double_of_bits(b)) && double_of_bits(a) <= double_of_bits(b);
	return (int64_t)a <= (int64_t)b;
}

/* ---- slots */

static bool load_slot(const struct attachment *a, struct region_slot *s, struct snapshot_slot *out)
{
	for (int i = 0; i < SEQ_TRIES; i++) {
		uint64_t mark = seq_read_begin(&s->seq);
		out->generation = WORD_LOAD(s->owner);
		out->interval = WORD_LOAD(s->interval);
		out->last = WORD_LOAD(s->last);
		out->least = WORD_LOAD(s->least);
		out->most = WORD_LOAD(s->most);
		out->run_least = WORD_LOAD(s->run_least);
		out->run_most = WORD_LOAD(s->run_most);
		if (seq_read_valid(&s->seq, mark))
			return true;
		if (!a->live)
			return false;
		snapshot_wait(a, i);
	}
	return false;
}

static bool is_less(uint64_t a, uint64_t b, bool reals)
{
	return !in_order(b, a, reals);
}

/* A writer that died while it wrote to the slot: each word is the old one or the new one, so the value is that before
 * its last change or behind it.  Its bounds may lack that. */
static void mend_slot(struct snapshot_slot *slot, bool reals)
{
	if (is_less(slot->last, slot->least, reals))
		slot->least = slot->last;
	if (is_less(slot->most, slot->last, reals))
		slot->most = slot->last;
}

static bool check_slot(const struct attachment *a, struct snapshot_slot *slot)
{
	bool real = is_real(a, slot->counter);

	slot->run = in_order(slot->run_least, slot->run_most, real);
	return slot->born >= 1 && slot->born <= slot->interval && slot->interval <= WORD_ACQUIRE(a->process->epoch) &&
	       in_order(slot->least, slot->last, real) && in_order(slot->last, slot->most, real);
}

struct slots {
	const struct attachment *a;
	struct snapshot_slot *out;
	uint32_t room, copied, found;
	uint64_t torn;
	bool damaged;
};

static void take_slot(struct slots *s, struct region_slot *from, uint64_t counter)
{
	struct snapshot_slot slot = { .counter = (uint32_t)(counter - 1), .born = WORD_LOAD(from->born) };

	if (counter > counter_count(s->a)) {
		s->damaged = true;
		return;
	}
	if (!load_slot(s->a, from, &slot)) {
		s->torn++;
		if (s->a->live)
			return;
		mend_slot(&slot, is_real(s->a, slot.counter));
	}
	if (!check_slot(s->a, &slot)) {
		s->damaged = true;
		return;
	}
	s->found++;
	if (s->copied < s->room)
		s->out[s->copied++] = slot;
}

/* Chunks come from the newest to the oldest; all but the newest are full. */
static void walk_slots(struct slots *s, struct region_thread *t)
{
	uint64_t link = WORD_ACQUIRE(t->slot_chunk), expected = UINT64_MAX;

	while (link) {
		struct region_slot_chunk *chunk = (struct region_slot_chunk *)snapshot_chunk(s->a, link);
		if (!chunk)
			break;
		uint64_t seq = WORD_LOAD(chunk->seq);
		if (seq >= s->a->chunk_count || (expected != UINT64_MAX && seq != expected))
			break;
		for (unsigned i = 0; i < CHUNK_SLOTS; i++) {
			uint64_t counter = WORD_ACQUIRE(chunk->slots[i].counter);
			if (!counter)
				break;
			take_slot(s, &chunk->slots[i], counter);
		}
		link = WORD_LOAD(chunk->link);
		if (!seq) {
			s->damaged |= link != 0;
			return;
		}
		expected = seq - 1; /* they descend, so this ends whatever the links say */
	}
	s->damaged |= link || expected != UINT64_MAX;
}

enum snapshot_result snapshot_slots(struct attachment *a, uint32_t block, struct snapshot_slot *out, uint32_t *count,
                                    uint64_t *torn)
{
	struct region_thread *t = snapshot_block(a, block);
	struct slots slots = { .a = a, .out = out, .room = *count };

	*count = 0;
	if (!t)
		return SNAPSHOT_ABSENT;
	walk_slots(&slots, t);
	*count = slots.found;
	*torn += slots.torn;
	return slots.damaged ? SNAPSHOT_DAMAGED : SNAPSHOT_OK;
}

/* ---- the log */

struct reader {
	struct log_reader log; /* first: what deliver_value gets */
	uint32_t counters, zones;
	uint64_t epoch;
	char text[VALUE_NOTE_MAX + 1];
	snapshot_value_visit *visit;
	void *context;
};

static bool check_sample(const struct reader *r, const uint64_t *words, unsigned size, struct snapshot_value *v)
{
	if ((size != 3 && size != 5) || !v->id || v->id > r->counters)
		return false;
	v->id--;
	v->interval = words[1];
	v->last = words[2];
	v->least = words[size == 5 ? 3 : 2];
	v->most = words[size == 5 ? 4 : 2];
	bool real = is_real(r->log.a, v->id);
	return v->interval >= 1 && v->interval <= r->epoch && in_order(v->least, v->last, real) &&
	       in_order(v->last, v->most, real);
}

static bool check_note(struct reader *r, const uint64_t *words, unsigned size, struct snapshot_value *v)
{
	if (v->id > VALUE_NOTE_MAX || size != VALUE_HEAD_WORDS + (v->id + 7) / 8)
		return false;
	memcpy(r->text, words + VALUE_HEAD_WORDS, v->id);
	r->text[v->id] = '\0';
	v->text = r->text;
	return v->tick >= 0;
}

/* Whether the record of `size` words is sound; then *v is it. */
static bool check_value(struct reader *r, const uint64_t *words, unsigned size, struct snapshot_value *v)
{
	*v = (struct snapshot_value){ .kind = (enum value_kind_of)(words[0] & 0xf), .flags = words[0] >> 4 & 0xf,
		                      .generation = words[0] >> 16 & 0xffff, .id = (uint32_t)(words[0] >> 32) };
	if (v->kind == VALUE_SAMPLE)
		return check_sample(r, words, size, v);
	v->tick = (int64_t)words[1];
	if (v->kind == VALUE_NOTE)
		return check_note(r, words, size, v);
	return v->kind == VALUE_EVENT && size == VALUE_HEAD_WORDS && v->id >= 1 && v->id <= r->zones && v->tick >= 0;
}

static enum snapshot_result deliver_value(struct log_reader *log, const uint64_t *words, uint64_t count, uint64_t *used,
                                          uint64_t *longer)
{
	struct reader *r = (struct reader *)log;
	struct region_process *process = log->a->process;

	/* Behind the log's head: they cover what the records name. */
	r->counters = counter_count(log->a);
	r->zones = snapshot_filled(log->a, REGION_ZONES, WORD_ACQUIRE(process->zones));
	r->epoch = WORD_ACQUIRE(process->epoch);
	*used = *longer = 0;
	while (*used < count && !log->stopped) {
		unsigned size = words[*used] >> 8 & 0xff;
		struct snapshot_value value;
		if (size < VALUE_HEAD_WORDS)
			return SNAPSHOT_DAMAGED;
		if (size > count - *used) {
			*longer = size;
			return SNAPSHOT_OK;
		}
		if ((words[*used] & 0xf) >= VALUE_KINDS) {
			*used += size;
			continue;
		}
		if (check_value(r, words + *used, size, &value))
			log->stopped = !r->visit(&value, r->context);
		else
			++*log->damaged;
		*used += size;
	}
	return SNAPSHOT_OK;
}

enum snapshot_result snapshot_values(struct attachment *a, uint32_t block, uint64_t *position, uint64_t *lapped,
                                     uint64_t *damaged, snapshot_value_visit *visit, void *context)
{
	struct region_thread *t = snapshot_block(a, block);
	struct reader r = { .log = { .a = a, .block = block, .position = position, .lapped = lapped, .damaged = damaged,
		                     .deliver = deliver_value },
		            .visit = visit, .context = context };
	enum snapshot_result result;

	if (!t)
		return SNAPSHOT_ABSENT;
	r.log.log = &t->values;
	result = log_read(&r.log);
	free(r.log.words);
	return result;
}

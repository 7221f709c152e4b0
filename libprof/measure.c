/* measure.c: measures of adapters: what is counted for nodes and slices beside their time (adapter.h).
 *
 * The process has a table of them, as of counters.  What a thread has of each is in chunks of its own (struct
 * region_measured_chunk), of which it takes the first when something is first added.  So a program that uses no measure
 * has none of this.
 *
 * An amount is a store between intent and intent (transition.h): it makes no transition, as no zone begins or ends.  When it
 * is the first one in a new interval, the slice before is published first, as a zone's begin or end would do.  So each
 * amount is in the frame in which it came.  It is published with the slice, for the nodes on the thread's dirty list
 * (part.c).
 */
#include "libprof/transition.h"

#include <errno.h>

static_assert((int)prof__SAMPLES == REGION_SAMPLES && (int)prof__OF_SLICE == REGION_OF_SLICE && (int)prof__MAX == REGION_MAX &&
              (int)prof__SAMPLED == REGION_SAMPLED && (int)prof__ABSENT_IS_ZERO == REGION_ABSENT_IS_ZERO,
              "adapter.h says what region.h says");
static_assert(sizeof(prof__measure) == 48, "the layout is that of the first version");

/* ---- the table of measures */

struct kind {
	struct entry entry; /* the number is the measure's id */
	prof__measure measure; /* of copied texts */
};

/* Two threads that make the same entry at once make it twice, so there is space for twice as many. */
struct kinds {
	struct table table;
	_Atomic uint32_t used;
	struct entry *_Atomic slots[2 * MEASURES], *_Atomic order[MEASURES];
	struct kind kind[2 * MEASURES];
};

static struct kinds *_Atomic kinds;

void prof__measures_drop(void)
{
	atomic_store_explicit(&kinds, NULL, memory_order_relaxed);
}

/* NULL: there is no memory for them. */
static struct kinds *the_kinds(void)
{
	struct kinds *all = atomic_load_explicit(&kinds, memory_order_acquire), *made;

	if (all || !(made = prof__inherited_pages(sizeof *made)))
		return all;
	made->table = (struct table){ .slots = made->slots, .order = made->order, .most = MEASURES };
	if (atomic_compare_exchange_strong_explicit(&kinds, &all, made, memory_order_acq_rel, memory_order_acquire))
		return made;
	prof__pages_free(made);
	return all;
}

static bool same_key(const struct entry *entry, const void *key)
{
	return ((const struct kind *)entry)->measure.key == key;
}

/* The kind with the measure's key, made when it is new; NULL: no room. */
static struct kind *kind_of(const prof__measure *measure)
{
	static _Atomic uint32_t left = 4 * MEASURES; /* as for names of counters */
	const char *key = prof__text_of_few(measure->key, &left), *title = prof__text_of_few(measure->title, &left);
	uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull;
	struct kinds *all = key && title ? the_kinds() : NULL;
	struct kind *kind = all ? (struct kind *)table_find(&all->table, hash, same_key, key) : NULL;
	uint32_t i;

	if (kind || !all)
		return kind;
	if (atomic_load_explicit(&all->table.count, memory_order_relaxed) == MEASURES ||
	    (i = atomic_fetch_add_explicit(&all->used, 1, memory_order_relaxed)) >= 2 * MEASURES)
		return NULL;
	kind = &all->kind[i];
	kind->measure = *measure;
	kind->measure.key = key;
	kind->measure.title = title;
	kind = (struct kind *)table_add(&all->table, hash, same_key, key, &kind->entry);
	return kind && table_number(&all->table, &kind->entry) ? kind : NULL;
}

/* The row of a measure that is in the region. */
static const prof__measure *measure_at(unsigned measure)
{
	return &((const struct kind *)table_at(&kinds->table, measure + 1))->measure;
}

static void texts_of(const struct entry *entry, const char **one, const char **other)
{
	*one = ((const struct kind *)entry)->measure.key;
	*other = ((const struct kind *)entry)->measure.title;
}

static void write_row(struct process *p, const struct entry *entry, uint32_t i)
{
	const prof__measure *m = &((const struct kind *)entry)->measure;
	uint64_t key = prof__region_text(p, m->key), title = prof__region_text(p, m->title);
	struct region_measure words = { .key = (uint32_t)(key >> 32), .key_size = (uint32_t)key,
		                        .title = (uint32_t)(title >> 32), .title_size = (uint32_t)title,
		                        .unit = m->unit, .of = m->of, .combine = m->combine, .flags = m->flags,
		                        .period = m->period };

	write_words(&p->measures[i], &words, sizeof words);
}

static void publish_measure(struct process *p, uint32_t number)
{
	const struct publication what = { REGION_MEASURES, sizeof *p->measures, &kinds->table, &p->measure_rows,
		                          &p->shared->measures, texts_of, write_row };

	prof__publish(p, &what, number);
}

void prof__measures_publish(struct process *p)
{
	if (kinds)
		publish_measure(p, atomic_load_explicit(&kinds->table.count, memory_order_acquire));
}

/* 0: no room. */
static uint32_t id_of(struct process *p, prof__measure *measure)
{
	uint32_t id = __atomic_load_n(&measure->id, __ATOMIC_RELAXED);

	if (known_row(&p->measure_rows, id))
		return id;
	const struct kind *kind = kind_of(measure);
	id = kind ? atomic_load_explicit(&kind->entry.number, memory_order_acquire) : 0;
	if (id && !known_row(&p->measure_rows, id))
		publish_measure(p, id);
	if (!known_row(&p->measure_rows, id))
		return 0;
	__atomic_store_n(&measure->id, id, __ATOMIC_RELAXED);
	return id;
}

/* ---- what a thread has */

/* The chunks of a measure's values, by number of node / CHUNK_MEASURED. */
struct node_values {
	struct region_measured_chunk **chunk;
	uint32_t room;
	bool of_slice, is_max; /* as the row says: known once there is a value */
};

struct measured {
	struct region_measured_chunk *slices; /* NULL: none yet */
	uint32_t chunks, newest; /* of the thread; 1 + chunk */
	struct node_values of[MEASURES];
};
static_assert(MEASURES <= CHUNK_MEASURED, "a thread's values of slices fill a chunk");

static struct region_measured_chunk *fresh_chunk(struct thread *t, uint64_t what)
{
	struct process *p = prof__process;
	struct measured *mine = t->measures;
	uint32_t chunk = prof__chunk_claim(p, CHUNK_FOR_MEASURES, mine->chunks);

	if (!chunk)
		return NULL;
	struct region_measured_chunk *fresh = (struct region_measured_chunk *)&p->chunks[chunk - 1];
	memset((void *)fresh, 0, sizeof *fresh);
	WORD_STORE(fresh->link, mine->newest);
	WORD_STORE(fresh->seq, mine->chunks);
	WORD_STORE(fresh->what, what);
	WORD_RELEASE(t->block->measured_chunk, chunk); /* pairs with the acquire in snapshot_measures.c */
	mine->newest = chunk;
	mine->chunks++;
	return fresh;
}

/* Room for one chunk more at `at`. */
static bool table_room(struct node_values *of, uint32_t at)
{
	uint32_t room = of->room ? of->room : 4096 / sizeof *of->chunk;
	struct region_measured_chunk **pages;

	while (room <= at)
		room *= 2;
	if (room == of->room)
		return true;
	pages = prof__pages(room * sizeof *pages);
	if (!pages)
		return false;
	if (of->chunk) {
		memcpy(pages, of->chunk, of->room * sizeof *pages);
		prof__pages_free(of->chunk);
	}
	of->chunk = pages;
	of->room = room;
	return true;
}

static cold struct region_measured *open_cell(struct thread *t, unsigned measure, uint32_t node, enum region_loss *cause)
{
	const prof__measure *row = measure_at(measure);
	uint32_t at = node / CHUNK_MEASURED;

	*cause = LOSS_MEMORY;
	if (!t->measures && !(t->measures = prof__pages(sizeof *t->measures)))
		return NULL;
	struct node_values *of = &t->measures->of[measure];
	of->of_slice = row->of == prof__OF_SLICE;
	of->is_max = row->combine == prof__MAX;
	if (!of->of_slice && !table_room(of, at))
		return NULL;
	*cause = LOSS_MEASURE_ROOM;
	if (of->of_slice) {
		if (!t->measures->slices)
			t->measures->slices = fresh_chunk(t, MEASURED_SLICES);
		return t->measures->slices ? &t->measures->slices->cells[measure] : NULL;
	}
	if (!of->chunk[at])
		of->chunk[at] = fresh_chunk(t, measure | (uint64_t)(at * CHUNK_MEASURED) << 32);
	return of->chunk[at] ? &of->chunk[at]->cells[node % CHUNK_MEASURED] : NULL;
}

/* NULL: none yet. */
inlined struct region_measured *cell_of(const struct thread *t, unsigned measure, uint32_t node)
{
	const struct measured *mine = t->measures;
	const struct node_values *of;

	if (!mine)
		return NULL;
	of = &mine->of[measure];
	if (of->of_slice)
		return mine->slices ? &mine->slices->cells[measure] : NULL;
	if (node / CHUNK_MEASURED >= of->room || !of->chunk[node / CHUNK_MEASURED])
		return NULL;
	return &of->chunk[node / CHUNK_MEASURED]->cells[node % CHUNK_MEASURED];
}

uint32_t prof__measure_id(prof__measure *measure)
{
	int saved = errno;
	uint32_t id = id_of(prof__process, measure);

	errno = saved;
	return id;
}

bool prof__measure_of_slice(unsigned measure)
{
	return measure_at(measure)->of == prof__OF_SLICE;
}

int64_t prof__measure_changed(const struct thread *t, unsigned measure, const struct node *n)
{
	struct region_measured *cell = cell_of(t, measure, n ? n->id : 0);

	if (!cell)
		return 0;
	return t->measures->of[measure].is_max ? WORD_LOAD(cell->value) : WORD_LOAD(cell->value) - WORD_LOAD(cell->base);
}

int64_t prof__measure_taken(struct thread *t, unsigned measure, const struct node *n)
{
	struct region_measured *cell = cell_of(t, measure, n ? n->id : 0);
	int64_t value = cell ? WORD_LOAD(cell->value) : 0, base = cell ? WORD_LOAD(cell->base) : 0;

	if (!cell)
		return 0;
	if (!t->measures->of[measure].is_max) {
		WORD_STORE(cell->base, value);
		return value - base;
	}
	WORD_STORE(cell->base, max_tick(value, base));
	WORD_STORE(cell->value, 0);
	return value;
}

static void put_aside(struct region_measured_chunk *chunk, bool is_max, unsigned first, unsigned end)
{
	for (unsigned i = first; chunk && i < end; i++) {
		struct region_measured *cell = &chunk->cells[i];
		int64_t base = WORD_LOAD(cell->base);
		WORD_STORE(cell->ended, is_max ? max_tick(base, WORD_LOAD(cell->ended)) : base);
		if (is_max)
			WORD_STORE(cell->base, 0);
	}
}

void prof__measures_put_aside(struct thread *t)
{
	struct region_thread *block = t->block;

	WORD_STORE(block->unmeasured_ended, WORD_LOAD(block->unmeasured_ended) | WORD_LOAD(block->unmeasured));
	WORD_STORE(block->unmeasured, 0);
	for (unsigned m = 0; t->measures && m < MEASURES; m++) {
		const struct node_values *of = &t->measures->of[m];
		if (of->of_slice)
			put_aside(t->measures->slices, of->is_max, m, m + 1);
		for (uint32_t i = 0; i < of->room; i++)
			put_aside(of->chunk[i], of->is_max, 0, CHUNK_MEASURED);
	}
}

/* ---- adding */

/* A handler may come between any two of these. */
static void set_unmeasured(struct thread *t, unsigned measure)
{
	__atomic_fetch_or(&t->unmeasured, 1ull << measure, __ATOMIC_RELAXED);
	atomic_fetch_or_explicit(&t->block->unmeasured, 1ull << measure, memory_order_relaxed);
}

static cold struct region_measured *find_cell_slowly(struct thread *t, const struct node *n, prof__measure *measure,
                                                     unsigned *index)
{
	struct process *p = prof__process;
	enum region_loss cause = prof__registry_refused(LOSS_MEASURE_ROOM);
	int saved = errno;
	uint32_t id = id_of(p, measure);
	struct region_measured *cell = id ? open_cell(t, id - 1, n->id, &cause) : NULL;

	errno = saved;
	*index = id ? id - 1 : 0;
	if (cell)
		return cell;
	loss_add(p, cause);
	if (id)
		set_unmeasured(t, id - 1);
	return NULL;
}

/* The cell of the measure in the node, or in the slice. */
inlined struct region_measured *find_cell(struct thread *t, const struct node *n, prof__measure *measure, unsigned *index)
{
	uint32_t id = __atomic_load_n(&measure->id, __ATOMIC_RELAXED);
	struct region_measured *cell =
	    known_row(&prof__process->measure_rows, id) ? cell_of(t, id - 1, n->id) : NULL;

	*index = id - 1;
	return cell ? cell : find_cell_slowly(t, n, measure, index);
}

inlined void add_amount(struct thread *t, struct node *n, struct region_measured *cell, unsigned measure, int64_t amount)
{
	const struct node_values *of = &t->measures->of[measure];
	int64_t value = WORD_LOAD(cell->value);

	if (!of->is_max)
		WORD_STORE(cell->value, (int64_t)((uint64_t)value + (uint64_t)amount));
	else if (amount > value)
		WORD_STORE(cell->value, amount);
	if (!of->of_slice)
		touch_node(t, n);
	t->measured |= 1ull << measure;
}

/* Intent comes before the look at the epoch: who finds neither, long behind a mark, knows that all amounts of the interval
 * before are there.  Returns what intent is to be afterwards. */
inlined uint64_t begin_amounts(struct thread *t)
{
	uint64_t head = transition_begin(t->block) - 1;

	if (unlikely(WORD_LOAD(*t->epoch_word) != t->epoch)) {
		prof__flush_still(t);
		transition_begin(t->block);
	}
	return head;
}

/* A signal handler that interrupted the library asks for this: the slice of its thread lacks the amount. */
static cold void note_interrupted(prof__measure *const *measures, unsigned count)
{
	struct thread *t = prof__thread;

	for (unsigned i = 0; t && t->guard == GUARD_BUSY && i < count; i++) {
		uint32_t id = __atomic_load_n(&measures[i]->id, __ATOMIC_RELAXED);
		if (id)
			set_unmeasured(t, id - 1);
	}
}

void prof__measure_add(prof__measure *const *measures, const int64_t *amounts, unsigned count)
{
	struct region_measured *cells[prof__MEASURES_AT_ONCE];
	unsigned index[prof__MEASURES_AT_ONCE];
	struct thread *t = __atomic_load_n(&prof__on, __ATOMIC_RELAXED) ? thread_for_value() : NULL;

	if (unlikely(!t)) {
		note_interrupted(measures, count);
		return;
	}
	enum guard ready = guard_take(t);
	if (!is_off(t)) {
		count = count < prof__MEASURES_AT_ONCE ? count : prof__MEASURES_AT_ONCE;
		if (unlikely(WORD_LOAD(*t->epoch_word) != t->epoch))
			prof__flush_still(t); /* what is lost now is lost in the new interval */
		for (unsigned i = 0; i < count; i++)
			cells[i] = find_cell(t, t->current, measures[i], &index[i]);
		uint64_t head = begin_amounts(t);
		for (unsigned i = 0; i < count; i++)
			if (cells[i])
				add_amount(t, t->current, cells[i], index[i], amounts[i]);
		WORD_RELEASE(t->block->intent, head);
	}
	guard_give(t, ready);
}

void prof__measure_add_at(struct thread *t, struct node *n, prof__measure *measure, int64_t amount)
{
	unsigned index;
	struct region_measured *cell = find_cell(t, n, measure, &index);

	if (!cell)
		return;
	uint64_t intent = WORD_LOAD(t->block->intent);
	transition_begin(t->block);
	add_amount(t, n, cell, index, amount);
	WORD_RELEASE(t->block->intent, intent);
}

void prof__measure_unknown(prof__measure *measure)
{
	struct thread *t = __atomic_load_n(&prof__on, __ATOMIC_RELAXED) ? thread_for_value() : NULL;

	if (!t)
		return;
	enum guard ready = guard_take(t);
	int saved = errno;
	if (!is_off(t)) {
		if (WORD_LOAD(*t->epoch_word) != t->epoch)
			prof__flush_still(t);
		uint32_t id = id_of(prof__process, measure);
		if (id)
			set_unmeasured(t, id - 1);
		else
			loss_add(prof__process, prof__registry_refused(LOSS_MEASURE_ROOM));
	}
	errno = saved;
	guard_give(t, ready);
}

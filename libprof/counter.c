/* counter.c: the counters of the process.
 *
 * A counter is known by its name and its kind: of integers, or of doubles.  Ids are the numbers of a table (lockfree_table.h), in the
 * order in which they were first used, and outlive a region as zones' do.  So there are two tables: of names, which
 * Prof_Counter hands out, and of names with a kind.
 *
 * The program may set a counter's unit, and whether it is a total, at any time.
 *
 * Neither table ever gets room again, nor does a child's region, so one that was refused is not looked up any more.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <string.h>

#define NAMES 8192u
#define KINDS (2 * NAMES)

struct name {
	struct entry entry;
	Prof_counter counter; /* of a copied name; what Prof_Counter hands out */
	const char *_Atomic unit; /* a copy; NULL: none was said */
	_Atomic bool total;
};

struct kind {
	struct entry entry; /* the number is the counter's id */
	bool real;
	const struct name *name;
};

/* Two threads that make the same entry at once make it twice, so there is space for twice as many. */
struct counters {
	struct table names, kinds;
	_Atomic uint32_t name_count, kind_count;
	struct entry *_Atomic name_slots[2 * NAMES], *_Atomic name_order[NAMES];
	struct entry *_Atomic kind_slots[2 * KINDS], *_Atomic kind_order[KINDS];
	struct name name[2 * NAMES];
	struct kind kind[2 * KINDS];
};

static struct counters *_Atomic counters;
/* What Prof_Counter hands out when there is no memory: never recorded, counted as a lost value. */
static Prof_counter nowhere = { "", { 0, 0 } };

void prof__counters_drop(void)
{
	atomic_store_explicit(&counters, NULL, memory_order_relaxed);
}

/* NULL: there is no memory for them. */
static struct counters *the_counters(void)
{
	struct counters *all = atomic_load_explicit(&counters, memory_order_acquire), *made;

	if (all || !(made = prof__inherited_pages(sizeof *made)))
		return all;
	made->names = (struct table){ .slots = made->name_slots, .order = made->name_order, .most = NAMES };
	made->kinds = (struct table){ .slots = made->kind_slots, .order = made->kind_order, .most = KINDS };
	if (atomic_compare_exchange_strong_explicit(&counters, &all, made, memory_order_acq_rel, memory_order_acquire))
		return made;
	prof__pages_free(made);
	return all;
}

/* The hash of a pointer, to a name or to its copied text. */
static uint64_t hash_of(const void *of, bool real)
{
	return ((uint64_t)(uintptr_t)of * 2 + real) * 0x9e3779b97f4a7c15ull;
}

/* ---- names */

static bool same_name(const struct entry *entry, const void *copy)
{
	return ((const struct name *)entry)->counter.name == copy;
}

/* The counter of that name, made when it is new; NULL: no room. */
static struct name *name_of(const char *text)
{
	static _Atomic uint32_t left = 2 * NAMES;
	const char *copy = prof__text_of_few(text, &left); /* names that are refused must not take the texts of zones */
	struct counters *all = copy ? the_counters() : NULL;
	struct name *name = all ? (struct name *)table_find(&all->names, hash_of(copy, 0), same_name, copy) : NULL;
	uint32_t i;

	if (name || !all)
		return name;
	if (atomic_load_explicit(&all->names.count, memory_order_relaxed) == NAMES ||
	    (i = atomic_fetch_add_explicit(&all->name_count, 1, memory_order_relaxed)) >= 2 * NAMES)
		return NULL;
	name = &all->name[i];
	name->counter.name = copy;
	name = (struct name *)table_add(&all->names, hash_of(copy, 0), same_name, copy, &name->entry);
	return name && table_number(&all->names, &name->entry) ? name : NULL;
}

Prof_counter *Prof_Counter(const char *text)
{
	struct name *name = name_of(text);

	return name ? &name->counter : &nowhere;
}

/* ---- ids */

static bool same_kind(const struct entry *entry, const void *with)
{
	const struct kind *kind = (const struct kind *)entry, *key = with;

	return kind->name == key->name && kind->real == key->real;
}

/* NULL: no room. */
static struct kind *kind_of(const struct name *name, bool real)
{
	struct counters *all = the_counters();
	struct kind key = { .real = real, .name = name }, *kind;
	uint64_t hash = hash_of(name, real);
	uint32_t i;

	if (!all)
		return NULL;
	kind = (struct kind *)table_find(&all->kinds, hash, same_kind, &key);
	if (!kind) {
		if (atomic_load_explicit(&all->kinds.count, memory_order_relaxed) == KINDS ||
		    (i = atomic_fetch_add_explicit(&all->kind_count, 1, memory_order_relaxed)) >= 2 * KINDS)
			return NULL;
		kind = &all->kind[i];
		kind->real = real;
		kind->name = name;
		kind = (struct kind *)table_add(&all->kinds, hash, same_kind, &key, &kind->entry);
	}
	return kind && table_number(&all->kinds, &kind->entry) ? kind : NULL;
}

/* Writes the unit of a counter and whether it is a total, as the program has set them by now. */
static void write_unit(struct process *p, const struct name *name, uint32_t i)
{
	const char *unit = atomic_load_explicit(&name->unit, memory_order_acquire);
	bool total = atomic_load_explicit(&name->total, memory_order_relaxed);

	WORD_RELEASE(p->counters[i].unit, unit ? prof__region_text(p, unit) : 0); /* pairs with the acquire in snapshot_counter */
	if (total)
		atomic_fetch_or_explicit(&p->counters[i].flags, COUNTER_TOTAL, memory_order_relaxed);
	else
		atomic_fetch_and_explicit(&p->counters[i].flags, ~(uint64_t)COUNTER_TOTAL, memory_order_relaxed);
}

/* Its flags may be others' already: what is written here are the bits that never change. */
static void write_counter(struct process *p, const struct entry *entry, uint32_t i)
{
	const struct kind *kind = (const struct kind *)entry;
	uint64_t name = prof__region_text(p, kind->name->counter.name);
	struct region_counter words = { .name = (uint32_t)(name >> 32), .name_size = (uint32_t)name };

	write_words(&p->counters[i], &words, offsetof(struct region_counter, unit));
	atomic_fetch_or_explicit(&p->counters[i].flags, kind->real ? COUNTER_REAL : 0, memory_order_relaxed);
	write_unit(p, kind->name, i);
}

static void texts_of(const struct entry *entry, const char **one, const char **other)
{
	*one = ((const struct kind *)entry)->name->counter.name;
	*other = "";
}

static void publish_counter(struct process *p, uint32_t number)
{
	const struct publication what = { REGION_COUNTERS, sizeof *p->counters, &counters->kinds, &p->counter_rows,
		                          &p->shared->counters, texts_of, write_counter };

	prof__publish(p, &what, number);
}

uint32_t prof__counter_id(struct process *p, Prof_counter *counter, bool real)
{
	const struct name *name = counter == &nowhere ? NULL : name_of(counter->name);
	const struct kind *kind = name ? kind_of(name, real) : NULL;
	uint32_t id = kind ? atomic_load_explicit(&kind->entry.number, memory_order_acquire) : COUNTER_REFUSED;

	if (counter == &nowhere)
		return 0;
	if (kind && !known_row(&p->counter_rows, id))
		publish_counter(p, id);
	if (kind && !known_row(&p->counter_rows, id))
		id = refused_row(&p->counter_rows, id) ? COUNTER_REFUSED : 0;
	if (kind && known_row(&p->counter_rows, id)) {
		atomic_thread_fence(memory_order_seq_cst); /* pairs with that of Prof_Counter_Unit: one of the two sees both */
		write_unit(p, name, id - 1);
	}
	if (!kind && !atomic_load_explicit(&counters, memory_order_relaxed))
		return 0; /* there was no memory */
	if (id)
		__atomic_store_n(&counter->id[real], id, __ATOMIC_RELAXED);
	return id == COUNTER_REFUSED ? 0 : id;
}

enum region_loss prof__counters_refused(void)
{
	return prof__registry_refused(atomic_load_explicit(&counters, memory_order_relaxed) ? LOSS_COUNTER_ROOM : LOSS_MEMORY);
}

#define UNIT_BYTES 15   /* of a unit; a longer one is cut */
#define UNIT_TEXTS 4096 /* different units of a process; beyond these a counter has no unit */

void Prof_Counter_Unit(const char *text, const char *unit, int kind)
{
	struct name *name = __atomic_load_n(&prof__on, __ATOMIC_RELAXED) ? name_of(text) : NULL;
	struct process *p = __atomic_load_n(&prof__process, __ATOMIC_ACQUIRE);
	static _Atomic uint32_t left = UNIT_TEXTS;
	char cut[UNIT_BYTES + 1] = "";
	int saved = errno;

	if (!name)
		return;
	if (unit)
		memcpy(cut, unit, name_size(unit, UNIT_BYTES));
	atomic_store_explicit(&name->total, kind == Prof_TOTAL, memory_order_relaxed);
	atomic_store_explicit(&name->unit, prof__text_of_few(cut, &left), memory_order_release);
	atomic_thread_fence(memory_order_seq_cst); /* pairs with that of prof__counter_id */
	for (int real = 0; p && p->alive && real < 2; real++) {
		struct kind key = { .real = real, .name = name };
		const struct entry *kind = table_find(&counters->kinds, hash_of(name, real), same_kind, &key);
		uint32_t id = kind ? atomic_load_explicit(&kind->number, memory_order_acquire) : 0;
		if (known_row(&p->counter_rows, id))
			write_unit(p, name, id - 1);
	}
	errno = saved;
}

void prof__counters_publish(struct process *p)
{
	if (counters)
		publish_counter(p, atomic_load_explicit(&counters->kinds.count, memory_order_acquire));
}

/* counter.c: the counters of the process.
 *
 * A counter is known by its name and its kind: of integers, or of doubles.  Ids are 1 + index in the order in which
 * they were first used, and outlive a region as zones' do.  What is new is added under the lock of registry.c; what is
 * there is found without it.
 *
 * Neither table ever gets room again, nor does a child's region, so one that was refused is not looked up any more.
 */
#include "libprof/internal.h"

#include <string.h>

#define NAMES 8192u
#define HASH  (2 * NAMES)

struct counters {
	uint32_t names, count;
	Prof_counter counter[NAMES]; /* of copied names; what Prof_Counter hands out */
	uint32_t order[2 * NAMES];   /* of each id - 1: the name's index << 1 | whether it is of doubles */
	_Atomic uint32_t hash[HASH]; /* 1 + index of a name; stored when the counter is whole */
};

static struct counters *_Atomic counters;
/* What Prof_Counter hands out when there is no memory: never recorded, counted as a lost value. */
static Prof_counter nowhere = { "", { 0, 0 } };

static bool lock(void)
{
	if (!prof__registry_lock())
		return false;
	if (!counters)
		atomic_store_explicit(&counters, prof__inherited_pages(sizeof(struct counters)), memory_order_release);
	if (!counters)
		prof__registry_unlock();
	return counters != NULL;
}

static uint32_t hash_of(const char *name, size_t size)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < size; i++)
		h = (h ^ (unsigned char)name[i]) * 0x100000001b3ull;
	return (uint32_t)(h ^ h >> 32);
}

/* The counter of that name; NULL: it is not known, and *slot is where it belongs, if it is asked for under the lock. */
static Prof_counter *find(const char *name, size_t size, uint32_t *slot)
{
	struct counters *all = atomic_load_explicit(&counters, memory_order_acquire);
	uint32_t known;

	if (!all)
		return NULL;
	for (*slot = hash_of(name, size) % HASH; (known = atomic_load_explicit(&all->hash[*slot], memory_order_acquire));
	     *slot = (*slot + 1) % HASH) {
		Prof_counter *c = &all->counter[known - 1];
		if (!strncmp(c->name, name, size) && !c->name[size])
			return c;
	}
	return NULL;
}

static Prof_counter *find_counter(const char *name)
{
	uint32_t slot;

	return find(name ? name : "", strnlen(name ? name : "", PROF_NAME_BYTES), &slot);
}

/* The counter of that name, made when it is new; NULL: no room.  Under the lock. */
static Prof_counter *intern(const char *name)
{
	size_t size = strnlen(name ? name : "", PROF_NAME_BYTES);
	uint32_t slot;
	Prof_counter *c = find(name ? name : "", size, &slot);
	const char *copy;

	if (c)
		return c;
	copy = counters->names < NAMES ? prof__text_copy(name ? name : "", size) : NULL;
	if (!copy)
		return NULL;
	c = &counters->counter[counters->names];
	c->name = copy;
	atomic_store_explicit(&counters->hash[slot], ++counters->names, memory_order_release); /* pairs with find */
	return c;
}

/* Publishes the counters up to `index`, in order, as far as there is room.  Under the lock. */
static void publish(struct process *p, uint32_t index)
{
	for (uint32_t i = p->counter_used; i <= index && i < p->counter_room; i++) {
		const char *name = counters->counter[counters->order[i] >> 1].name;
		uint64_t text = prof__region_text(p, name);
		if ((!text && *name) || !prof__room(p, REGION_COUNTERS, (i + 1ull) * sizeof *p->counters))
			break;
		p->counters[i].name = (uint32_t)(text >> 32);
		p->counters[i].name_size = (uint32_t)text;
		WORD_STORE(p->counters[i].flags, counters->order[i] & 1 ? COUNTER_REAL : 0);
		WORD_RELEASE(p->shared->counters, i + 1); /* pairs with the acquire in snapshot_process */
		atomic_store_explicit(&p->counter_used, i + 1, memory_order_release); /* pairs with known_id */
	}
}

/* The id that it has, if the region knows it; 0: not. */
static uint32_t known_id(struct process *p, const Prof_counter *known, bool real)
{
	uint32_t id = known ? __atomic_load_n(&known->id[real], __ATOMIC_RELAXED) : 0;

	return id <= atomic_load_explicit(&p->counter_used, memory_order_acquire) ? id : 0;
}

/* Under the lock: COUNTER_REFUSED: there is no room. */
static uint32_t make_id(struct process *p, Prof_counter *known, bool real)
{
	uint32_t own = known ? __atomic_load_n(&known->id[real], __ATOMIC_RELAXED) : COUNTER_REFUSED;

	if (own == COUNTER_REFUSED)
		return COUNTER_REFUSED;
	if (!own) {
		counters->order[counters->count] = (uint32_t)(known - counters->counter) << 1 | real;
		own = ++counters->count;
		__atomic_store_n(&known->id[real], own, __ATOMIC_RELAXED);
	}
	publish(p, own - 1);
	return p->counter_used >= own ? own : COUNTER_REFUSED;
}

uint32_t prof__counter_id(struct process *p, Prof_counter *counter, bool real)
{
	uint32_t id = counter == &nowhere ? 0 : known_id(p, find_counter(counter->name), real);

	if (!id && counter != &nowhere && lock()) {
		id = make_id(p, intern(counter->name), real);
		prof__registry_unlock();
	}
	if (id)
		__atomic_store_n(&counter->id[real], id, __ATOMIC_RELAXED);
	return id == COUNTER_REFUSED ? 0 : id;
}

enum region_loss prof__counters_refused(void)
{
	return prof__registry_refused(atomic_load_explicit(&counters, memory_order_relaxed) ? LOSS_COUNTER_ROOM : LOSS_MEMORY);
}

void prof__counters_publish(struct process *p)
{
	if (counters && lock()) {
		if (counters->count)
			publish(p, counters->count - 1);
		prof__registry_unlock();
	}
}

Prof_counter *Prof_Counter(const char *name)
{
	Prof_counter *counter = find_counter(name);

	if (!counter && lock()) {
		counter = intern(name);
		prof__registry_unlock();
	}
	return counter ? counter : &nowhere;
}

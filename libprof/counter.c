/* counter.c: the counters of the process.
 *
 * A counter is known by its name and its kind: of integers, or of doubles.  Ids are 1 + index in the order in which
 * they were first used, and outlive a region as zones' do.  All of it lies under the lock of registry.c.
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
	uint32_t hash[HASH];         /* 1 + index of a name */
};

static struct counters *counters;
/* What Prof_Counter hands out when there is no memory: never recorded, counted as a lost value. */
static Prof_counter nowhere = { "", { 0, 0 } };

static bool lock(void)
{
	if (!prof__registry_lock())
		return false;
	if (!counters && !(counters = prof__inherited_pages(sizeof *counters)))
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

/* The counter of that name, made when it is new; NULL: no room.  Under the lock. */
static Prof_counter *intern(const char *name)
{
	if (!name)
		name = "";
	size_t size = strnlen(name, PROF_NAME_BYTES);
	uint32_t i = hash_of(name, size) % HASH;

	for (; counters->hash[i]; i = (i + 1) % HASH) {
		Prof_counter *c = &counters->counter[counters->hash[i] - 1];
		if (!strncmp(c->name, name, size) && !c->name[size])
			return c;
	}
	const char *copy = counters->names < NAMES ? prof__text_copy(name, size) : NULL;
	if (!copy)
		return NULL;
	Prof_counter *c = &counters->counter[counters->names];
	c->name = copy;
	counters->hash[i] = ++counters->names;
	return c;
}

/* Publishes the counters up to `index`, in order, as far as there is room.  Under the lock. */
static void publish(struct process *p, uint32_t index)
{
	for (uint32_t i = p->counter_used; i <= index && i < p->counter_room; i++) {
		const char *name = counters->counter[counters->order[i] >> 1].name;
		size_t size = strlen(name);
		if (!prof__room(p, REGION_STRINGS, p->string_used + size) ||
		    !prof__room(p, REGION_COUNTERS, (i + 1ull) * sizeof *p->counters))
			break;
		uint64_t text = prof__region_text(p, name, size);
		p->counters[i].name = (uint32_t)(text >> 32);
		p->counters[i].name_size = (uint32_t)text;
		WORD_STORE(p->counters[i].flags, counters->order[i] & 1 ? COUNTER_REAL : 0);
		WORD_RELEASE(p->shared->counters, i + 1); /* pairs with the acquire in snapshot_process */
		atomic_store_explicit(&p->counter_used, i + 1, memory_order_release); /* pairs with known_id */
	}
}

uint32_t prof__counter_id(struct process *p, Prof_counter *counter, bool real)
{
	uint32_t id = 0;

	if (counter == &nowhere || !lock())
		return 0;
	Prof_counter *known = intern(counter->name);
	uint32_t own = known ? __atomic_load_n(&known->id[real], __ATOMIC_RELAXED) : COUNTER_REFUSED;
	bool room = own != COUNTER_REFUSED;
	if (room) {
		if (!own) {
			counters->order[counters->count] = (uint32_t)(known - counters->counter) << 1 | real;
			own = ++counters->count;
			__atomic_store_n(&known->id[real], own, __ATOMIC_RELAXED);
		}
		publish(p, own - 1);
		room = p->counter_used >= own;
		id = room ? own : 0;
	}
	__atomic_store_n(&counter->id[real], room ? id : COUNTER_REFUSED, __ATOMIC_RELAXED);
	prof__registry_unlock();
	return id;
}

void prof__counters_publish(struct process *p)
{
	if (counters && counters->count && lock()) {
		publish(p, counters->count - 1);
		prof__registry_unlock();
	}
}

Prof_counter *Prof_Counter(const char *name)
{
	Prof_counter *counter = NULL;

	if (lock()) {
		counter = intern(name);
		prof__registry_unlock();
	}
	return counter ? counter : &nowhere;
}

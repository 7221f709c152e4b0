/* lockfree_table.c: open addressing, where a slot once filled stays so; and a list that is appended to.
 *
 * An entry is in the table when it is in a slot: of two with one key that come at once the first there is the one, as both
 * look through the same slots.  It gets its number by standing in the list, at the first place that is free.  Whoever finds
 * that place taken finishes what its owner began (the number, then the count), so nobody waits for anybody.
 *
 * No entry stands in the list twice.  Who wants to append one reads the count, and only then whether the entry has a number:
 * a place before that count was counted after its entry had one, and a place at the count goes to one alone.
 */
#include "libprof/lockfree_table.h"

#include <stddef.h>

static uint32_t slot_of(const struct table *t, uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32) % (2 * t->most);
}

/* The slot that has the key, or the first that is empty; NULL: there is neither. */
static struct entry *_Atomic *look_up(const struct table *t, uint64_t hash, table_same *same, const void *key)
{
	uint32_t first = slot_of(t, hash), slot = first;

	do {
		struct entry *there = atomic_load_explicit(&t->slots[slot], memory_order_acquire);
		if (!there || same(there, key))
			return &t->slots[slot];
		slot = (slot + 1) % (2 * t->most);
	} while (slot != first);
	return NULL;
}

struct entry *table_find(const struct table *t, uint64_t hash, table_same *same, const void *key)
{
	struct entry *_Atomic *slot = look_up(t, hash, same, key);

	return slot ? atomic_load_explicit(slot, memory_order_acquire) : NULL;
}

struct entry *table_add(struct table *t, uint64_t hash, table_same *same, const void *key, struct entry *entry)
{
	struct entry *_Atomic *slot;

	while ((slot = look_up(t, hash, same, key))) {
		struct entry *there = NULL;
		if (atomic_compare_exchange_strong_explicit(slot, &there, entry, memory_order_acq_rel, memory_order_acquire))
			return entry;
		if (same(there, key))
			return there;
	}
	return NULL;
}

/* Gives the entry at this place of the list its number. */
static void finish_place(struct table *t, uint32_t at, struct entry *there)
{
	uint32_t none = 0, count = at;

	atomic_compare_exchange_strong_explicit(&there->number, &none, at + 1, memory_order_acq_rel, memory_order_acquire);
	atomic_compare_exchange_strong_explicit(&t->count, &count, at + 1, memory_order_acq_rel, memory_order_acquire);
}

uint32_t table_number(struct table *t, struct entry *entry)
{
	for (;;) {
		uint32_t at = atomic_load_explicit(&t->count, memory_order_acquire);
		uint32_t number = atomic_load_explicit(&entry->number, memory_order_acquire);
		struct entry *there = NULL;

		if (number || at == t->most)
			return number;
		if (atomic_compare_exchange_strong_explicit(&t->order[at], &there, entry, memory_order_acq_rel,
		                                            memory_order_acquire))
			there = entry;
		finish_place(t, at, there);
	}
}

/* lockfree_table.h: what is found by its key, and numbered as it comes, without a lock.
 *
 * Any thread may look up and add at any time, signal handlers, too, and whoever stops in the middle, is killed, or jumps
 * away leaves nothing undone that the others need: what it began they end.  Entries are added once and stay where they
 * are.  The memory is the caller's, zeros at first.
 */
#ifndef LIBPROF_LOCKFREE_TABLE_H
#define LIBPROF_LOCKFREE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The beginning of each entry. */
struct entry {
	_Atomic uint32_t number; /* from 1 on, in the order of coming; 0: none yet */
};

struct table {
	struct entry *_Atomic *slots; /* twice as many as entries at most; by key */
	struct entry *_Atomic *order; /* number n is in order[n - 1] */
	_Atomic uint32_t count;       /* that are in `order` */
	uint32_t most;
};

typedef bool table_same(const struct entry *entry, const void *key);

/* The entry with that key; NULL: there is none. */
struct entry *table_find(const struct table *t, uint64_t hash, table_same *same, const void *key);

/* Adds the entry, which is whole but for its number, unless one with that key has come first.  Returns that which is in the
 * table now; NULL: it is full. */
struct entry *table_add(struct table *t, uint64_t hash, table_same *same, const void *key, struct entry *entry);

/* The number of an entry of the table, which gets one where it has none; 0: there are too many. */
uint32_t table_number(struct table *t, struct entry *entry);

/* The entry of a number up to `count`. */
static inline struct entry *table_at(const struct table *t, uint32_t number)
{
	return atomic_load_explicit(&t->order[number - 1], memory_order_acquire);
}

#endif

/* maps.c: the private memory of this copy of the library, and a list of all of
 * it.
 *
 * A program may unload and load a module with the library again and again, so
 * all that a copy has mapped goes with it.  Forks inherit the list, so a child
 * can unmap what its parent had mapped.
 *
 * Entries are taken in order and never used again.  Few are freed before an
 * unload: tables of a thread or of a node's children, when they grow.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <sys/mman.h>
#include "shm/pages.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#define LIST_BYTES 4096
#define LIST_ITEMS ((LIST_BYTES - sizeof(void *)) / sizeof(struct mapping))

struct mapping {
	_Atomic uintptr_t at; /* 0: none; release, after the size */
	size_t size;
};

struct list {
	struct list *_Atomic next;
	struct mapping items[LIST_ITEMS];
};
static_assert(sizeof(struct list) <= LIST_BYTES, "a list fits into a page");

static struct list first;
static _Atomic size_t used; /* items that were taken so far */

/* Returns the list behind this one, and makes it if there is none.  NULL: no
 * memory. */
static struct list *next_list(struct list *list)
{
	struct list *next = atomic_load_explicit(&list->next, memory_order_acquire), *made;

	if (next || !(made = pages_map(LIST_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1)))
		return next;
	if (atomic_compare_exchange_strong_explicit(&list->next, &next, made, memory_order_acq_rel, memory_order_acquire))
		return made;
	munmap(made, LIST_BYTES); /* another thread was faster */
	return next;
}

static struct mapping *item_at(size_t item)
{
	struct list *list = &first;

	for (; list && item >= LIST_ITEMS; item -= LIST_ITEMS)
		list = next_list(list);
	return list ? &list->items[item] : NULL;
}

/* NULL: no memory for the list. */
static struct mapping *take_item(void)
{
	size_t item = atomic_load_explicit(&used, memory_order_relaxed);
	struct mapping *taken;

	while ((taken = item_at(item)) && !atomic_compare_exchange_weak_explicit(&used, &item, item + 1, memory_order_relaxed,
	                                                                         memory_order_relaxed))
		;
	return taken;
}

static void *map_memory(size_t size, int flags, bool wiped)
{
	void *pages = pages_map(size, MAP_ANONYMOUS | flags, -1);
	struct mapping *item;

	if (!pages)
		return NULL;
	if ((wiped && madvise(pages, size, MADV_WIPEONFORK) != 0) || !(item = take_item())) {
		munmap(pages, size);
		return NULL;
	}
	item->size = size;
	atomic_store_explicit(&item->at, (uintptr_t)pages, memory_order_release);
	return pages;
}

void *prof__pages(size_t size)
{
	return map_memory(size, MAP_PRIVATE, true);
}

void *prof__inherited_pages(size_t size)
{
	int saved = errno;
	void *pages = map_memory(size, MAP_PRIVATE | MAP_NORESERVE, false);

	errno = saved;
	return pages;
}

void *prof__common_pages(size_t size)
{
	return map_memory(size, MAP_SHARED, false);
}

/* Takes the pages off the list before they are unmapped: the kernel may give
 * their address to another thread at once. */
void prof__pages_free(void *pages)
{
	for (struct list *list = &first; list; list = atomic_load_explicit(&list->next, memory_order_acquire))
		for (size_t i = 0; i < LIST_ITEMS; i++) {
			struct mapping *item = &list->items[i];
			if (atomic_load_explicit(&item->at, memory_order_acquire) != (uintptr_t)pages)
				continue;
			size_t size = item->size;
			atomic_store_explicit(&item->at, 0, memory_order_relaxed);
			munmap(pages, size);
			return;
		}
}

static void unmap_items(struct list *list)
{
	for (size_t i = 0; i < LIST_ITEMS; i++) {
		uintptr_t at = atomic_exchange_explicit(&list->items[i].at, 0, memory_order_acquire);
		if (at)
			munmap((void *)at, list->items[i].size);
	}
}

void prof__pages_free_all(void)
{
	struct list *next = atomic_exchange_explicit(&first.next, NULL, memory_order_acquire), *list;

	unmap_items(&first);
	while ((list = next)) {
		next = atomic_load_explicit(&list->next, memory_order_relaxed);
		unmap_items(list);
		munmap(list, LIST_BYTES);
	}
	atomic_store_explicit(&used, 0, memory_order_relaxed);
}

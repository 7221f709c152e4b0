/* registry.c: the zones of the process, and the texts that the region has of it.
 *
 * A zone is known by (file, line, name), so a static inline function that many files include is one zone,
 * and a module that is unloaded and loaded again finds its zones.  Ids are 1 + index and outlive a region:
 * a child with a region of its own publishes the same zones under the same ids.  Texts are copied, each once.
 *
 * All of it is private memory that forks inherit.  What is there is found without a lock: nothing is ever taken back.
 * Something new is added under one that lends its owner the priority of who waits, and that is held for a few hundred
 * instructions: a signal handler that finds its own thread in it gives up.  Whoever jumped out of it never gives it back:
 * then one waits in vain for a while, and the others not at all.
 */
#include "libprof/internal.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "shm/pages.h"

#define ZONES      65536u
#define TEXTS      PROF_TEXTS
#define TEXT_BYTES (16u << 20)
#define WAIT_NS    100000000 /* an owner that is still there then has jumped out of the lock */
#define YIELDS     20000     /* in place of that, where the kernel has no such lock */

/* Of linux/futex.h, as in timer.c. */
enum { LOCK_PI = 6, UNLOCK_PI = 7, OF_THIS_PROCESS = 128, TID_MASK = 0x3fffffff };

struct registry {
	uint32_t count, text_count;
	uint32_t text_used;
	Prof_zone zones[ZONES];           /* of copied texts; what Prof_Zone hands out */
	_Atomic uint32_t hash[2 * ZONES]; /* 1 + index; stored when the zone is whole */
	uint32_t text_hash[2 * TEXTS];    /* 1 + where in text; under the lock */
	char text[TEXT_BYTES];            /* of each: its index, its bytes and a NUL */
};

static struct registry *_Atomic registry;
static _Atomic uint32_t lock_word; /* of a futex with priority inheritance: the owner's thread id, and the kernel's bits */
static _Atomic uint32_t waited_for; /* an owner that kept it for too long */
/* What Prof_Zone hands out when there is no memory: never recorded, counted as a lost zone. */
static Prof_zone nowhere = { "", "", 0, 0, 0, 0 };

/* ---- the lock */

static bool try_lock(uint32_t self, uint32_t *owner)
{
	uint32_t word = 0;

	if (atomic_compare_exchange_strong_explicit(&lock_word, &word, self, memory_order_acquire, memory_order_relaxed))
		return true;
	*owner = word & TID_MASK;
	return false;
}

static long futex(int what, const struct timespec *end)
{
	return syscall(SYS_futex, &lock_word, what | OF_THIS_PROCESS, 0, end, NULL, 0);
}

static bool wait_for_lock(uint32_t self, uint32_t owner)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += WAIT_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	for (int i = 0; i < YIELDS; i++) {
		if (owner == self || owner == atomic_load_explicit(&waited_for, memory_order_relaxed))
			return false;
		if (futex(LOCK_PI, &end) == 0)
			return true;
		if (errno == ETIMEDOUT || errno == ESRCH)
			break;
		sched_yield();
		if (try_lock(self, &owner))
			return true;
	}
	atomic_store_explicit(&waited_for, owner, memory_order_relaxed);
	return false;
}

static bool lock(void)
{
	uint32_t self = (uint32_t)syscall(SYS_gettid), owner;
	int saved = errno;
	bool locked = try_lock(self, &owner) || wait_for_lock(self, owner);

	errno = saved;
	if (locked)
		atomic_store_explicit(&waited_for, 0, memory_order_relaxed);
	return locked;
}

void *prof__inherited_pages(size_t size)
{
	int saved = errno;
	void *pages = pages_map(size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	errno = saved;
	return pages;
}

bool prof__registry_lock(void)
{
	if (!lock())
		return false;
	if (!registry)
		atomic_store_explicit(&registry, prof__inherited_pages(sizeof(struct registry)), memory_order_release);
	if (!registry)
		prof__registry_unlock();
	return registry != NULL;
}

void prof__registry_unlock(void)
{
	uint32_t word = atomic_load_explicit(&lock_word, memory_order_relaxed);
	int saved = errno;

	if ((word & ~(uint32_t)TID_MASK) ||
	    !atomic_compare_exchange_strong_explicit(&lock_word, &word, 0, memory_order_release, memory_order_relaxed))
		futex(UNLOCK_PI, NULL); /* somebody waits */
	errno = saved;
}

enum region_loss prof__registry_refused(enum region_loss no_room)
{
	if ((atomic_load_explicit(&lock_word, memory_order_relaxed) & TID_MASK) == (uint32_t)syscall(SYS_gettid))
		return LOSS_IN_HANDLER;
	return atomic_load_explicit(&registry, memory_order_relaxed) ? no_room : LOSS_MEMORY;
}

void prof__registry_forked(void)
{
	atomic_store_explicit(&lock_word, 0, memory_order_relaxed);
	atomic_store_explicit(&waited_for, 0, memory_order_relaxed);
}

/* ---- texts */

static size_t cut(const char *text)
{
	return strnlen(text, PROF_NAME_BYTES);
}

static uint64_t hash_of(uint64_t h, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3ull;
	return h;
}

#define HASH_FIRST   0xcbf29ce484222325ull
#define SLOT(h, room) ((uint32_t)((h) ^ (h) >> 32) % (room))

static bool same(const char *kept, const char *text, size_t size)
{
	return !strncmp(kept, text, size) && !kept[size];
}

static uint32_t index_of_text(const char *copy)
{
	uint32_t index;

	memcpy(&index, copy - sizeof index, sizeof index);
	return index;
}

const char *prof__text_copy(const char *text, size_t size)
{
	struct registry *r = registry;
	uint32_t i = SLOT(hash_of(HASH_FIRST, text, size), 2 * TEXTS), index = r->text_count;

	for (; r->text_hash[i]; i = (i + 1) % (2 * TEXTS))
		if (same(r->text + r->text_hash[i] - 1, text, size))
			return r->text + r->text_hash[i] - 1;
	if (index == TEXTS || size + 1 + sizeof index > TEXT_BYTES - r->text_used)
		return NULL;
	char *to = r->text + r->text_used + sizeof index;
	memcpy(to - sizeof index, &index, sizeof index);
	memcpy(to, text, size);
	to[size] = '\0';
	r->text_used += (uint32_t)(sizeof index + size + 1);
	r->text_hash[i] = (uint32_t)(to - r->text) + 1;
	r->text_count++;
	return to;
}

uint64_t prof__region_text(struct process *p, const char *copy)
{
	size_t size = strlen(copy);
	uint64_t used = p->string_used;
	uint32_t *at = &p->text_at[index_of_text(copy)];

	if (size == 0)
		return 0;
	if (!*at && prof__room(p, REGION_STRINGS, used + size)) {
		memcpy(p->strings + used, copy, size);
		p->string_used = used + size;
		*at = (uint32_t)used;
		WORD_RELEASE(p->shared->strings, used + size);
	}
	return *at ? (uint64_t)*at << 32 | size : 0;
}

/* ---- zones */

/* The index of the zone; UINT32_MAX: it is not known, and *slot is where it belongs, if it is asked for under the lock. */
static uint32_t find(const char *name, size_t name_size, const char *file, size_t file_size, uint32_t line, uint32_t *slot)
{
	struct registry *r = atomic_load_explicit(&registry, memory_order_acquire);
	uint64_t h = hash_of(hash_of(HASH_FIRST ^ line, name, name_size), file, file_size);
	uint32_t known;

	if (!r)
		return UINT32_MAX;
	for (*slot = SLOT(h, 2 * ZONES); (known = atomic_load_explicit(&r->hash[*slot], memory_order_acquire));
	     *slot = (*slot + 1) % (2 * ZONES)) {
		const Prof_zone *z = &r->zones[known - 1];
		if (z->line == line && same(z->name, name, name_size) && same(z->file, file, file_size))
			return known - 1;
	}
	return UINT32_MAX;
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static uint32_t find_zone(const char *name, const char *file, uint32_t line)
{
	uint32_t slot;

	return find(name, cut(name), file, cut(file), line, &slot);
}

/* The index of the zone, made when it is new; UINT32_MAX: no room.  Under the lock. */
static uint32_t intern(const char *name, const char *file, uint32_t line, uint32_t flags)
{
	struct registry *r = registry;
	size_t name_size = cut(name), file_size = cut(file);
	uint32_t slot, index = find(name, name_size, file, file_size, line, &slot);

	if (index != UINT32_MAX)
		return index;
	Prof_zone *z = &r->zones[r->count];
	if (r->count == ZONES || !(z->name = prof__text_copy(name, name_size)) || !(z->file = prof__text_copy(file, file_size)))
		return UINT32_MAX;
	z->line = line;
	z->flags = flags;
	z->id = r->count + 1;
	atomic_store_explicit(&r->hash[slot], ++r->count, memory_order_release); /* pairs with find */
	return r->count - 1;
}

/* Publishes the zones up to `index`, in order, as far as there is room.  Under the lock. */
static void publish(struct process *p, uint32_t index)
{
	for (uint32_t i = p->zone_used; i <= index && i < p->zone_room; i++) {
		const Prof_zone *z = &registry->zones[i];
		uint64_t name = prof__region_text(p, z->name), file = prof__region_text(p, z->file);
		if ((!name && *z->name) || (!file && *z->file) ||
		    !prof__room(p, REGION_ZONES, (i + 1ull) * sizeof *p->zones))
			break;
		p->zones[i] = (struct region_zone){ .name = (uint32_t)(name >> 32), .name_size = (uint32_t)name,
			                            .file = (uint32_t)(file >> 32), .file_size = (uint32_t)file,
			                            .line = z->line, .flags = z->flags };
		WORD_RELEASE(p->shared->zones, i + 1); /* pairs with the acquire in snapshot_process */
		atomic_store_explicit(&p->zone_used, i + 1, memory_order_release); /* pairs with known_zone */
	}
}

uint32_t prof__zone_id(struct process *p, Prof_zone *zone)
{
	uint32_t id = 0, index;

	if (zone == &nowhere)
		return 0;
	index = find_zone(text_of(zone->name), text_of(zone->file), zone->line);
	if ((index == UINT32_MAX || !known_zone(p, index + 1)) && prof__registry_lock()) {
		index = intern(text_of(zone->name), text_of(zone->file), zone->line, zone->flags);
		if (index != UINT32_MAX)
			publish(p, index);
		prof__registry_unlock();
	}
	if (index != UINT32_MAX && known_zone(p, index + 1)) {
		id = index + 1;
		__atomic_store_n(&zone->id, id, __ATOMIC_RELAXED);
	}
	return id;
}

void prof__zones_publish(struct process *p)
{
	if (registry && prof__registry_lock()) {
		if (registry->count)
			publish(p, registry->count - 1);
		prof__registry_unlock();
	}
}

uint64_t prof__string(struct process *p, const char *text)
{
	uint64_t at = 0;

	if (prof__registry_lock()) {
		const char *copy = prof__text_copy(text, cut(text));
		at = copy ? prof__region_text(p, copy) : 0;
		prof__registry_unlock();
	}
	return at;
}

Prof_zone *Prof_Zone(const char *name)
{
	uint32_t index = find_zone(text_of(name), "", 0);

	if (index == UINT32_MAX && prof__registry_lock()) {
		index = intern(text_of(name), "", 0, 0);
		prof__registry_unlock();
	}
	return index == UINT32_MAX ? &nowhere : &registry->zones[index];
}

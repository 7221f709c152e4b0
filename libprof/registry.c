/* registry.c: the zones of the process.
 *
 * A zone is known by (file, line, name), so a static inline function that many files include is one zone,
 * and a module that is unloaded and loaded again finds its zones.  Ids are 1 + index and outlive a region:
 * a child with a region of its own publishes the same zones under the same ids.  Strings are copied.
 *
 * All of it is private memory that forks inherit, under a lock that is held for a few hundred
 * instructions and never waited for without end: a signal handler that finds its own thread in it gives up.
 * Whoever jumped out of it never gives it back: then one waits in vain, and the others not at all.
 */
#include "libprof/internal.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "shm/pages.h"

#define ZONES      65536u
#define HASH       (2 * ZONES)
#define TEXT_BYTES (8u << 20)
#define LOCK_TRIES 20000

struct registry {
	uint32_t count;
	uint32_t text_used;
	Prof_zone zones[ZONES]; /* of copied strings; what Prof_Zone hands out */
	uint32_t hash[HASH];    /* 1 + index */
	char text[TEXT_BYTES];
};

static struct registry *registry;
static _Atomic uint32_t lock_owner, waited_for; /* the latter: an owner that kept it for too long */
/* What Prof_Zone hands out when there is no memory: never recorded, counted as a lost zone. */
static Prof_zone nowhere = { "", "", 0, 0, 0, 0 };

static bool wait_for_lock(void)
{
	uint32_t self = (uint32_t)syscall(SYS_gettid), owner = 0;

	for (int i = 0; i < LOCK_TRIES; i++) {
		owner = 0;
		if (atomic_compare_exchange_strong_explicit(&lock_owner, &owner, self, memory_order_acquire,
		                                            memory_order_relaxed)) {
			atomic_store_explicit(&waited_for, 0, memory_order_relaxed);
			return true;
		}
		if (owner == self || owner == atomic_load_explicit(&waited_for, memory_order_relaxed))
			return false;
		sched_yield();
	}
	atomic_store_explicit(&waited_for, owner, memory_order_relaxed);
	return false;
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
	if (!wait_for_lock())
		return false;
	if (!registry && !(registry = prof__inherited_pages(sizeof *registry)))
		prof__registry_unlock();
	return registry != NULL;
}

void prof__registry_unlock(void)
{
	atomic_store_explicit(&lock_owner, 0, memory_order_release);
}

bool prof__registry_mine(void)
{
	return atomic_load_explicit(&lock_owner, memory_order_relaxed) == (uint32_t)syscall(SYS_gettid);
}

void prof__registry_forked(void)
{
	prof__registry_unlock();
}

static size_t cut(const char *text)
{
	return strnlen(text, PROF_NAME_BYTES);
}

const char *prof__text_copy(const char *text, size_t size)
{
	struct registry *r = registry;
	char *to = r->text + r->text_used;

	if (size + 1 > TEXT_BYTES - r->text_used)
		return NULL;
	memcpy(to, text, size);
	to[size] = '\0';
	r->text_used += (uint32_t)size + 1;
	return to;
}

static uint32_t hash_of(const char *name, size_t name_size, const char *file, size_t file_size, uint32_t line)
{
	uint64_t h = 0xcbf29ce484222325ull ^ line;

	for (size_t i = 0; i < name_size; i++)
		h = (h ^ (unsigned char)name[i]) * 0x100000001b3ull;
	for (size_t i = 0; i < file_size; i++)
		h = (h ^ (unsigned char)file[i]) * 0x100000001b3ull;
	return (uint32_t)(h ^ h >> 32);
}

static bool same(const char *kept, const char *text, size_t size)
{
	return !strncmp(kept, text, size) && !kept[size];
}

/* The index of the zone, made when it is new; UINT32_MAX: no room.  Under the lock. */
static uint32_t intern(const char *name, const char *file, uint32_t line, uint32_t flags)
{
	struct registry *r = registry;
	size_t name_size = cut(name), file_size = cut(file);
	uint32_t i = hash_of(name, name_size, file, file_size, line) % HASH;

	for (; r->hash[i]; i = (i + 1) % HASH) {
		const Prof_zone *z = &r->zones[r->hash[i] - 1];
		if (z->line == line && same(z->name, name, name_size) && same(z->file, file, file_size))
			return r->hash[i] - 1;
	}
	Prof_zone *z = &r->zones[r->count];
	if (r->count == ZONES || !(z->name = prof__text_copy(name, name_size)) || !(z->file = prof__text_copy(file, file_size)))
		return UINT32_MAX;
	z->line = line;
	z->flags = flags;
	z->id = r->count + 1;
	r->hash[i] = ++r->count;
	return r->count - 1;
}

uint64_t prof__region_text(struct process *p, const char *text, size_t size)
{
	uint64_t used = p->string_used;

	if (size == 0 || !prof__room(p, REGION_STRINGS, used + size))
		return 0;
	memcpy(p->strings + used, text, size);
	p->string_used = used + size;
	WORD_RELEASE(p->shared->strings, used + size);
	return used << 32 | size;
}

/* Publishes the zones up to `index`, in order, as far as there is room.  Under the lock. */
static void publish(struct process *p, uint32_t index)
{
	for (uint32_t i = p->zone_used; i <= index && i < p->zone_room; i++) {
		const Prof_zone *z = &registry->zones[i];
		size_t name_size = strlen(z->name), file_size = strlen(z->file);
		if (!prof__room(p, REGION_STRINGS, p->string_used + name_size + file_size) ||
		    !prof__room(p, REGION_ZONES, (i + 1ull) * sizeof *p->zones))
			break;
		uint64_t name = prof__region_text(p, z->name, name_size);
		uint64_t file = prof__region_text(p, z->file, file_size);
		p->zones[i] = (struct region_zone){ .name = (uint32_t)(name >> 32), .name_size = (uint32_t)name,
			                            .file = (uint32_t)(file >> 32), .file_size = (uint32_t)file,
			                            .line = z->line, .flags = z->flags };
		WORD_RELEASE(p->shared->zones, i + 1); /* pairs with the acquire in snapshot_process */
		atomic_store_explicit(&p->zone_used, i + 1, memory_order_release); /* pairs with known_zone */
	}
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

uint32_t prof__zone_id(struct process *p, Prof_zone *zone)
{
	uint32_t id = 0;

	if (zone == &nowhere || !prof__registry_lock())
		return 0;
	uint32_t index = intern(text_of(zone->name), text_of(zone->file), zone->line, zone->flags);
	if (index != UINT32_MAX) {
		publish(p, index);
		if (p->zone_used > index) {
			id = index + 1;
			__atomic_store_n(&zone->id, id, __ATOMIC_RELAXED);
		}
	}
	prof__registry_unlock();
	return id;
}

void prof__zones_publish(struct process *p)
{
	if (registry && registry->count && prof__registry_lock()) {
		publish(p, registry->count - 1);
		prof__registry_unlock();
	}
}

uint64_t prof__string(struct process *p, const char *text)
{
	uint64_t at = 0;

	if (prof__registry_lock()) {
		uint32_t index = intern(text, "", 0, 0);
		if (index != UINT32_MAX) {
			publish(p, index);
			if (p->zone_used > index)
				at = (uint64_t)p->zones[index].name << 32 | p->zones[index].name_size;
		}
		prof__registry_unlock();
	}
	return at;
}

Prof_zone *Prof_Zone(const char *name)
{
	Prof_zone *zone = &nowhere;

	if (prof__registry_lock()) {
		uint32_t index = intern(text_of(name), "", 0, 0);
		if (index != UINT32_MAX)
			zone = &registry->zones[index];
		prof__registry_unlock();
	}
	return zone;
}

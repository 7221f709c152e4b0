/* registry.c: the zones of the process, and the texts that the region has of it.
 *
 * A zone is known by (file, line, name), so a static inline function that many files include is one zone,
 * and a module that is unloaded and loaded again finds its zones.  Ids are numbers of a table (lockfree_table.h) and outlive a
 * region: a child with a region of its own publishes the same zones under the same ids.  Texts are copied, each once.
 *
 * All of it is private memory that forks inherit, and nothing is ever taken back.  Nobody waits here: a herd of threads
 * that come to a new zone at once, one that is stopped, and a handler that interrupts its own thread find all that they need.
 *
 * Zones are published in the order of their ids, up to `used`, each by whoever comes first; others write the same words.
 * A zone whose name has no room in the region's strings is passed over (KNOWN_REFUSED): those behind it have shorter ones.
 * Other tables are published alike.
 *
 * A zone may be an address in a module, a file with code.  Then it has no name: readers find it.
 */
#include "libprof/libprof_inside.h"

#include <string.h>
#include "libprof/adapter.h"
#include "libprof/signature.h"

#define ZONES       (256u << 10)
#define MODULES     REGION_MODULES_MOST
#define TEXTS       PROF_TEXTS
#define TEXT_BYTES  (32u << 20)
#define ENTRY_BYTES (18u << 20) /* all zones; what two threads make at once is there twice */
#define IS_ADDRESS  (1u << 31)  /* of a zone's flags: it is a struct zone's, and has a module */

struct text {
	struct entry entry;
	uint32_t size;
	char bytes[]; /* and a NUL */
};

struct zone {
	struct entry entry; /* the number is the zone's id */
	Prof_zone zone;     /* of copied texts; what Prof_Zone hands out */
	uint32_t module;    /* its number; 0: the zone is no address */
	uint64_t offset;
};

struct module {
	struct entry entry;
	const char *path, *build; /* copies */
	uint64_t address, size;
};

struct arena {
	_Atomic uint32_t used;
	uint32_t size;
	char *bytes;
};

struct registry {
	struct table zones, modules, texts; /* the number of a text is given when it is made: some may be nobody's */
	_Atomic uint32_t text_count, module_count;
	struct arena zone_arena, text_arena;
	struct entry *_Atomic zone_slots[2 * ZONES], *_Atomic zone_order[ZONES], *_Atomic text_slots[2 * TEXTS];
	struct entry *_Atomic module_slots[2 * MODULES], *_Atomic module_order[MODULES];
	struct module module[2 * MODULES];
	_Alignas(16) char zone_bytes[ENTRY_BYTES];
	_Alignas(16) char text_bytes[TEXT_BYTES];
};

static struct registry *_Atomic registry;
/* What Prof_Zone hands out when there is no memory: never recorded, counted as a lost zone. */
static Prof_zone nowhere = { "", "", 0, 0, 0, 0 };

void prof__registry_drop(void)
{
	atomic_store_explicit(&registry, NULL, memory_order_relaxed);
}

/* ---- its memory */

static void lay_out(struct registry *r)
{
	r->zones = (struct table){ .slots = r->zone_slots, .order = r->zone_order, .most = ZONES };
	r->modules = (struct table){ .slots = r->module_slots, .order = r->module_order, .most = MODULES };
	r->texts = (struct table){ .slots = r->text_slots, .most = TEXTS };
	r->zone_arena = (struct arena){ .size = sizeof r->zone_bytes, .bytes = r->zone_bytes };
	r->text_arena = (struct arena){ .size = sizeof r->text_bytes, .bytes = r->text_bytes };
}

/* NULL: there is no memory for it. */
static struct registry *the_registry(void)
{
	struct registry *r = atomic_load_explicit(&registry, memory_order_acquire), *made;

	if (r || !(made = prof__inherited_pages(sizeof *made)))
		return r;
	lay_out(made);
	if (atomic_compare_exchange_strong_explicit(&registry, &r, made, memory_order_acq_rel, memory_order_acquire))
		return made;
	prof__pages_free(made);
	return r;
}

static void *take_entry(struct arena *a, size_t size)
{
	uint32_t used = atomic_load_explicit(&a->used, memory_order_relaxed);

	size = (size + 7) & ~(size_t)7;
	do {
		if (size > a->size - used)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(&a->used, &used, used + (uint32_t)size, memory_order_relaxed,
	                                                memory_order_relaxed));
	return a->bytes + used;
}

enum region_loss prof__registry_refused(enum region_loss no_room)
{
	return atomic_load_explicit(&registry, memory_order_relaxed) ? no_room : LOSS_MEMORY;
}

/* ---- texts */

/* A character has at most three bytes behind its first.  What has more is no UTF-8, and is cut as bytes. */
cold size_t prof__cut_utf8(const char *text, size_t most)
{
	size_t at = most;

	while (at && most - at < 3 && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return ((unsigned char)text[at] & 0xc0) == 0x80 ? most : at;
}

struct text_key {
	const char *text;
	size_t size;
};

static struct text_key key_of(const char *text)
{
	text = text ? text : "";
	return (struct text_key){ text, name_size(text, PROF_NAME_BYTES) };
}

#define HASH_FIRST 0xcbf29ce484222325ull

static uint64_t hash_of(uint64_t h, struct text_key key)
{
	for (size_t i = 0; i < key.size; i++)
		h = (h ^ (unsigned char)key.text[i]) * 0x100000001b3ull;
	return h;
}

static bool is_text(const char *kept, struct text_key key)
{
	return !strncmp(kept, key.text, key.size) && !kept[key.size];
}

static bool same_text(const struct entry *entry, const void *key)
{
	return is_text(((const struct text *)entry)->bytes, *(const struct text_key *)key);
}

static struct text *make_text(struct registry *r, struct text_key key)
{
	uint32_t number = atomic_load_explicit(&r->text_count, memory_order_relaxed);
	struct text *text = number < TEXTS ? take_entry(&r->text_arena, sizeof *text + key.size + 1) : NULL;

	if (!text)
		return NULL;
	number = 1 + atomic_fetch_add_explicit(&r->text_count, 1, memory_order_relaxed);
	atomic_store_explicit(&text->entry.number, number <= TEXTS ? number : 0, memory_order_relaxed);
	text->size = (uint32_t)key.size;
	memcpy(text->bytes, key.text, key.size);
	text->bytes[key.size] = '\0';
	return text;
}

/* NULL: no room. */
static const struct text *text_of(struct registry *r, struct text_key key)
{
	uint64_t hash = hash_of(HASH_FIRST, key);
	struct text *text = (struct text *)table_find(&r->texts, hash, same_text, &key);

	if (!text && (text = make_text(r, key)))
		text = (struct text *)table_add(&r->texts, hash, same_text, &key, &text->entry);
	return text && text->entry.number ? text : NULL;
}

static bool take_one(_Atomic uint32_t *left)
{
	uint32_t now = atomic_load_explicit(left, memory_order_relaxed);

	while (now)
		if (atomic_compare_exchange_weak_explicit(left, &now, now - 1, memory_order_relaxed, memory_order_relaxed))
			return true;
	return false;
}

const char *prof__text_of_few(const char *text, _Atomic uint32_t *left)
{
	struct registry *r = the_registry();
	struct text_key key = key_of(text);
	const struct text *copy = r ? (struct text *)table_find(&r->texts, hash_of(HASH_FIRST, key), same_text, &key) : NULL;

	if (!copy && r && take_one(left))
		copy = text_of(r, key);
	return copy && copy->entry.number ? copy->bytes : NULL;
}

/* Room for so many bytes of the region's strings; 0: none. */
static uint64_t take_string(struct process *p, size_t size)
{
	uint64_t used = atomic_load_explicit(&p->string_used, memory_order_relaxed);

	do {
		if (!prof__room(p, REGION_STRINGS, used + size))
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&p->string_used, &used, used + size, memory_order_relaxed,
	                                                memory_order_relaxed));
	return used;
}

uint64_t prof__region_text(struct process *p, const char *copy)
{
	const struct text *text = (const struct text *)(copy - offsetof(struct text, bytes));
	_Atomic uint32_t *at = &p->text_at[text->entry.number - 1];
	uint32_t there = atomic_load_explicit(at, memory_order_acquire), from;

	if (!text->size)
		return 0;
	if (!there && (from = (uint32_t)take_string(p, text->size))) {
		memcpy(p->strings + from, copy, text->size);
		raise_to(&p->shared->strings, from + text->size);
		if (atomic_compare_exchange_strong_explicit(at, &there, from, memory_order_acq_rel, memory_order_acquire))
			there = from;
	}
	return there ? (uint64_t)there << 32 | text->size : 0;
}

/* True if there will never be space for it. */
static bool is_refused(const struct process *p, const char *copy)
{
	const struct text *text = (const struct text *)(copy - offsetof(struct text, bytes));

	return text->size && !atomic_load_explicit(&p->text_at[text->entry.number - 1], memory_order_acquire) &&
	       atomic_load_explicit(&p->string_used, memory_order_relaxed) + text->size > p->spaces[REGION_STRINGS].bytes;
}

/* Settles where two texts are, or one and "". *known: both are in the region, or one never will be. False: there
 * is no memory for them now. */
static bool settle_texts(struct process *p, const char *one, const char *other, _Atomic uint8_t *known)
{
	bool there = (prof__region_text(p, one) || !*one) && (!*other || prof__region_text(p, other));
	uint8_t not_yet = KNOWN_NOT_YET;

	if (!there && !is_refused(p, one) && !(*other && is_refused(p, other)))
		return false;
	atomic_compare_exchange_strong_explicit(known, &not_yet, there ? KNOWN_THERE : KNOWN_REFUSED, memory_order_acq_rel,
	                                        memory_order_acquire);
	return true;
}

void prof__publish(struct process *p, const struct publication *what, uint32_t number)
{
	struct rows *rows = what->rows;
	uint32_t i;

	while ((i = atomic_load_explicit(&rows->used, memory_order_acquire)) < number && i < rows->room) {
		const struct entry *entry = table_at(what->table, i + 1);
		const char *one, *other;
		what->texts(entry, &one, &other);
		if (!prof__room(p, what->id, (i + 1ull) * what->size) || !settle_texts(p, one, other, &rows->known[i]))
			return;
		if (atomic_load_explicit(&rows->known[i], memory_order_acquire) == KNOWN_THERE)
			what->write(p, entry, i);
		raise_to(what->shared, i + 1); /* pairs with the acquire in snapshot_process */
		atomic_compare_exchange_strong_explicit(&rows->used, &i, i + 1, memory_order_release,
		                                        memory_order_relaxed); /* pairs with known_row */
	}
}

uint64_t prof__string(struct process *p, const char *text, _Atomic uint32_t *left)
{
	const char *copy = prof__text_of_few(text, left);

	return copy ? prof__region_text(p, copy) : 0;
}

/* ---- zones */

struct zone_key {
	struct text_key name, file;
	uint32_t line, module;
	uint64_t offset;
};

static bool same_zone(const struct entry *entry, const void *with)
{
	const Prof_zone *zone = &((const struct zone *)entry)->zone;
	const struct zone_key *key = with;

	return zone->line == key->line && ((const struct zone *)entry)->module == key->module &&
	       ((const struct zone *)entry)->offset == key->offset && is_text(zone->name, key->name) && is_text(zone->file, key->file);
}

static struct zone *make_zone(struct registry *r, const struct zone_key *key, uint32_t flags)
{
	bool room = atomic_load_explicit(&r->zones.count, memory_order_relaxed) < ZONES;
	const struct text *name = room ? text_of(r, key->name) : NULL, *file = name ? text_of(r, key->file) : NULL;
	struct zone *zone = file ? take_entry(&r->zone_arena, sizeof *zone) : NULL;

	if (zone) {
		zone->zone = (Prof_zone){ name->bytes, file->bytes, key->line, flags, 0, 0 };
		zone->module = key->module;
		zone->offset = key->offset;
	}
	return zone;
}

static uint64_t hash_of_zone(const struct zone_key *key)
{
	return hash_of(hash_of(HASH_FIRST ^ key->line, key->name), key->file) ^
	       (key->offset + ((uint64_t)key->module << 40)) * 0x9e3779b97f4a7c15ull;
}

/* The zone, made when it is new; NULL: no room. */
static struct zone *zone_of_key(const struct zone_key *key, uint32_t flags)
{
	struct registry *r = the_registry();
	uint64_t hash = hash_of_zone(key);
	struct zone *zone = r ? (struct zone *)table_find(&r->zones, hash, same_zone, key) : NULL;

	if (!zone && r && (zone = make_zone(r, key, flags)))
		zone = (struct zone *)table_add(&r->zones, hash, same_zone, key, &zone->entry);
	return zone && table_number(&r->zones, &zone->entry) ? zone : NULL;
}

static struct zone *zone_of(const char *name, const char *file, uint32_t line, uint32_t flags)
{
	return zone_of_key(&(struct zone_key){ .name = key_of(name), .file = key_of(file), .line = line }, flags);
}

static void texts_of_zone(const struct entry *entry, const char **one, const char **other)
{
	*one = ((const struct zone *)entry)->zone.name;
	*other = ((const struct zone *)entry)->zone.file;
}

static void publish_modules(struct process *p, uint32_t number);

static void write_zone(struct process *p, const struct entry *entry, uint32_t i)
{
	const struct zone *made = (const struct zone *)entry;
	const Prof_zone *zone = &made->zone;
	uint64_t name = prof__region_text(p, zone->name), file = prof__region_text(p, zone->file);
	struct region_zone words = { .name = (uint32_t)(name >> 32), .name_size = (uint32_t)name,
		                     .file = (uint32_t)(file >> 32), .file_size = (uint32_t)file,
		                     .line = zone->line, .flags = zone->flags & ~IS_ADDRESS, .offset = made->offset };

	if (made->module && !known_row(&p->module_rows, made->module))
		publish_modules(p, made->module);
	if (known_row(&p->module_rows, made->module))
		words.module = made->module;
	write_words(&p->zones[i], &words, sizeof words);
}

static void publish_zone(struct process *p, uint32_t number)
{
	const struct publication what = { REGION_ZONES, sizeof *p->zones, &registry->zones, &p->zone_rows, &p->shared->zones,
		                          texts_of_zone, write_zone };

	prof__publish(p, &what, number);
}

/* The zone of a site, by its name, file and line.  A signature is shortened
 * first. */
static struct zone *zone_here(const Prof_zone *here)
{
	char name[SIGNATURE_NAME];

	if (here->flags & IS_ADDRESS)
		return (struct zone *)((uintptr_t)here - offsetof(struct zone, zone));
	if (!(here->flags & prof__SIGNATURE) || !here->name)
		return zone_of(here->name, here->file, here->line, here->flags);
	prof__signature_name(here->name, name);
	return zone_of(name, here->file, here->line, here->flags & ~prof__SIGNATURE);
}

uint32_t prof__zone_id(struct process *p, Prof_zone *zone)
{
	struct zone *known = zone == &nowhere ? NULL : zone_here(zone);
	uint32_t id = known ? atomic_load_explicit(&known->entry.number, memory_order_acquire) : 0;

	if (!id)
		return 0;
	if (!known_zone(p, id))
		publish_zone(p, id);
	if (!known_zone(p, id))
		return 0;
	__atomic_store_n(&zone->id, id, __ATOMIC_RELAXED);
	return id;
}

void prof__zones_publish(struct process *p)
{
	if (registry)
		publish_zone(p, atomic_load_explicit(&registry->zones.count, memory_order_acquire));
}

Prof_zone *Prof_Zone_At(const char *name, const char *file, uint32_t line)
{
	struct zone *zone = zone_of(name, file, line, 0);

	return zone ? &zone->zone : &nowhere;
}

Prof_zone *Prof_Zone(const char *name)
{
	return Prof_Zone_At(name, "", 0);
}

/* ---- modules, and zones that are addresses in them */

static bool same_module(const struct entry *entry, const void *with)
{
	const struct module *module = (const struct module *)entry, *key = with;

	return module->path == key->path && module->build == key->build && module->address == key->address &&
	       module->size == key->size;
}

static void texts_of_module(const struct entry *entry, const char **one, const char **other)
{
	*one = ((const struct module *)entry)->path;
	*other = ((const struct module *)entry)->build;
}

static void write_module(struct process *p, const struct entry *entry, uint32_t i)
{
	const struct module *module = (const struct module *)entry;
	uint64_t path = prof__region_text(p, module->path), build = prof__region_text(p, module->build);
	struct region_module words = { .path = (uint32_t)(path >> 32), .path_size = (uint32_t)path,
		                       .build = (uint32_t)(build >> 32), .build_size = (uint32_t)build,
		                       .address = module->address, .size = module->size };

	write_words(&p->modules[i], &words, sizeof words);
}

static void publish_modules(struct process *p, uint32_t number)
{
	const struct publication what = { REGION_MODULES, sizeof *p->modules, &registry->modules, &p->module_rows,
		                          &p->shared->modules, texts_of_module, write_module };

	prof__publish(p, &what, number);
}

uint32_t prof__module(const char *path, const char *build, uint64_t address, uint64_t size)
{
	static _Atomic uint32_t left = 4 * MODULES; /* as for names of counters */
	struct module key = { .path = prof__text_of_few(path, &left), .build = prof__text_of_few(build, &left),
		              .address = address, .size = size };
	struct registry *r = key.path && key.build ? the_registry() : NULL;
	uint64_t hash = ((uint64_t)(uintptr_t)key.path ^ address) * 0x9e3779b97f4a7c15ull;
	struct module *module = r ? (struct module *)table_find(&r->modules, hash, same_module, &key) : NULL;

	if (!module && r && atomic_load_explicit(&r->modules.count, memory_order_relaxed) < MODULES) {
		uint32_t i = atomic_fetch_add_explicit(&r->module_count, 1, memory_order_relaxed);
		if (i >= 2 * MODULES)
			return 0;
		module = &r->module[i];
		module->path = key.path;
		module->build = key.build;
		module->address = address;
		module->size = size;
		module = (struct module *)table_add(&r->modules, hash, same_module, &key, &module->entry);
	}
	return module ? table_number(&r->modules, &module->entry) : 0;
}

static struct zone_key key_of_address(uint32_t module, uint64_t offset)
{
	return (struct zone_key){ .name = key_of(""), .file = key_of(""), .module = module, .offset = offset };
}

Prof_zone *prof__known_address_zone(uint32_t module, uint64_t offset)
{
	struct zone_key key = key_of_address(module, offset);
	struct registry *r = module ? the_registry() : NULL;
	struct zone *zone = r ? (struct zone *)table_find(&r->zones, hash_of_zone(&key), same_zone, &key) : NULL;

	return zone ? &zone->zone : NULL;
}

Prof_zone *prof__address_zone(uint32_t module, uint64_t offset)
{
	struct zone_key key = key_of_address(module, offset);
	struct registry *r = module ? the_registry() : NULL;
	bool is_known = r && module <= atomic_load_explicit(&r->modules.count, memory_order_acquire);
	struct zone *zone = is_known ? zone_of_key(&key, IS_ADDRESS) : NULL;

	return zone ? &zone->zone : &nowhere;
}

/* unload.c: tells whether the process exits or the module with this copy of the
 * library is unloaded.
 *
 * Destructors run in both cases.  If the process exits, other threads may still
 * be in their zones, so their memory stays.  If the module is unloaded, its
 * code goes, so nobody can use the memory any more, and all of it goes, too.
 *
 * If a module is loaded by dlopen(3), an exit runs its handlers of atexit
 * before its destructors.  In an unload glibc runs them later than a destructor
 * without a priority (leave in process.c).
 *
 * If a module is loaded with the program, its destructors run before its
 * handlers in both cases.  But it is never unloaded.  Nor is a module that is
 * linked with -z nodelete, such as libprof.so.
 *
 * dlmopen(3) loads a module with a C library of its own.  An exit of the
 * program does not run that library's handlers. So such a module registers its
 * handler with the program's C library.
 */
#include "libprof/libprof_inside.h"

#include <stdlib.h>
#include <string.h>

static bool exiting;

static void note_exit(void)
{
	exiting = true;
}

#ifdef __GLIBC__
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#ifndef LM_ID_BASE
#define LM_ID_BASE 0
#endif

/* Before glibc 2.34 they were in libdl, which a program may not have. */
#pragma weak dlmopen
#pragma weak dlsym

typedef int register_exit(void (*handler)(void *), void *argument, void *dso);
typedef void remove_handlers(void *dso);
static remove_handlers *remove_from_program; /* NULL: nothing is registered there */

/* The first object of the program's namespace is the program, and its name is
 * empty. */
static int is_program(struct dl_phdr_info *object, size_t size, void *first)
{
	(void)size;
	*(bool *)first = object->dlpi_name && !*object->dlpi_name;
	return 1;
}

static void note_exit_of_program(void *unused)
{
	(void)unused;
	exiting = true;
}

/* The handle by which the C library knows this module. */
static void *this_module(void)
{
	extern void *__dso_handle __attribute__((visibility("hidden")));

	return __dso_handle;
}

/* Sets *function, a pointer to a function. */
static bool find_function(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof found);
	return found;
}

static void register_with_program(void)
{
	void *libc = dlmopen && dlsym ? dlmopen(LM_ID_BASE, "libc.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
	register_exit *add;
	remove_handlers *take_off;

	exiting = !libc || !find_function(libc, "__cxa_atexit", &add) || !find_function(libc, "__cxa_finalize", &take_off) ||
	          add(note_exit_of_program, NULL, this_module()) != 0; /* if an exit cannot be told, the memory stays */
	if (!exiting)
		remove_from_program = take_off;
}

/* A constructor asks first, and the answer is stored.  Later the loader's lock
 * may be one that a fork left locked. */
bool prof__unload_apart(void)
{
	static enum { UNKNOWN, APART, TOGETHER } known;

	if (!known) {
		bool first = true;
		dl_iterate_phdr(is_program, &first);
		known = first ? TOGETHER : APART;
	}
	return known == APART;
}

#define DEPTH 16   /* of the chain of needed objects that is followed */
#define LOOKS 1000 /* after so many the module counts as one that is never unloaded */

static bool has_address(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_LOAD &&
		    address - object->dlpi_addr - object->dlpi_phdr[i].p_vaddr < object->dlpi_phdr[i].p_memsz)
			return true;
	return false;
}

static const ElfW(Dyn) *dynamic_of(const struct dl_phdr_info *object)
{
	static const ElfW(Dyn) none = { .d_tag = DT_NULL };

	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	return &none;
}

/* The value of a tag, 0 if there is none. */
static ElfW(Xword) tag_of(const struct dl_phdr_info *object, ElfW(Sxword) tag)
{
	const ElfW(Dyn) *d = dynamic_of(object);

	while (d->d_tag != DT_NULL && d->d_tag != tag)
		d++;
	return d->d_tag == tag ? d->d_un.d_val : 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool needs(const struct dl_phdr_info *object, const char *name)
{
	ElfW(Addr) strings = tag_of(object, DT_STRTAB);

	strings += has_address(object, strings) ? 0 : object->dlpi_addr; /* the loader may have added it */
	for (const ElfW(Dyn) *d = dynamic_of(object); d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED && !strcmp(base_name((const char *)strings + d->d_un.d_val), name))
			return true;
	return false;
}

struct search {
	const char *needed; /* NULL: search for the object with this copy; else for one that needs an object of this name */
	unsigned depth;
	bool loader_seen, stays;
};

static unsigned looks;

/* The list begins with the objects that are loaded with the program.  Each of them comes behind one that needs it, and most
 * of them come before the loader. */
static int look_at(struct dl_phdr_info *object, size_t size, void *search)
{
	struct search *s = search, user = { .needed = base_name(object->dlpi_name), .depth = s->depth + 1 };

	(void)size;
	if (object->dlpi_addr && object->dlpi_addr == getauxval(AT_BASE))
		s->loader_seen = true;
	if (s->needed ? !needs(object, s->needed) : !has_address(object, (uintptr_t)&exiting))
		return 0;
	s->stays = !s->loader_seen || (!s->needed && tag_of(object, DT_FLAGS_1) & DF_1_NODELETE);
	if (!s->stays && s->depth < DEPTH && looks++ < LOOKS) {
		dl_iterate_phdr(look_at, &user);
		s->stays = user.stays;
	}
	return !s->needed || s->stays;
}

static bool is_never_unloaded(void)
{
	struct search this = { .stays = true };

	dl_iterate_phdr(look_at, &this);
	return this.stays || looks >= LOOKS;
}

void prof__unload_watch(void)
{
	if (prof__unload_apart())
		register_with_program();
	else
		exiting = is_never_unloaded() || atexit(note_exit) != 0;
}

bool prof__unload_is_exit(void)
{
	bool is_exit = exiting;

	if (remove_from_program && !is_exit)
		remove_from_program(this_module());
	return is_exit;
}
#else
void prof__unload_watch(void)
{
	exiting = atexit(note_exit) != 0;
}

bool prof__unload_apart(void)
{
	return false;
}

bool prof__unload_is_exit(void)
{
	return exiting;
}
#endif

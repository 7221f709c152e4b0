/* unload.c: tells whether the process exits or the module with this copy of the
 * library is unloaded.
 *
 * Destructors run in both cases.  If the process exits, other threads may still
 * be in their zones, so their memory stays.  If the module is unloaded, its
 * code goes, so nobody can use the memory any more, and all of it goes, too.
 *
 * In an exit, handlers of atexit run before destructors.  In an unload glibc
 * runs them later than a destructor without a priority (leave in process.c).
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
#include <link.h>

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

void prof__unload_watch(void)
{
	if (prof__unload_apart())
		register_with_program();
	else
		exiting = atexit(note_exit) != 0;
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

/* core_modules.c: instrumented modules that come and go, and exceptions through them. */
#include "tests/core_limits.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/core_inline.h"
#include "tests/core_values.h"
#include "tests/long.h"

/* Modules lie in .libs beside this program. */
static void module_path(const char *module, char path[PATH_MAX + 64])
{
	char self[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);

	self[size > 0 ? size : 0] = '\0';
	char *slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	snprintf(path, PATH_MAX + 64, "%s/.libs/%s.so", self, module);
}

static void *load(const char *module)
{
	char path[PATH_MAX + 64];

	module_path(module, path);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	CHECK(handle != NULL, "%s", dlerror());
	return handle;
}

/* ---- dlopen, dlclose */

#define LOADS ((int)test_times(200, 1000))

static void run_dlopen(void)
{
	int still = 0;

	for (int i = 0; i < LOADS; i++) {
		void *module = load("core_module");
		if (!module)
			return;
		int (*run)(int) = (int (*)(int))dlsym(module, "module_run");
		CHECK(run && run(3) == 3);
		dlclose(module);
		if ((module = dlopen("core_module.so", RTLD_NOW | RTLD_NOLOAD)))
			still++;
		included();
		Prof_update(1);
	}
	CHECK(still == 0, "the module is there still after %d of %d", still, LOADS);
}

static void check_dlopen(struct view *view)
{
	static const struct { const char *name; int times; } zones[] = {
		{ "module_run", 1 }, { "module_zone", 3 }, { "module_comes", 1 }, { "module_goes", 1 }, { "included", 4 },
	};

	CHECK_LOST_ONLY(view, 0);
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
		CHECK(view_rows(view, zones[i].name) == 1, "%s has %u rows", zones[i].name,
		      view_rows(view, zones[i].name));
		CHECK(view_entries(view, zones[i].name) == (uint64_t)(LOADS * zones[i].times), "%s has %d entries",
		      zones[i].name, (int)view_entries(view, zones[i].name));
	}
	CHECK(view->process.frames == (uint64_t)LOADS);
}

/* ---- two modules in turn, at one address */

#define TURNS 100

static void run_in_turn(void)
{
	static const char *const modules[] = { "core_module", "core_other" };
	void *before = NULL;
	uint64_t same = 0;

	for (int i = 0; i < TURNS; i++) {
		void *module = load(modules[i % 2]);
		if (!module)
			return;
		int (*run)(int) = (int (*)(int))dlsym(module, "module_run");
		CHECK(run && run(i % 2 ? 5 : 3));
		same += (void *)run == before;
		before = (void *)run;
		dlclose(module);
	}
	limit_tell("same", same);
}

/* The sites of the one lie where those of the other were, and are not taken for them. */
static void check_in_turn(struct view *view)
{
	CHECK(SANITIZED || view_told(view, "same") > 0, "no module came to where another had been");
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_entries(view, "module_zone") == TURNS / 2 * 3);
	CHECK(view_entries(view, "other_zone") == TURNS / 2 * 5);
	CHECK(view_entries(view, "included") == TURNS / 2 * (3 + 5));
}

/* ---- a module with a copy of the library in it */

static void run_copy(void)
{
	Prof_Begin(of_the_program)
	void *module = load("core_copy");
	int (*run)(int) = module ? (int (*)(int))dlsym(module, "copy_run") : NULL;
	CHECK(run && run(10) == 10);
	if (module)
		dlclose(module);
	Prof_End
	Prof_update(1);
}

/* Children of the program are not recorded, and do not say so: each would. */
static void run_copy_forks(void)
{
	Prof_Begin(of_the_program)
	void *module = load("core_copy");
	int (*run)(int) = module ? (int (*)(int))dlsym(module, "copy_run") : NULL;
	for (int i = 0; run && i < 3; i++) {
		int status = 1;
		pid_t child = fork();
		if (child == 0)
			_exit(run(10) != 10);
		CHECK(waitpid(child, &status, 0) == child && status == 0);
	}
	Prof_End
	Prof_update(1);
}

/* It says that it is the second one, and stays off. */
static void check_copy(struct view *view)
{
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_rows(view, "of_the_copy") == 0);
	CHECK(view_entries(view, "of_the_program") == 1);
	CHECK(view->process.frames == 1);
}

/* ---- a module that carries a copy of the library, and whose zones come to the program's */

static void run_carried(const char *name)
{
	limit_tell("skipped", SANITIZED);
	if (SANITIZED)
		return;
	Prof_Begin(of_the_program)
	void *module = load(name);
	int (*run)(int) = module ? (int (*)(int))dlsym(module, "carrier_run") : NULL;
	CHECK(run && run(10) == 10);
	if (module)
		dlclose(module);
	Prof_End
	Prof_Begin(behind_it)
	Prof_End
	Prof_update(1);
}

static void run_carrier(void)
{
	run_carried("core_carrier");
}

/* The program's children are not to be profiled; nor is the second copy. */
static void run_unset(void)
{
	unsetenv("PROF_SHM");
	run_carried("core_carrier");
}

/* Its calls come to its own copy, and what they test before is the program's word. */
static void run_bound(void)
{
	run_carried("core_bound");
}

static void check_bound(struct view *view)
{
	if (view_told(view, "skipped")) {
		printf("     bound: skipped, the sanitizer wants each name once\n");
		return;
	}
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_entries(view, "of_the_carrier") == 0);
	CHECK(view_entries(view, "of_the_program") == 1 && view_entries(view, "behind_it") == 1);
	CHECK(view->process.frames == 1);
}

static void check_carrier(struct view *view)
{
	if (view_told(view, "skipped")) {
		printf("     carrier: skipped, the sanitizer wants each name once\n");
		return;
	}
	CHECK_LOST_ONLY(view, 0);
	CHECK(view_entries(view, "of_the_carrier") == 10);
	CHECK(view_entries(view, "of_the_program") == 1 && view_entries(view, "behind_it") == 1);
	CHECK(view->process.frames == 11);
}

/* ---- a C++ module of functions of which linkers make one: inline, of templates */

static bool in_cxx(const char *module)
{
	char path[PATH_MAX + 64];

	module_path(module, path);
	bool built = access(path, F_OK) == 0; /* else there was no C++ compiler */
	limit_tell("skipped", !built);
	return built;
}

#define UNLOADS 20
#define RUNS    7

static void run_unload(void)
{
	int still = 0;

	if (!in_cxx("core_unload"))
		return;
	for (int i = 0; i < UNLOADS; i++) {
		char path[PATH_MAX + 64];
		void *module = load("core_unload");
		if (!module)
			return;
		int (*run)(int) = (int (*)(int))dlsym(module, "unload_run");
		CHECK(run && run(RUNS) == RUNS);
		dlclose(module);
		module_path("core_unload", path);
		still += dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL;
		Prof_update(1);
	}
	CHECK(still == 0, "the module is there still after %d of %d", still, UNLOADS);
}

static void check_unloaded_values(const struct view *view)
{
	static struct values values;

	if (!values_load(&values, view->name))
		return;
	int added = values_counter(&values, "inline_counter", false);
	CHECK(added >= 0 && values_sum(&values, added) == UNLOADS * RUNS);
	CHECK(values_counter(&values, "template_counter", false) >= 0);
	CHECK(values_counter(&values, "template_counter", true) >= 0);
	CHECK(values.counter_count == 3);
	CHECK(values.event_count == UNLOADS * RUNS && values.note_count == UNLOADS * RUNS);
	values_free(&values);
}

static void check_unload(struct view *view)
{
	static const struct { const char *name; unsigned rows, times; } zones[] = {
		{ "1_inline", 2, 2 }, { "Plain::in_method", 1, 1 }, { "begun", 1, 1 }, { "constructor", 1, 2 },
		{ "destructor", 1, 2 }, { "virtual, and shown", 1, 2 }, { "in_template", 1, 2 }, { "waits", 1, 2 },
		{ "lambda", 1, 2 }, { "generic", 1, 2 }, { "Mesh::solve", 1, 1 }, { "Sound::solve", 1, 2 },
		{ "Mesh::operator()", 1, 1 }, { "Sound::operator()", 1, 1 }, { "Sound::operator()::lambda", 1, 1 },
		{ "Mesh::operator int", 1, 1 },
	};

	if (view_told(view, "skipped")) {
		printf("     unload: skipped, the C++ module was not built\n");
		return;
	}
	CHECK_LOST_ONLY(view, 0);
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
		unsigned rows = view_rows(view, zones[i].name);
		uint64_t entries = view_entries(view, zones[i].name);
		CHECK(rows == zones[i].rows, "%s has %u rows", zones[i].name, rows);
		CHECK(entries == UNLOADS * RUNS * zones[i].times, "%s has %d entries", zones[i].name, (int)entries);
	}
	CHECK(view->process.frames == UNLOADS);
	check_unloaded_values(view);
}

/* ---- exceptions */

#define THROWS 1000
#define LEVELS 7

static void run_throw(void)
{
	if (!in_cxx("core_throw"))
		return;
	void *module = load("core_throw");
	if (!module)
		return;
	int (*run)(int, int) = (int (*)(int, int))dlsym(module, "throw_run");
	int (*thread)(void) = (int (*)(void))dlsym(module, "throw_thread");
	Prof_update(1);
	CHECK(run && run(THROWS, LEVELS) == THROWS);
	CHECK(thread && thread());
	Prof_update(1);
}

static void check_throw(struct view *view)
{
	if (view_told(view, "skipped")) {
		printf("     throw: skipped, the C++ module was not built\n");
		return;
	}
	CHECK_LOST_ONLY(view, 0); /* nothing is left open */
	CHECK(view_entries(view, "trying") == THROWS && view_entries(view, "catching") == THROWS);
	CHECK(view_entries(view, "throwing") == THROWS * LEVELS);
	CHECK(view_entries(view, "a named scope") == THROWS * LEVELS);
	CHECK(view_entries(view, "ended_in") == 1);
	CHECK(view->process.frames == 2);
}

const struct limit limits_module[] = {
	{ .name = "dlopen", .size = LIMIT_MEDIUM, .run = run_dlopen, .check = check_dlopen },
	{ .name = "in_turn", .size = LIMIT_MEDIUM, .run = run_in_turn, .check = check_in_turn },
	{ .name = "copy", .size = LIMIT_MEDIUM, .says = "another copy", .run = run_copy, .check = check_copy },
	{ .name = "copy_forks", .size = LIMIT_MEDIUM, .run = run_copy_forks, .check = check_copy },
	{ .name = "carrier", .size = LIMIT_MEDIUM, .run = run_carrier, .check = check_carrier },
	{ .name = "unset", .size = LIMIT_MEDIUM, .run = run_unset, .check = check_carrier },
	{ .name = "bound", .size = LIMIT_MEDIUM, .says = SANITIZED ? NULL : "another copy", .run = run_bound,
	  .check = check_bound },
	{ .name = "unload", .size = LIMIT_MEDIUM, .run = run_unload, .check = check_unload },
	{ .name = "throw", .size = LIMIT_MEDIUM, .run = run_throw, .check = check_throw },
	{ 0 },
};

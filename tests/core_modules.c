/* core_modules.c: instrumented modules that come and go, and exceptions through them. */
#include "tests/core_limits.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/core_inline.h"

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

#define LOADS 200

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
	CHECK(view->process.frames == LOADS);
}

/* ---- exceptions */

#define THROWS 1000
#define LEVELS 7

static void run_throw(void)
{
	char path[PATH_MAX + 64];

	module_path("core_throw", path);
	if (access(path, F_OK) != 0) {
		limit_tell("skipped", 1); /* built without a C++ compiler */
		return;
	}
	limit_tell("skipped", 0);
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
	{ .name = "dlopen", .run = run_dlopen, .check = check_dlopen },
	{ .name = "throw", .run = run_throw, .check = check_throw },
	{ 0 },
};

/* core_reload.c: a program that knows nothing of the library loads a module that carries a copy of it, and unloads it,
 * again and again.  Each time there is a region, and then none: its memory is given back, and its name can be had. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/core_run.h"

#define LOADS    40
#define STAY     4 /* threads that were in the module, and live on */
#define KIBIBYTES 4096L

typedef int run_module(int times);

static char shm[64], region[96];
static pthread_barrier_t loaded, unloaded;

static void *load(run_module **run)
{
	char path[PATH_MAX + 64] = "";
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash = size > 0 ? strrchr(path, '/') : NULL;

	if (slash)
		strcpy(slash, "/.libs/core_copy.so");
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	CHECK(module, "%s", dlerror());
	*run = module ? (run_module *)dlsym(module, "copy_run") : NULL;
	return module;
}

static void *stay(void *run)
{
	CHECK((*(run_module **)run)(3) == 3);
	pthread_barrier_wait(&loaded);
	pthread_barrier_wait(&unloaded);
	return NULL;
}

/* Of memory that is shared: regions, here. */
static long resident_kib(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;

	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "RssShmem: %ld", &kib) == 1)
			break;
	if (status)
		fclose(status);
	return kib;
}

/* The inode of the region, 0: there is none. */
static uint64_t there(void)
{
	struct stat st;

	return stat(region, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

static void reload(bool keep)
{
	pthread_t threads[STAY];
	run_module *run = NULL;
	uint64_t before = 0;
	long first = 0;

	pthread_barrier_init(&loaded, NULL, STAY + 1);
	pthread_barrier_init(&unloaded, NULL, STAY + 1);
	for (int i = 0; i < LOADS; i++) {
		void *module = load(&run);
		if (!module || !run)
			return;
		for (int t = 0; i == 0 && t < STAY; t++)
			pthread_create(&threads[t], NULL, stay, &run);
		if (i == 0)
			pthread_barrier_wait(&loaded);
		CHECK(run(10) == 10);
		CHECK(there() && there() != before, "no region of its own at load %d", i + 1);
		before = there();
		dlclose(module);
		CHECK(keep ? there() == before : !there());
		if (i == 0)
			first = resident_kib();
	}
	CHECK(first >= 0 && resident_kib() < first + KIBIBYTES, "%ld KiB are shared after the first, %ld after all", first,
	      resident_kib());
	pthread_barrier_wait(&unloaded);
	for (int t = 0; t < STAY; t++)
		pthread_join(threads[t], NULL);
}

int main(void)
{
	static const struct {
		const char *name, *keep;
	} tests[] = { { "a region each", "0" }, { "a region each, which stays", "1" } };
	char retired[128];

	snprintf(shm, sizeof shm, "prof-core-reload-%ld", (long)getpid());
	snprintf(region, sizeof region, "/dev/shm/%s", shm);
	snprintf(retired, sizeof retired, "%s~1", region);
	setenv("PROF_SHM", shm, 1);
	setenv("PROF_SHM_SIZE", "4M", 1);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		unsigned before = core_failures();
		setenv("PROF_KEEP", tests[i].keep, 1);
		reload(*tests[i].keep == '1');
		printf("%-4s %s\n", core_failures() == before ? "ok" : "FAIL", tests[i].name);
		unlink(region);
		unlink(retired);
	}
	return core_result();
}

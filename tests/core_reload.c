/* core_reload.c: a program that knows nothing of the library loads a module
 * that carries a copy of it, and unloads it, again and again.  Each time there
 * is a region, and then none: its name can be had, and all that the copy mapped
 * goes.  Whoever reads the region then has the last frames.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "shm/region.h"
#include "tests/core_run.h"

#define LOADS     40
#define STAY      4 /* threads that were in the module, and live on */
#define TIMES     300
#define KIBIBYTES 8192L
#define MAPPINGS  10

typedef int run_module(int times);

static const struct reloads {
	const char *name;
	bool off, keep, apart; /* apart: by dlmopen */
	const char *frame_ms, *function;
} tests[] = {
	{ "a region each", .function = "copy_run" },
	{ "a region each, which stays", .keep = true, .function = "copy_run" },
	{ "tables that grow", .function = "copy_use" },
	{ "tables that grow, and no region", .off = true, .function = "copy_use" },
	{ "frames by the clock", .frame_ms = "1", .function = "copy_run" },
#ifdef __GLIBC__
	{ "a namespace each", .apart = true, .function = "copy_use" },
	{ "a namespace each, and no region", .apart = true, .off = true, .function = "copy_use" },
#endif
};

static char shm[64], region[96];
static pthread_barrier_t loaded, unloaded;

static void *load(const struct reloads *how, run_module **run)
{
	char path[PATH_MAX + 64] = "";
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash = size > 0 ? strrchr(path, '/') : NULL;

	if (slash)
		strcpy(slash, "/.libs/core_copy.so");
#ifdef __GLIBC__
	void *module = how->apart ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW) : dlopen(path, RTLD_NOW | RTLD_LOCAL);
#else
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
#endif
	CHECK(module, "%s", dlerror());
	*run = module ? (run_module *)dlsym(module, how->function) : NULL;
	return module;
}

static void *stay(void *run)
{
	CHECK((*(run_module **)run)(3) == 3);
	pthread_barrier_wait(&loaded);
	pthread_barrier_wait(&unloaded);
	return NULL;
}

/* How much memory the process has mapped. */
struct mapped {
	long kib, shared_kib;
	int mappings;
};

static struct mapped look(void)
{
	FILE *status = fopen("/proc/self/status", "r"), *maps = fopen("/proc/self/maps", "r");
	struct mapped now = { -1, -1, 0 };
	char line[512];

	while (status && fgets(line, sizeof line, status)) {
		sscanf(line, "VmSize: %ld", &now.kib);
		sscanf(line, "RssShmem: %ld", &now.shared_kib);
	}
	while (maps && fgets(line, sizeof line, maps))
		now.mappings++;
	if (status)
		fclose(status);
	if (maps)
		fclose(maps);
	return now;
}

/* The inode of the region, 0: there is none. */
static uint64_t there(void)
{
	struct stat st;

	return stat(region, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

/* Maps the region as a reader does. NULL: there is no region. */
static const struct region_header *attach(size_t *size)
{
	int fd = open(region, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *map = fd >= 0 && fstat(fd, &st) == 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;

	if (fd >= 0)
		close(fd);
	*size = map == MAP_FAILED ? 0 : (size_t)st.st_size;
	return map == MAP_FAILED ? NULL : map;
}

static void check_last_frames(const struct region_header *header, bool timed)
{
	const struct region_process *p =
	    (const struct region_process *)((const char *)header + header->sections[REGION_PROCESS].offset);
	uint64_t frames = atomic_load(&p->frames);

	CHECK(atomic_load(&p->state) == PROCESS_EXITED);
	CHECK(timed ? frames >= TIMES : frames == TIMES, "%d frames", (int)frames);
}

/* At the first load threads run in the module, and live on when it is
 * unloaded. */
static void load_once(const struct reloads *how, int i, pthread_t threads[STAY])
{
	static run_module *run;
	static uint64_t before;
	size_t size = 0;
	void *module = load(how, &run);

	if (!module || !run)
		return;
	for (int t = 0; i == 0 && t < STAY; t++)
		pthread_create(&threads[t], NULL, stay, &run);
	if (i == 0)
		pthread_barrier_wait(&loaded);
	CHECK(run(TIMES) == TIMES);
	CHECK(how->off ? !there() : there() && there() != before, "no region of its own at load %d", i + 1);
	before = there();
	const struct region_header *reader = attach(&size);
	dlclose(module);
	CHECK(how->keep ? there() == before : !there());
	if (reader && i > 0)
		check_last_frames(reader, how->frame_ms);
	if (reader)
		munmap((void *)reader, size);
}

static void reload(const struct reloads *how)
{
	struct mapped first = { 0, 0, 0 }, last;
	pthread_t threads[STAY];

	pthread_barrier_init(&loaded, NULL, STAY + 1);
	pthread_barrier_init(&unloaded, NULL, STAY + 1);
	for (int i = 0; i < LOADS; i++) {
		load_once(how, i, threads);
		if (i == 1)
			first = look();
	}
	last = look();
	CHECK(last.shared_kib < first.shared_kib + KIBIBYTES, "%ld KiB are shared, %ld before", last.shared_kib, first.shared_kib);
	CHECK(SANITIZED || last.kib < first.kib + KIBIBYTES, "%ld KiB are mapped, %ld before", last.kib, first.kib);
	CHECK(SANITIZED || last.mappings < first.mappings + MAPPINGS, "%d mappings, %d before", last.mappings, first.mappings);
	pthread_barrier_wait(&unloaded);
	for (int t = 0; t < STAY; t++)
		pthread_join(threads[t], NULL);
}

static void set(const char *variable, const char *value)
{
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
}

int main(void)
{
	char retired[128];

	snprintf(shm, sizeof shm, "prof-core-reload-%ld", (long)getpid());
	snprintf(region, sizeof region, "/dev/shm/%s", shm);
	snprintf(retired, sizeof retired, "%s~1", region);
	set("PROF_SHM_SIZE", "4M");
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		unsigned before = core_failures();
		if (SANITIZED && tests[i].apart)
			continue; /* a sanitizer cannot be in two namespaces */
		set("PROF_SHM", tests[i].off ? NULL : shm);
		set("PROF_KEEP", tests[i].keep ? "1" : "0");
		set("PROF_FRAME_MS", tests[i].frame_ms);
		reload(&tests[i]);
		printf("%-4s %s\n", core_failures() == before ? "ok" : "FAIL", tests[i].name);
		unlink(region);
		unlink(retired);
	}
	return core_result();
}

/* stage.c: a benchmark runs its own program again, as the one that is profiled. */
#include "bench/measure.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STAGE "BENCH_STAGE" /* in the environment */

static volatile sig_atomic_t child;
static char path[64]; /* of its region */
static int failed;

/* Nothing is left when the user has had enough. */
static void stop(int signal)
{
	if (child > 0)
		kill((pid_t)child, SIGKILL);
	if (*path)
		shm_unlink(path);
	_exit(128 + signal);
}

static void set(const char *setting)
{
	char name[64];
	size_t size = strcspn(setting, "=");

	if (size >= sizeof name)
		return;
	memcpy(name, setting, size);
	name[size] = '\0';
	setenv(name, setting[size] ? setting + size + 1 : "", 1);
}

static void become(const char *stage, const char *const *settings)
{
	char *argv[16] = { (char *)program_invocation_name };
	int count = 1;

	measure_unpin();
	setenv(STAGE, stage, 1);
	setenv("PROF_SHM", path + 1, 1);
	if (measure_quick())
		setenv("PROF_SHM_SIZE", MEASURE_QUICK_SIZE, 1);
	for (; settings && *settings; settings++)
		set(*settings);
	if (measure_quick())
		argv[count++] = (char *)"--quick";
	for (int i = 0; measure_argument(i); i++)
		argv[count++] = (char *)measure_argument(i);
	execv("/proc/self/exe", argv);
	perror("bench");
	_exit(127);
}

bool stage_run(const char *stage, const char *const *settings)
{
	int status = 0;

	snprintf(path, sizeof path, "/bench.%ld", (long)getpid());
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	signal(SIGHUP, stop);
	fflush(stdout);
	child = fork();
	if (child == 0)
		become(stage, settings);
	while (child > 0 && waitpid((pid_t)child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0 || status != 0) {
		fprintf(stderr, "%s: the stage '%s' failed, with status %#x\n", program_invocation_short_name, stage,
		        (unsigned)status);
		failed = 1;
	}
	child = 0;
	shm_unlink(path);
	return status == 0;
}

const char *stage_now(void)
{
	return getenv(STAGE);
}

const char *stage_region(void)
{
	const char *name = getenv("PROF_SHM");

	return name ? name : "";
}

int measure_end(void)
{
	return failed;
}

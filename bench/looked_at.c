/* SPDX-License-Identifier: MIT */
#include "bench/looked_at.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"

static const char *proftop, *load;
static char name[64], path[80];
static volatile sig_atomic_t pid;

static void stop(int signal)
{
	if (pid > 0)
		kill((pid_t)pid, SIGKILL);
	if (*path)
		shm_unlink(path);
	_exit(128 + signal);
}

bool looked_at_begin(const char *the_proftop, const char *the_load)
{
	proftop = the_proftop;
	load = the_load;
	if (access(proftop, X_OK) || access(load, X_OK)) {
		line_skip("the live screen", access(load, X_OK) ? "there is no bench/load" : "there is no proftop");
		return false;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	signal(SIGHUP, stop);
	return true;
}

/* On a machine with much to do a program takes its time to begin. */
static bool region_is_there(void)
{
	int fd = -1;

	for (int i = 0; fd < 0 && i < 5000; i++) {
		fd = shm_open(path, O_RDONLY, 0);
		if (fd < 0)
			usleep(1000);
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool looked_at_start(const char *size, const char *const shape[SHAPE])
{
	static int number;

	snprintf(name, sizeof(name), "bench.screen.%ld.%d", (long)getpid(), ++number);
	snprintf(path, sizeof(path), "/%s", name);
	pid = fork();
	if (pid)
		return pid > 0 && region_is_there();
	setenv("PROF_SHM", name, 1);
	setenv("PROF_SHM_SIZE", measure_quick() ? MEASURE_QUICK_SIZE : size, 1);
	execl(load, load, shape[0], shape[1], shape[2], shape[3], shape[4], (char *)NULL);
	_exit(127);
}

const char *looked_at_name(void)
{
	return name;
}

void looked_at_kill(void)
{
	if (pid > 0) {
		kill((pid_t)pid, SIGKILL);
		waitpid((pid_t)pid, NULL, 0);
	}
	pid = 0;
}

void looked_at_end(void)
{
	looked_at_kill();
	shm_unlink(path);
}

bool looked_at_ask(double *age_s, double *history_s)
{
	char command[4096], line[4096], quoted[80];
	bool found = false;
	FILE *list;

	snprintf(command, sizeof(command), "'%s' list -j", proftop);
	snprintf(quoted, sizeof(quoted), "\"%s\"", name);
	list = popen(command, "r");
	while (list && fgets(line, sizeof(line), list)) {
		char *a = strstr(line, "\"age_s\":"), *h = strstr(line, "\"history_s\":");

		if (!found && strstr(line, quoted) && a && h)
			found = sscanf(a, "\"age_s\":%lf", age_s) + sscanf(h, "\"history_s\":%lf", history_s) == 2;
	}
	if (list)
		pclose(list);
	return found;
}

bool looked_at_full(void)
{
	double age, history;

	for (int i = 0; i < 40; i++) {
		usleep(500000);
		if (looked_at_ask(&age, &history) && history > 0 && age > history + 1)
			return true;
	}
	return false;
}

bool shown_start(struct terminal *t, const struct shown *shown)
{
	char *argv[12];
	int n = 0;

	if (!shown->other)
		argv[n++] = (char *)proftop;
	for (int i = 0; shown->argv[i]; i++)
		argv[n++] = (char *)shown->argv[i];
	if (!shown->other)
		argv[n++] = name;
	argv[n] = NULL;
	return terminal_start(t, argv);
}

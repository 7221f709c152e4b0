/* core_claim_races.c: programs that want a name at the same instant, also over a dead region, also while somebody removes
 * what is dead.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shm/attach.h"
#include "tests/core_claim.h"
#include "tests/long.h"

#define RACES test_times(100, 1000)

struct racer {
	pid_t pid;
	int err;
};

static struct racer start_racer(const char *name, int null, int ready, int gate)
{
	static const char *const arguments[] = { "hold", NULL };
	struct core_program program = { .shm = name, .size = "256K", .drop = true, .arguments = arguments, .out = null };
	char variable[32];
	struct racer r = { .err = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) };

	snprintf(variable, sizeof variable, "%d,%d", ready, gate);
	setenv("PROF_TEST_GATE", variable, 1);
	program.err = r.err;
	r.pid = core_start(&program);
	unsetenv("PROF_TEST_GATE");
	return r;
}

static void end_racer(struct racer *r, const char *name, uint32_t owner)
{
	bool winner = owner == (uint32_t)r->pid;
	char text[1024], whose[64];

	CHECK(core_wait(r->pid, 20) == 0, "%s", name);
	ssize_t size = pread(r->err, text, sizeof text - 1, 0);
	text[size > 0 ? size : 0] = '\0';
	snprintf(whose, sizeof whose, "process %u uses this name\n", owner);
	CHECK(lines_of(text) == (winner ? 0 : 1) && (winner || strstr(text, whose)), "the %s said '%s'",
	      winner ? "winner" : "loser", text);
	close(r->err);
}

/* The region under the name is whole: it can be attached. */
static uint32_t wait_for_owner(const char *name, const struct racer r[2])
{
	for (int i = 0; i < 10000; i++) {
		struct attachment a;
		if (region_attach(&a, name, 0, NULL, 0) == ATTACH_OK) {
			uint32_t pid = a.header.pid;
			bool live = a.live;
			region_detach(&a);
			if (live && (pid == (uint32_t)r[0].pid || pid == (uint32_t)r[1].pid))
				return pid;
		}
		core_sleep_us(500);
	}
	return 0;
}

/* Two programs that want the name at the same instant: one has it, the other runs without. */
static uint32_t race(const char *name, int null, bool *first_won)
{
	int ready[2], gate[2], input[2], saved = dup(STDIN_FILENO);
	char bytes[2] = "gg";
	struct racer r[2];

	if (pipe(ready) != 0 || pipe(gate) != 0 || pipe2(input, O_CLOEXEC) != 0)
		abort();
	dup2(input[0], STDIN_FILENO);
	for (int i = 0; i < 2; i++)
		r[i] = start_racer(name, null, ready[1], gate[0]);
	dup2(saved, STDIN_FILENO);
	for (int i = 0; i < 2; i++)
		CHECK(read(ready[0], bytes, 1) == 1, "racer %d", i);
	CHECK(write(gate[1], "gg", 2) == 2, "gate");
	for (int i = 0; i < 2; i++) /* both know by now */
		CHECK(read(ready[0], bytes, 1) == 1, "racer %d", i);
	uint32_t owner = wait_for_owner(name, r);
	close(input[0]);
	close(input[1]);
	CHECK(owner, "nobody has %s", name);
	for (int i = 0; i < 2; i++)
		end_racer(&r[i], name, owner);
	*first_won = owner == (uint32_t)r[0].pid;
	for (int i = 0; i < 2; i++)
		close(ready[i]), close(gate[i]);
	close(saved);
	CHECK(!core_exists(name), "%s was left", name);
	return owner;
}

/* Somebody who removes what is dead, all the time; what lives stays (wait_for_owner finds it). */
static pid_t start_cleaner(const char *name)
{
	char old[300];

	fflush(NULL);
	pid_t child = fork();
	if (child != 0)
		return child;
	snprintf(old, sizeof old, "%s~1", name);
	for (;;) {
		region_remove(name, NULL);
		region_remove(old, NULL);
	}
}

static void end_cleaner(pid_t child)
{
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
}

void races(void)
{
	const char *name = core_name("race");
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	unsigned first = 0, dead = 0;
	bool won;

	for (unsigned i = 0; i < RACES && core_failures() == 0; i++) {
		bool over_dead = i % 4 >= 2, cleaned = i % 4 == 3;
		pid_t cleaner = 0;
		ino_t before = 0;
		if (over_dead) { /* a dead region is in the way */
			run_leaf("dead", (struct core_program){ .shm = name, .size = "256K" }, 0);
			before = inode_of(name, "");
			dead++;
		}
		if (cleaned)
			cleaner = start_cleaner(name);
		race(name, null, &won);
		end_cleaner(cleaner);
		ino_t kept = inode_of(name, "~1");
		CHECK(cleaned ? !kept || kept == before : kept == before, "not the dead region is kept");
		first += won;
		core_remove(name);
	}
	printf("%lu races (%u over a dead region): the first won %u times\n", RACES, dead, first);
	close(null);
}

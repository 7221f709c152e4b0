/* SPDX-License-Identifier: MIT */
/*
 * proftop_options: each option of each command (--help=words) beside each thing that proftop can be asked for: either what is
 * printed is another than without it, or it is refused by name. None is ignored without a word.
 *
 * The program is this one with an argument, killed: two threads, recursion, counters, open zones, names that are
 * not ASCII or begin with =, a caller that calls often and briefly, and a frame that is far longer than the
 * others.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "libprof/prof.h"

/* The program */

static int turns = 20000;

static void recur(int depth)
{
	Prof_Begin(recur)
	for (volatile int i = 0; depth >= 0 && i < turns; i++)
		;
	if (depth > 0)
		recur(depth - 1);
	Prof_End
}

static void *work(void *none)
{
	Prof_Thread("worker");
	for (int i = 0; i < 50; i++) {
		Prof_Enter(Prof_Zone("=jöb"));
		Prof_Leave();
	}
	return none;
}

static int program(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 40; i++) {
		Prof_Enter(Prof_Zone("främe"));
		turns = i == 20 ? 200000 : 20000; /* it is the worst frame, whatever the first one has to wait for */
		recur(i == 20 ? 400 : i ? i % 4 : 5);
		Prof_Enter(Prof_Zone("often"));
		Prof_Leave();
		Prof_Enter(Prof_Zone("often"));
		recur(0);
		Prof_Leave();
		Prof_Enter(Prof_Zone("=many"));
		for (int k = 0; k < 30; k++)
			recur(-1);
		for (volatile int k = 0; i == 30 && k < 100000; k++)
			; /* most of what that frame has more than others is in this zone */
		Prof_Leave();
		Prof_Enter(Prof_Zone("short")); /* shorter than the wait, whoever loses its core in one of these */
		Prof_Leave();
		Prof_Enter(Prof_Zone("as short"));
		Prof_Leave();
		Prof_Wait(rest)
		for (volatile int k = 0; k < turns; k++)
			;
		Prof_End
		Prof_Event(happened);
		Prof_Set(Prof_Counter("=cö"), i);
		Prof_Set(Prof_Counter("other"), 40 - i);
		Prof_Leave();
		Prof_update(1);
	}
	Prof_Event(happened); /* in no frame */
	Prof_Note("=sáid");
	Prof_Enter(Prof_Zone("=öpen"));
	recur(2);
	return raise(SIGKILL);
}

/* The test */

#define CHECKED "zone \"främe\" self p95<1ns, zone recur self p95<1ns"

struct thing {
	const char *words, *operands; /* %1$s: the file of the region */
	const char *in_words; /* options that are in the words already, with a blank behind each */
};

static const struct thing things[] = {
	{ "report", "%1$s", "" },
	{ "report -v hier", "%1$s", "-v " },
	{ "report -v tree", "%1$s", "-v " },
	{ "report -v flame", "%1$s", "-v --waits " }, /* its wait is narrower than a cell, wherever it stands */
	{ "report -v graph -z recur", "%1$s", "-v -z " },
	{ "report -v counters", "%1$s", "-v " },
	{ "report -v threads", "%1$s", "-v " },
	{ "report -v timeline", "%1$s", "-v " },
	{ "report -v events", "%1$s", "-v " },
	{ "report -v worst", "%1$s", "-v " },
	{ "why", "%1$s", "" },
	{ "why --over 0.0001", "%1$s", "--over " },
	{ "report -j", "%1$s", "-j " },
	{ "report -j -v graph -z recur", "%1$s", "-j -v -z " },
	{ "report -j -v counters", "%1$s", "-j -v " },
	{ "report -j -v threads", "%1$s", "-j -v " },
	{ "report -j -v timeline", "%1$s", "-j -v " },
	{ "report -j -v events", "%1$s", "-j -v " },
	{ "report -j -v worst", "%1$s", "-j -v " },
	{ "why -j", "%1$s", "-j " },
	{ "why -j --over 0.0001", "%1$s", "-j --over " },
	{ "report --csv", "%1$s", "--csv " },
	{ "report --csv -v tree", "%1$s", "--csv -v " },
	{ "report --csv -v graph -z recur", "%1$s", "--csv -v -z " },
	{ "report --csv -v counters", "%1$s", "--csv -v " },
	{ "report --csv -v threads", "%1$s", "--csv -v " },
	{ "report --csv -v events", "%1$s", "--csv -v " },
	{ "report --csv -v worst", "%1$s", "--csv -v " },
	{ "export chrome", "%1$s", "" },
	{ "export table-tree", "%1$s", "" },
	{ "export folded", "%1$s", "" },
	{ "export csv", "%1$s", "" },
	{ "stream", "%1$s", "" },
	{ "stacks", "%1$s", "" },
	{ "stacks -j", "%1$s", "-j " },
	{ "stacks --csv", "%1$s", "--csv " },
	{ "diff", "%1$s@3 %1$s@21", "" },
	{ "diff -j", "%1$s@3 %1$s@21", "-j " },
	{ "check '" CHECKED "'", "%1$s", "" },
	{ "check -j '" CHECKED "'", "%1$s", "-j " },
	{ "clean", "prof-options-none", "" },
};

static char file[64];

/* The output and the messages of a command, with its status. To be freed. */
static char *output(const struct thing *t, const char *option, int *status)
{
	const char *top = getenv("top_builddir");
	char command[1024], operands[256], *text = NULL;
	size_t size = 0;
	FILE *in, *out = open_memstream(&text, &size);

	snprintf(operands, sizeof(operands), t->operands, file);
	snprintf(command, sizeof(command), "LC_ALL=C.UTF-8 %s/proftop/proftop %s %s %s 2>&1 </dev/null", top ? top : ".", t->words,
		 option, operands);
	in = popen(command, "r");
	assert_non_null(in);
	for (int c; (c = getc(in)) != EOF;)
		putc(c, out);
	*status = pclose(in);
	fclose(out);
	assert_true(WIFEXITED(*status));
	*status = WEXITSTATUS(*status);
	return text;
}

#define OPTIONS 600

struct option {
	char command[16], name[32], letter[8], words[64]; /* as it is typed, with a value */
};

static struct option options[OPTIONS]; /* of each command */
static int option_count;

/* A line of --help=words. False: it is a command, or has nothing to do with what is printed. */
static bool read_option(char *line, struct option *o)
{
	static const char *const values[][2] = {
		{ "N", "7" },       { "THREAD", "worker" }, { "SEC", "1" },          { "ZONE", "often" },
		{ "KEY", "count" }, { "FILTER", "often" },  { "TIME", "2" },         { "FILE", "/dev/null" },
		{ "CONDITION", "'p99<1ns'" }, { "PERCENT", "50" }, { "ROWS", "1" },
		{ "SIZE", "20M" },   { "EVENT", "happened" }, { "NAME", "none" },
	};
	const char *command = strsep(&line, "\t"), *name = strsep(&line, "\t"), *letter = strsep(&line, "\t"), *argument = strsep(&line, "\t");
	const char *choices = strsep(&line, "\t"), *last = strrchr(choices, '|'), *value = last ? last + 1 : "";

	if (!*name)
		return false;
	if (!strcmp(name, "--over"))
		value = "0.0001";
	if (!strcmp(name, "--from"))
		value = "1ms";
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (!*value && !strcmp(argument, values[i][0]))
			value = values[i][1];
	if (*argument && !*value)
		fail_msg("%s: no value for its %s", name, argument);
	snprintf(o->command, sizeof(o->command), "%s", command);
	snprintf(o->name, sizeof(o->name), "%s", name);
	snprintf(o->letter, sizeof(o->letter), "%s", letter);
	snprintf(o->words, sizeof(o->words), "%s %s", name, value);
	return strcmp(name, "--help") && strcmp(name, "--version") && strcmp(name, "--name");
}

/* The option as the command of these words has it, else as another one has it. */
static const struct option *option_beside(const struct thing *t, const struct option *o)
{
	size_t length = strcspn(t->words, " ");

	for (int i = 0; i < option_count; i++)
		if (!strcmp(options[i].name, o->name) && strlen(options[i].command) == length &&
		    !memcmp(options[i].command, t->words, length))
			return &options[i];
	return o;
}

static bool is_first_of_name(const struct option *o)
{
	const struct option *first = options;

	while (strcmp(first->name, o->name) != 0)
		first++;
	return first == o;
}

static bool has_word(const char *words, const char *word)
{
	char blank[40];

	snprintf(blank, sizeof(blank), "%s ", word);
	return *word && strstr(words, blank);
}

/* Options that matter only if the region is another user's or is not there. */
static bool may_change_nothing(const struct option *o)
{
	return !strcmp(o->name, "--any-user") || !strcmp(o->name, "--wait") || !strcmp(o->name, "--yes");
}

static unsigned wrong;

static void try(const struct thing *t, const struct option *o, const char *without)
{
	int status;
	char *text = output(t, o->words, &status);
	bool named = strstr(text, o->name) || (*o->letter && strstr(text, o->letter));

	if (status == 2 && !named)
		print_error("proftop %s %s is refused, and it is not named: %s", t->words, o->words, text);
	else if (status != 2 && !strcmp(text, without) && !may_change_nothing(o))
		print_error("proftop %s %s: the option is ignored\n", t->words, o->words);
	else
		wrong--;
	wrong++;
	free(text);
}

#define THINGS (sizeof(things) / sizeof(*things))

static void no_option_is_ignored(void **state)
{
	const struct thing list = { "--help=words", "", "" };
	int status, tried = 0;
	char *words = output(&list, "", &status), *rest = words, *line, *without[THINGS];

	(void)state;
	assert_int_equal(status, 0);
	for (size_t i = 0; i < THINGS; i++) {
		without[i] = output(&things[i], "", &status);
		assert_int_not_equal(status, 2);
	}
	while ((line = strsep(&rest, "\n")) && *line && option_count < OPTIONS)
		option_count += read_option(line, &options[option_count]);
	for (int k = 0; k < option_count; k++)
		for (size_t i = 0; is_first_of_name(&options[k]) && i < THINGS; i++) {
			const struct option *o = option_beside(&things[i], &options[k]);

			if (!has_word(things[i].in_words, o->name) && !has_word(things[i].in_words, o->letter)) {
				try(&things[i], o, without[i]);
				tried++;
			}
		}
	for (size_t i = 0; i < THINGS; i++)
		free(without[i]);
	free(words);
	print_message("%d pairs tried, %u wrong\n", tried, wrong);
	assert_true(tried > 700);
	assert_int_equal(wrong, 0);
}

/* The rate of ticks is measured anew in each run, unless the region is of another boot. */
static void forget_boot(char *bytes, size_t size)
{
	char id[64] = "", *at;
	FILE *in = fopen("/proc/sys/kernel/random/boot_id", "re");

	assert_non_null(in);
	assert_int_equal(fscanf(in, "%63s", id), 1);
	fclose(in);
	at = memmem(bytes, size, id, strlen(id));
	assert_non_null(at);
	memset(at, '0', 8);
}

static int make_region(void **state)
{
	char name[40], path[80], *bytes = NULL;
	size_t size = 0;
	int status;
	FILE *f, *all = open_memstream(&bytes, &size);
	pid_t child;

	(void)state;
	snprintf(name, sizeof(name), "prof-options-%ld", (long)getpid());
	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	snprintf(file, sizeof(file), "./%s.region", name);
	child = fork();
	if (!child) {
		setenv("PROF_SHM", name, 1);
		setenv("PROF_SHM_SIZE", "1M", 1);
		execl("/proc/self/exe", "proftop_options", "program", (char *)NULL);
		_exit(127);
	}
	if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || !(f = fopen(path, "re")))
		return 1;
	for (int c; (c = getc(f)) != EOF;)
		putc(c, all);
	fclose(f);
	fclose(all);
	unlink(path);
	forget_boot(bytes, size);
	f = fopen(file, "we");
	status = !f || fwrite(bytes, 1, size, f) != size || fclose(f);
	free(bytes);
	return status;
}

static int remove_region(void **state)
{
	(void)state;
	return unlink(file);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_option_is_ignored),
	};

	(void)argv;
	if (argc > 1)
		return program();
	return cmocka_run_group_tests(tests, make_region, remove_region);
}

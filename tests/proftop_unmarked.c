/* SPDX-License-Identifier: MIT */
/*
 * proftop_unmarked: proftop beside a program without frame marks: what it shows in the first second, what
 * stream says until there is a mark and from then on, and what is left of it when it is killed.
 *
 * The program is this one with an argument: a zone after the other, and frames when it is told to.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>

#include "libprof/prof.h"
#include "tests/proftop_run.h"

#define MARKS 3

/* The program */

static bool is_told(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char byte;

	return poll(&in, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) == 1;
}

static void toil(void)
{
	Prof_Begin(toil)
	for (volatile int i = 0; i < 100000; i = i + 1)
		;
	Prof_End
}

static void doze(void)
{
	const struct timespec time = { .tv_nsec = 500000 };

	Prof_Begin(doze)
	nanosleep(&time, NULL);
	Prof_End
}

static int program(void)
{
	for (uint64_t i = 0; i < UINT64_MAX; i++) {
		toil();
		doze();
		if (i == 2)
			Prof_Note("the last words of %s", "it");
		if (is_told())
			for (int marks = 0; marks < MARKS; marks++) {
				doze();
				Prof_update(1);
			}
	}
	return 0;
}

/* The test */

struct run {
	pid_t pid;
	int commands;
	char name[64];
};

static void start(struct run *r, const char *tag)
{
	int ends[2];
	char path[128];

	snprintf(r->name, sizeof(r->name), "prof-unmarked-%s-%d", tag, (int)getpid());
	snprintf(path, sizeof(path), "/dev/shm/%s", r->name);
	assert_int_equal(pipe(ends), 0);
	r->pid = fork();
	if (!r->pid) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		setenv("PROF_SHM", r->name, 1);
		execl("/proc/self/exe", "proftop_unmarked", "program", (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	r->commands = ends[1];
	for (int i = 0; i < 1000 && access(path, R_OK); i++)
		doze();
	for (int i = 0; i < 100; i++)
		doze(); /* it is about */
}

static void finish(struct run *r)
{
	char path[128];

	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->commands);
	snprintf(path, sizeof(path), "/dev/shm/%s", r->name);
	unlink(path);
}

static FILE *proftop_to(const char *errors, const char *options, const struct run *r)
{
	const char *top = getenv("top_builddir");
	char command[512];
	FILE *out;

	snprintf(command, sizeof(command), "%s/proftop/proftop %s %s 2>%s", top ? top : ".", options, r->name, errors);
	out = popen(command, "r");
	assert_non_null(out);
	return out;
}

static FILE *proftop(const char *options, const struct run *r)
{
	return proftop_to("/dev/null", options, r);
}

static char *all_of(const char *options, const struct run *r)
{
	static char text[1 << 20];
	FILE *out = proftop(options, r);
	size_t size = fread(text, 1, sizeof(text) - 1, out);

	text[size] = '\0';
	assert_int_equal(pclose(out), 0);
	return text;
}

/* A row of a zone with its self time, and behind it its calls. */
static bool has_numbers(struct screen *s, void *zone)
{
	const char *row = strstr(screen_text(s), zone);
	double self, hier, count;

	return row && sscanf(row + strlen(zone), "%lf %lf %lf", &self, &hier, &count) == 3 && self > 0 && count > 0;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void numbers_within_a_second(void **state)
{
	struct proftop p = { 0 };
	struct screen *s;
	struct run r;
	double since;

	(void)state;
	start(&r, "screen");
	p.arguments[0] = r.name;
	s = proftop_start(&p);
	screen_until(s, "LIVE"); /* it is attached */
	since = now_s();
	screen_until_true(s, has_numbers, " toil");
	screen_until_true(s, has_numbers, " doze");
	assert_true(now_s() - since < 1);
	screen_until(s, "frames by proftop");
	screen_until_true(s, has_numbers, " toil");
	proftop_leave(s);
	finish(&r);
}

/* Frames that proftop made up to the first mark, and then those of the program, behind a new first line. */
static void a_stream_begins_anew(void **state)
{
	unsigned guessed = 0, real = 0, first_lines = 0, expected = 0;
	static char line[1 << 16];
	struct run r;
	FILE *out;

	(void)state;
	start(&r, "stream");
	out = proftop("stream -n 1000", &r);
	while (real < MARKS && fgets(line, sizeof(line), out)) {
		bool is_guessed = strstr(line, "\"guessed\"");
		unsigned number;

		if (strstr(line, "{\"stream\"")) {
			first_lines++;
			expected = 0;
			assert_int_equal(!!strstr(line, "\"anew\":true"), first_lines == 2);
			continue;
		}
		assert_int_equal(sscanf(line, "{\"frame\":%u", &number), 1);
		assert_int_equal(number, ++expected);
		assert_int_equal(is_guessed, first_lines == 1);
		guessed += is_guessed;
		real += !is_guessed;
		if (guessed == 3 && is_guessed) {
			assert_non_null(strstr(line, "\"zone\":\"toil\""));
			assert_int_equal(write(r.commands, "m", 1), 1);
		}
	}
	assert_true(guessed >= 3);
	assert_int_equal(real, MARKS);
	kill(r.pid, SIGKILL);
	assert_non_null(fgets(line, sizeof(line), out));
	assert_non_null(strstr(line, "{\"end\":\"died\",\"last_frame\":3,\"frames\":3,"));
	assert_int_equal(pclose(out), 0);
	finish(&r);
}

/* It is in no frame, as there is none, and the process had no time to say more. */
static void what_it_said_before_it_was_killed(void **state)
{
	struct run r;
	char *text;

	(void)state;
	start(&r, "killed");
	kill(r.pid, SIGKILL);
	waitpid(r.pid, NULL, 0);
	text = strstr(all_of("report", &r), "outside frames:\n");
	assert_non_null(text);
	assert_non_null(strstr(text, " note  the last words of it\n"));
	text = strstr(all_of("report -j", &r), "\"outside\":{\"events\":[],\"notes\":[{\"text\":\"the last words of it\",");
	assert_non_null(text);
	text = strstr(all_of("stream", &r), "{\"end\":\"died\"");
	assert_non_null(text);
	assert_non_null(strstr(text, "\"outside\":{\"events\":[],\"notes\":[{\"text\":\"the last words of it\","));
	finish(&r);
}

#define UNMARKED "the program has marked none (Prof_update does; a batch program can be started with PROF_FRAME_MS=20)\n"

/* It is said what there is to be done, and its frames are taken when they come. */
static void who_waits_for_frames_is_told(void **state)
{
	static const char *const waiting[] = { "check 'max<999s' -n 2", "why --over 0.000001" };
	char line[512] = "";
	struct run r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		FILE *out;

		start(&r, "waited");
		out = proftop_to("&1", waiting[i], &r);
		assert_non_null(fgets(line, sizeof(line), out));
		assert_string_equal(line, "proftop: waiting for frames: " UNMARKED);
		assert_int_equal(write(r.commands, "m", 1), 1);
		assert_non_null(fgets(line, sizeof(line), out));
		assert_int_equal(strncmp(line, "proftop: ", 9) != 0, 1);
		while (fgets(line, sizeof(line), out))
			;
		assert_int_equal(pclose(out), 0);
		finish(&r);
	}
}

/* Also who runs the program. */
static void who_checks_a_run_is_told(void **state)
{
	struct run r = { .name = "-- timeout 4 /proc/$PPID/exe program" };
	char line[512] = "";
	FILE *out;

	(void)state;
	if (getenv("EMULATED")) /* tests/aarch64: that program is the emulator */
		skip();
	out = proftop_to("&1", "check 'max<999s'", &r);
	assert_non_null(fgets(line, sizeof(line), out));
	assert_string_equal(line, "proftop: waiting for frames: " UNMARKED);
	assert_non_null(fgets(line, sizeof(line), out));
	assert_string_equal(line, "proftop: no frames to check: " UNMARKED);
	assert_int_equal(WEXITSTATUS(pclose(out)), 124);
}

/* Nor is there a frame to tell of. */
static void of_no_frame_there_is_no_why(void **state)
{
	struct run r;
	char line[512] = "";
	FILE *out;

	(void)state;
	start(&r, "why");
	out = proftop_to("&1", "why", &r);
	assert_non_null(fgets(line, sizeof(line), out));
	assert_string_equal(line, "proftop: no frames: " UNMARKED);
	assert_int_equal(WEXITSTATUS(pclose(out)), 1);
	finish(&r);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_within_a_second),
		cmocka_unit_test(a_stream_begins_anew),
		cmocka_unit_test(what_it_said_before_it_was_killed),
		cmocka_unit_test(who_waits_for_frames_is_told),
		cmocka_unit_test(who_checks_a_run_is_told),
		cmocka_unit_test(of_no_frame_there_is_no_why),
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests_name("proftop: programs without frames", tests, NULL, NULL);
}

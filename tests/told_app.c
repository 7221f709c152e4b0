/* SPDX-License-Identifier: MIT */
/*
 * told_app: a profiled program that does as it is told, and readers of it.
 */
#include "tests/told_app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/region/live.h"
#include "libprof/prof.h"

#define STATUS 7

/* The program */

static void *guest(void *unused)
{
	Prof_Begin(guest)
	Prof_Counter_Add(guests, 1);
	Prof_End
	return unused;
}

static void frame(uint64_t number)
{
	pthread_t thread;

	Prof_Begin(frame)
	Prof_Begin(work)
	Prof_Counter_Add(frames_done, 1);
	Prof_End
	if (number % 100 == 99 && pthread_create(&thread, NULL, guest, NULL) == 0)
		pthread_join(thread, NULL);
	Prof_End
	Prof_update(1);
}

int told_main(void)
{
	uint64_t wanted, done = 0;

	Prof_Begin(started) /* a region for who waits for it */
	Prof_End
	for (printf("0\n"), fflush(stdout); scanf("%" SCNu64, &wanted) == 1; fflush(stdout)) {
		for (uint64_t i = 0; i < wanted; i++)
			frame(done++);
		printf("%" PRIu64 "\n", done);
	}
	return STATUS;
}

/* Told what to do */

#define REGIONS 8
static char regions[REGIONS][64]; /* that there ever were, for who cleans up behind a failure */
static int region_count;

static void be_told(const struct told_app *app, const char *size, int from, int to)
{
	setenv("PROF_SHM", app->region, 1);
	setenv("PROF_SHM_SIZE", size, 1);
	setenv("PROF_KEEP", "1", 1);
	dup2(from, STDIN_FILENO);
	dup2(to, STDOUT_FILENO);
	execl("/proc/self/exe", "told_app", "told", (char *)NULL);
	_exit(127);
}

static void take_answer(struct told_app *app)
{
	assert_int_equal(fscanf(app->answers, "%" SCNu64, &app->frames), 1);
}

void told_begin(struct told_app *app, const char *tag, const char *size)
{
	int ask[2], answer[2];

	*app = (struct told_app){ .frames = 0 };
	snprintf(app->region, sizeof(app->region), "prof-%s-%ld", tag, (long)getpid());
	assert_true(region_count < REGIONS);
	snprintf(regions[region_count++], sizeof(regions[0]), "%s", app->region);
	assert_int_equal(pipe2(ask, O_CLOEXEC), 0);
	assert_int_equal(pipe2(answer, O_CLOEXEC), 0);
	app->pid = fork();
	assert_true(app->pid >= 0);
	if (app->pid == 0)
		be_told(app, size, ask[0], answer[1]);
	close(ask[0]);
	close(answer[1]);
	app->ask = fdopen(ask[1], "w");
	app->answers = fdopen(answer[0], "r");
	assert_true(app->ask && app->answers);
	take_answer(app);
}

void told_frames(struct told_app *app, uint64_t frames)
{
	uint64_t before = app->frames;

	fprintf(app->ask, "%" PRIu64 "\n", frames);
	fflush(app->ask);
	take_answer(app);
	assert_int_equal(app->frames, before + frames);
}

static void remove_region(const char *region)
{
	char path[600];

	snprintf(path, sizeof(path), "/dev/shm/%s", region);
	unlink(path);
}

int told_remove_all(void **state)
{
	(void)state;
	for (int i = 0; i < region_count; i++)
		remove_region(regions[i]);
	return 0;
}

/* Entries of a zone in the whole run, of all threads. */
static int64_t entries_of(const struct profile *p, const char *zone)
{
	int64_t count = 0;

	for (uint32_t n = 0; n < p->node_count; n++)
		if (!strcmp(p->zones[p->nodes[n].zone].name, zone))
			count += p->totals[n].count;
	return count;
}

static int64_t sum_of(const struct profile *p, const char *counter)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < p->track_count; i++)
		if (!strcmp(p->counters[p->tracks[i].counter].name, counter))
			sum += p->tracks[i].now.last.whole;
	return sum;
}

static void expect_all_told(const struct told_app *app)
{
	enum open_result result;
	char why[512] = "";
	struct source *s = live_open(app->region, 0, &result, why, sizeof(why));

	if (!s)
		fail_msg("%s", why);
	assert_int_equal(source_next(s), SOURCE_END);
	assert_int_equal(s->profile->process.state, PROFILE_ENDED);
	assert_int_equal(s->profile->frames_ended, app->frames);
	assert_int_equal(entries_of(s->profile, "frame"), app->frames);
	assert_int_equal(entries_of(s->profile, "work"), app->frames);
	assert_int_equal(entries_of(s->profile, "Prof_update"), app->frames);
	assert_int_equal(entries_of(s->profile, "guest"), app->frames / 100);
	assert_int_equal(sum_of(s->profile, "frames_done"), app->frames);
	assert_int_equal(sum_of(s->profile, "guests"), app->frames / 100);
	source_close(s);
}

void told_end(struct told_app *app)
{
	int status;

	fclose(app->ask);
	assert_int_equal(waitpid(app->pid, &status, 0), app->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), STATUS);
	fclose(app->answers);
	expect_all_told(app);
	remove_region(app->region);
}

/* What a process holds */

static uint64_t lines_of(const char *path)
{
	FILE *file = fopen(path, "r");
	uint64_t lines = 0;

	for (int c; file && (c = getc(file)) != EOF;)
		lines += c == '\n';
	if (file)
		fclose(file);
	return lines;
}

static uint64_t private_kib(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];
	uint64_t kib = 0, one;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Anonymous: %" SCNu64, &one) == 1)
			kib += one;
	if (file)
		fclose(file);
	return kib;
}

struct held held_by(pid_t pid)
{
	struct held held;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%ld/smaps", (long)pid);
	held.private_kib = private_kib(path);
	snprintf(path, sizeof(path), "/proc/%ld/maps", (long)pid);
	held.mappings = lines_of(path);
	snprintf(path, sizeof(path), "/proc/%ld/fd", (long)pid);
	held.descriptors = 0;
	folder = opendir(path);
	while (folder && readdir(folder))
		held.descriptors++;
	if (folder)
		closedir(folder);
	return held;
}

/* Readers */

void stream_reader_begin(struct stream_reader *r, const char *region)
{
	const char *top = getenv("top_builddir");
	char file[1024];
	int out[2];

	snprintf(file, sizeof(file), "%s/proftop/proftop", top ? top : ".");
	*r = (struct stream_reader){ .pid = -1 };
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	r->pid = fork();
	assert_true(r->pid >= 0);
	if (r->pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		execl(file, file, "stream", region, (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	r->fd = out[0];
}

/* Only the beginning of a line is kept, until the next one has come. */
static void take_bytes(struct stream_reader *r, const char *bytes, ssize_t count)
{
	for (ssize_t i = 0; i < count; i++) {
		if (r->used && r->last[r->used - 1] == '\n')
			r->used = 0;
		if (r->used < sizeof(r->last) - 2 || bytes[i] == '\n')
			r->last[r->used++] = bytes[i];
		r->last[r->used] = '\0';
		r->lines += bytes[i] == '\n';
	}
}

static void take_some(struct stream_reader *r)
{
	static char bytes[65536];
	ssize_t count = read(r->fd, bytes, sizeof(bytes));

	if (count > 0)
		take_bytes(r, bytes, count);
	else
		r->over = true;
}

void stream_reader_drain(struct stream_reader *r)
{
	struct pollfd from = { .fd = r->fd, .events = POLLIN };

	while (!r->over && poll(&from, 1, 0) > 0)
		take_some(r);
}

void stream_reader_until(struct stream_reader *r, uint64_t lines)
{
	while (!r->over && r->lines < lines)
		take_some(r);
}

void stream_reader_kill(struct stream_reader *r)
{
	int status;

	kill(r->pid, SIGKILL);
	waitpid(r->pid, &status, 0);
	close(r->fd);
}

uint64_t json_number_in(const char *line, const char *name)
{
	char key[64];
	const char *at;
	uint64_t number = 0;

	snprintf(key, sizeof(key), "\"%s\":", name);
	at = strstr(line, key);
	if (!at || sscanf(at + strlen(key), "%" SCNu64, &number) != 1)
		fail_msg("no '%s' in %s", name, line);
	return number;
}

uint64_t stream_reader_end(struct stream_reader *r, const struct told_app *app)
{
	uint64_t frames, skipped, first;
	int status;

	while (!r->over)
		take_some(r);
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	assert_int_equal(status, 0);
	close(r->fd);
	assert_non_null(strstr(r->last, "\"end\":\"ended\""));
	frames = json_number_in(r->last, "frames");
	skipped = json_number_in(r->last, "skipped");
	assert_int_equal(json_number_in(r->last, "last_frame"), app->frames);
	assert_int_equal(frames + 2, r->lines); /* and a line before them and behind them */
	first = app->frames + 1 - frames - skipped;
	assert_true(first >= 1 && first <= app->frames + 1);
	return skipped;
}

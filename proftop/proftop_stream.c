/* SPDX-License-Identifier: MIT */
/*
 * proftop_stream: --stream: frames go to stdout as they come, a line each.
 *
 * Of a living process these are the frames behind the moment of attaching; of one that is over, and of
 * the program behind --, all that there are. As long as a program marks none, they are made here.
 *
 * A line is flushed before the next is begun. A reader that is
 * slow holds the stream up and the process not: what is overwritten meanwhile is skipped, and said.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/export_stream.h"
#include "tui/batch.h"
#include "tui/output.h"
#include "tui/proftop.h"
#include "tui/say.h"
#include "tui/threads.h"

#define LOOK_MS 20 /* between two looks at the process */

struct streaming {
	const struct options *o;
	struct source *source;
	struct launch *launch; /* NULL: the process is not ours */
	struct stream *stream;
	bool of_all;       /* no threads are chosen */
	bool closed;       /* nobody reads */
	int error;         /* why it cannot be written otherwise; 0: it can */
};

/* Signals: the line that is being written is finished. Where that does not help, the second one ends. */

static volatile sig_atomic_t caught;

static void catch(int sig)
{
	caught = sig;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = catch, .sa_flags = SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Waiting */

static bool is_closed(int timeout_ms)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, timeout_ms) > 0 && out.revents & (POLLERR | POLLNVAL);
}

/* False: nobody waits for what comes next. */
static bool rest(struct streaming *s)
{
	if (s->launch)
		launch_rest(s->launch, LOOK_MS);
	s->closed = is_closed(s->launch ? 0 : LOOK_MS);
	return !s->closed && !caught;
}

/* Writing */

static bool put(struct streaming *s, bool written)
{
	bool flushed = fflush(stdout) == 0;

	if (written && flushed)
		return true;
	s->closed = errno == EPIPE;
	s->error = s->closed ? 0 : errno ? errno : ENOMEM;
	return false;
}

/* Threads may come later than the first frame, those of a name too. */
static void find_threads(struct streaming *s)
{
	uint32_t threads;

	if (s->of_all)
		return;
	threads = profile_parse_threads(s->source->profile, s->o->thread);
	stream_threads(s->stream, threads == PROFILE_NONE ? THREADS_MOST : threads);
}

static bool is_enough(const struct streaming *s)
{
	return s->o->frames && stream_count(s->stream) >= (uint64_t)s->o->frames;
}

/* What has come. False: there is nobody to write to. */
static bool put_frames(struct streaming *s)
{
	find_threads(s);
	if (!stream_update(s->stream))
		return put(s, false);
	while (!is_enough(s) && !caught && stream_has(s->stream))
		if (!put(s, stream_frame(s->stream, stdout)))
			return false;
	return true;
}

/* What was written is not needed any more. The newest frame is what the next ones are put behind. */
static void forget_frames(struct streaming *s)
{
	struct profile *p = s->source->profile;

	if (!stream_has(s->stream) && p->frame_count > 1)
		profile_drop_frames(p, p->frame_count - 1);
}

static bool is_last(enum source_result result)
{
	return result == SOURCE_END || result == SOURCE_GONE;
}

/* The first frame that is meant. */
static uint64_t first_frame(const struct streaming *s, enum source_result result)
{
	const struct profile *p = s->source->profile;
	long count;
	uint32_t first;

	if (s->launch || (is_last(result) && !s->o->frames))
		return 1;
	if (is_last(result)) {
		first = batch_last_frames(p, s->o->frames, &count);
		return first < p->frame_count ? p->frames[first].number : p->frames_ended + 1;
	}
	return p->frame_count ? p->frames[p->frame_count - 1].number + 1 : p->frames_ended + 1;
}

static const char *how_it_ended(const struct streaming *s)
{
	if (is_enough(s))
		return "enough";
	if (caught)
		return "interrupted";
	return s->source->profile->process.state == PROFILE_DEAD ? "died" : "ended";
}

static void say_few(const struct streaming *s)
{
	unsigned long long count = stream_count(s->stream);

	if (s->o->frames && !is_enough(s) && !caught)
		say("only %llu of %ld frames: the program has ended", count, s->o->frames);
}

static void put_end(struct streaming *s, bool last)
{
	put(s, stream_end(s->stream, how_it_ended(s), last && !is_enough(s) && !caught, stdout));
	say_few(s);
}

static bool begin(struct streaming *s, bool anew)
{
	struct stream_options options = { .spread = s->o->spread, .filter = s->o->filter, .anew = anew };
	char why[WHY_SIZE];

	s->of_all = !s->o->thread || !strcmp(s->o->thread, "all") || !strcmp(s->o->thread, "each");
	s->stream = stream_new(s->source->profile, &options, why, sizeof(why));
	if (!s->stream)
		say("%s", why);
	return s->stream;
}

/* The program has set its first mark: its own frames follow, behind a first line of their own. False: it
 * cannot be. */
static bool begin_anew(struct streaming *s, enum source_result *result)
{
	stream_free(s->stream);
	s->stream = NULL;
	snprintf(s->source->why, sizeof(s->source->why), "out of memory");
	*result = source_reset(s->source) ? source_next(s->source) : SOURCE_BAD;
	if (*result != SOURCE_BAD && !begin(s, true))
		*result = SOURCE_BAD;
	return *result != SOURCE_BAD && put(s, stream_header(s->stream, 1, stdout));
}

/* From the first look, which has been taken, to the last frame: what is overwritten from then on is lost to it. */
static int stream_all(struct streaming *s, enum source_result result)
{
	bool going = result != SOURCE_BAD &&
		     put(s, stream_header(s->stream, first_frame(s, result), stdout));

	while (going) {
		going = put_frames(s) && !is_enough(s) && !caught && !is_last(result);
		forget_frames(s);
		if (!going || (result != SOURCE_LOST && !rest(s)))
			break;
		result = source_next(s->source);
		going = result == SOURCE_ANEW ? begin_anew(s, &result) : result != SOURCE_BAD;
	}
	if (result == SOURCE_BAD) {
		say("%s", s->source->why);
		return EXIT_NOT_OURS;
	}
	if (!s->closed && !s->error)
		put_end(s, is_last(result));
	return s->error && !caught ? output_failed(s->error) : EXIT_DONE;
}

static int stream_source(struct streaming *s, enum source_result first_look)
{
	int status = begin(s, false) ? stream_all(s, first_look) : EXIT_FAILED;

	stream_free(s->stream);
	return status;
}

int stream_report(const struct options *o)
{
	struct streaming s = { .o = o };
	enum source_result result;
	uint32_t thread;
	int status = EXIT_DONE;

	s.source = batch_open(o, LIVE_OFTEN | LIVE_OWN_FRAMES, &status);
	if (!s.source)
		return status;
	catch_signals();
	result = source_next(s.source);
	if (result != SOURCE_BAD && !threads_choose(s.source->profile, o->thread, &thread))
		status = EXIT_FAILED;
	else
		status = stream_source(&s, result);
	source_close(s.source);
	return caught && !status ? 128 + caught : status;
}

/* The program behind `--` */

struct source *open_launched(struct launch *l, const char *program, unsigned flags, int *status)
{
	enum live_result result;
	char why[WHY_SIZE];
	bool ended;
	struct source *source;

	do {
		ended = launch_rest(l, LOOK_MS);
		source = live_open(l->region, flags, &result, why, sizeof(why));
	} while (!source && result == LIVE_ABSENT && !ended);
	if (source)
		return source;
	*status = status_of(result);
	if (result == LIVE_ABSENT)
		say(LEFT_NO_REGION, program);
	else
		say("%s", why);
	return NULL;
}

int stream_run(const struct options *o, struct launch *l)
{
	struct streaming s = { .o = o, .launch = l };
	int status = EXIT_DONE;

	signal(SIGPIPE, SIG_IGN);
	s.source = open_launched(l, o->app[0], LIVE_OFTEN | LIVE_OWN_FRAMES, &status);
	if (s.source)
		status = stream_source(&s, source_next(s.source));
	source_close(s.source);
	launch_wait(l);
	return status;
}

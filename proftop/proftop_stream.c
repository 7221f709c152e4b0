/* SPDX-License-Identifier: MIT */
/*
 * proftop_stream: the command stream: frames go to stdout as they come, a line each.
 *
 * For a live process, these are the frames after the moment of attaching; for one that is over, and for the
 * program behind --, all that there are. As long as a program marks none, they are made here.
 *
 * A line is flushed before the next is begun. A reader that is
 * slow holds the stream up and the process not: what is overwritten meanwhile is skipped, and said.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/export/export_stream.h"
#include "proftop/batch.h"
#include "proftop/choose.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_reading.h"
#include "proftop/stop.h"

struct streaming {
	const struct options *o;
	struct reading reading;
	struct stream *stream;
	bool of_all;       /* no threads are chosen */
	bool closed;       /* nobody reads */
	int error;         /* why it cannot be written otherwise; 0: it can */
};

/* Waiting */

static bool is_closed(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) > 0 && out.revents & (POLLERR | POLLNVAL);
}

/* False: nobody waits for what comes next. */
static bool rest_or_stop(struct streaming *s)
{
	reading_rest(&s->reading);
	s->closed = is_closed();
	return !s->closed && !stop_asked();
}

/* Writing */

static bool put_written(struct streaming *s, bool written)
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
	threads = profile_parse_threads(s->reading.source->profile, s->o->thread);
	stream_threads(s->stream, threads == PROFILE_NONE ? THREADS_MOST : threads);
}

static bool is_enough(const struct streaming *s)
{
	return s->o->frames && stream_count(s->stream) >= (uint64_t)s->o->frames;
}

/* Writes the frames that have come. False: nobody reads them. */
static bool put_frames(struct streaming *s)
{
	find_threads(s);
	if (!stream_update(s->stream))
		return put_written(s, false);
	while (!is_enough(s) && !stop_asked() && stream_has(s->stream))
		if (!put_written(s, stream_frame(s->stream, stdout)))
			return false;
	return true;
}

/* Frees the frames that were written. */
static void forget_frames(struct streaming *s)
{
	if (!stream_has(s->stream))
		reading_forget(&s->reading);
}

/* The first frame that is meant. Of a live program, the next behind those that were read; where only such are known
 * that were kept, others have ended since. */
static uint64_t first_frame(const struct streaming *s)
{
	const struct profile *p = s->reading.source->profile;
	bool is_over = source_is_over(s->reading.result);
	uint32_t first;

	if (s->reading.launch || (is_over && !s->o->frames))
		return 1;
	if (is_over) {
		profile_newest_frames(p, (uint64_t)s->o->frames, true, &first);
		return first < p->frame_count ? p->frames[first].number : p->frames_ended + 1;
	}
	if (p->frame_count && !(p->frames[p->frame_count - 1].flags & FRAME_KEPT))
		return p->frames[p->frame_count - 1].number + 1;
	return p->frames_ended + 1;
}

static const char *how_it_ended(const struct streaming *s)
{
	if (is_enough(s))
		return "enough";
	if (stop_asked())
		return "interrupted";
	return s->reading.source->profile->process.state == PROFILE_DEAD ? "died" : "ended";
}

static void say_few(const struct streaming *s)
{
	unsigned long long count = stream_count(s->stream);

	if (s->o->frames && !is_enough(s) && !stop_asked())
		say("only %llu of %ld frames: the program has ended", count, s->o->frames);
}

static void put_end(struct streaming *s, bool last)
{
	put_written(s, stream_end(s->stream, how_it_ended(s), last && !is_enough(s) && !stop_asked(), stdout));
	say_few(s);
}

static bool begin_stream(struct streaming *s, bool anew)
{
	struct stream_options options = { .spread = s->o->spread, .filter = s->o->filter, .anew = anew,
					.no_events = s->o->no_events };
	char why[WHY_SIZE];

	s->of_all = !s->o->thread || !strcmp(s->o->thread, "all") || !strcmp(s->o->thread, "each");
	s->stream = stream_new(s->reading.source->profile, &options, why, sizeof(why));
	if (!s->stream)
		say("%s", why);
	return s->stream;
}

static void let_go(void *context)
{
	struct streaming *s = context;

	stream_free(s->stream);
	s->stream = NULL;
}

/* The program has set its first mark: its own frames follow, behind a first line of their own. */
static bool begin_anew(struct streaming *s)
{
	return begin_stream(s, true) && put_written(s, stream_header(s->stream, 1, stdout));
}

/* From the first look, which has been taken, to the last frame: what is overwritten from then on is lost to it. */
static int stream_all(struct streaming *s)
{
	struct reading *r = &s->reading;
	bool going = put_written(s, stream_header(s->stream, first_frame(s), stdout));

	while (going) {
		going = put_frames(s) && !is_enough(s) && !stop_asked() && !reading_is_over(r);
		forget_frames(s);
		if (!going || !rest_or_stop(s))
			break;
		reading_look(r);
		going = r->result != SOURCE_BAD && (!r->anew || begin_anew(s));
	}
	if (r->result == SOURCE_BAD)
		return reading_status(r);
	if (!s->stream)
		return EXIT_FAILED;
	if (!s->closed && !s->error)
		put_end(s, source_is_over(r->result));
	return s->error && !stop_asked() ? output_failed(s->error) : EXIT_DONE;
}

static int stream_source(struct streaming *s)
{
	uint32_t thread;
	int status = EXIT_FAILED;

	reading_look(&s->reading);
	if (s->reading.result == SOURCE_BAD)
		return reading_status(&s->reading);
	if (!s->reading.launch)
		stop_on_signals();
	if (!s->reading.launch && !threads_choose(s->reading.source->profile, s->o->thread, &thread))
		return EXIT_FAILED;
	if (begin_stream(s, false))
		status = stream_all(s);
	stream_free(s->stream);
	return status;
}

int stream_report(const struct options *o, struct launch *l)
{
	struct streaming s = { .o = o, .reading = { .launch = l, .leaving = let_go, .context = &s } };
	int status;

	if (!reading_open(&s.reading, o, LIVE_OFTEN | LIVE_OWN_FRAMES, &status))
		return status;
	status = stream_source(&s);
	reading_close(&s.reading);
	return stop_asked() && !status ? 128 + stop_asked() : status;
}

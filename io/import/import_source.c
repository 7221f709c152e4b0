/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/import/import_inside.h"
#include "io/recording/player.h"

struct trace_source {
	struct source source;
	int fd; /* -1: it was read */
	struct transitions *calls; /* NULL: it is in `played`, or was not read */
	struct source *played;     /* what did not fit into memory; its profile is the source's */
	struct source_file file;
	struct import_options options;
	char *name, *frame_event, *frame_zone;
	struct import_result result;
};

static bool is_wanted(void *context, enum import_step step, uint64_t done, uint64_t total)
{
	struct trace_source *x = context;
	const struct import_options *o = &x->options;

	return (!o->progress || o->progress(o->context, step, done, total)) &&
	       !atomic_load_explicit(&x->source.stop, memory_order_relaxed);
}

static bool play_spool(struct trace_source *x, int fd)
{
	if (lseek(fd, 0, SEEK_SET) == 0) {
		x->played = player_open(fd, x->name, x->result.why, sizeof(x->result.why));
		return x->played;
	}
	snprintf(x->result.why, sizeof(x->result.why), "its converted form cannot be read: %s", strerror(errno));
	close(fd);
	return false;
}

static bool read_trace(struct trace_source *x)
{
	struct import_output out = { .spool = -1 };
	struct import_options o = x->options;
	bool done;

	o.source = x->name;
	o.frame_event = x->frame_event;
	o.frame_zone = x->frame_zone;
	o.progress = is_wanted;
	o.context = x;
	done = import_convert(x->fd, &o, &out, &x->result);
	close(x->fd);
	x->fd = -1;
	if (done && out.spool >= 0)
		done = play_spool(x, out.spool);
	if (!done) {
		snprintf(x->source.why, sizeof(x->source.why), "%.96s: %.220s",
			 strcmp(x->name, "-") ? x->name : "standard input", x->result.why);
		return false;
	}
	profile_free(x->source.profile);
	x->source.profile = x->played ? x->played->profile : out.profile;
	x->calls = out.calls;
	return true;
}

static bool is_read(const struct trace_source *x)
{
	return x->calls || x->played;
}

static enum source_result trace_source_next(struct source *s)
{
	struct trace_source *x = (struct trace_source *)s;
	enum source_result result;

	if (!is_read(x) && (x->fd < 0 || !read_trace(x)))
		return SOURCE_BAD;
	if (!x->played)
		return SOURCE_END;
	result = source_next(x->played);
	snprintf(s->why, sizeof(s->why), "%s", x->played->why);
	return result;
}

/* All of it is there, and nothing more comes. */
static bool trace_source_reset(struct source *s)
{
	struct trace_source *x = (struct trace_source *)s;

	if (!x->played)
		return true;
	if (!source_reset(x->played))
		return false;
	s->profile = x->played->profile;
	return true;
}

static bool add_list(struct transitions *to, const struct transition_list *from)
{
	struct transition_list *list = transitions_of(to, from->id, from->thread);

	if (!list || !transitions_reserve(list, from->count))
		return false;
	for (uint32_t i = 0; i < from->count; i++)
		transitions_put(list, from->at[i]);
	transitions_settle(to, from->count);
	return true;
}

static bool trace_source_transitions(struct source *s, struct transitions *t)
{
	struct trace_source *x = (struct trace_source *)s;
	const struct transitions *calls = x->calls;

	if (x->played)
		return source_transitions(x->played, t);
	if (!calls)
		return true;
	if (!transitions_reach(t, 1))
		return false;
	for (uint32_t i = 0; !t->cursors[0].owner && i < calls->count; i++) {
		const struct transition_list *list = &calls->lists[i];

		if (!list->count)
			continue;
		if (!add_list(t, list))
			return false;
		t->since = t->followed && t->since < list->at[0].tick ? t->since : list->at[0].tick;
		t->followed = true;
	}
	t->cursors[0].owner = 1;
	return true;
}

static bool trace_source_copy(struct source *s, bool (*give)(void *context, const void *block, size_t size), void *context)
{
	struct trace_source *x = (struct trace_source *)s;

	return x->played && x->played->ops->copy(x->played, give, context);
}

static struct source_file trace_source_file(const struct source *s)
{
	return ((const struct trace_source *)s)->file;
}

static void trace_source_close(struct source *s)
{
	struct trace_source *x = (struct trace_source *)s;

	if (!x->played)
		profile_free(s->profile);
	source_close(x->played);
	transitions_free(x->calls);
	if (x->fd >= 0)
		close(x->fd);
	free(x->name);
	free(x->frame_event);
	free(x->frame_zone);
	free(x);
}

static const struct source_ops trace_source_ops = {
	.next = trace_source_next,
	.reset = trace_source_reset,
	.transitions = trace_source_transitions,
	.copy = trace_source_copy,
	.file = trace_source_file,
	.close = trace_source_close,
};

static bool copy_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

struct source *import_source(int fd, const struct import_options *o)
{
	struct trace_source *x = calloc(1, sizeof(*x));
	struct stat st = { 0 };

	if (!x) {
		close(fd);
		return NULL;
	}
	fstat(fd, &st);
	x->source.ops = &trace_source_ops;
	x->fd = fd;
	x->file = (struct source_file){ st.st_dev, st.st_ino, 0, false };
	x->options = *o;
	x->source.profile = profile_new();
	if (copy_text(&x->name, o->source) && copy_text(&x->frame_event, o->frame_event) &&
	    copy_text(&x->frame_zone, o->frame_zone) && x->source.profile &&
	    profile_text(&x->source.profile->process.source, x->name)) {
		x->source.profile->process.state = PROFILE_FILE;
		return &x->source;
	}
	trace_source_close(&x->source);
	return NULL;
}

const struct import_result *import_result_of(const struct source *s)
{
	const struct trace_source *x = (const struct trace_source *)s;

	return s->ops == &trace_source_ops && is_read(x) ? &x->result : NULL;
}

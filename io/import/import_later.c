/* SPDX-License-Identifier: MIT */
#include "io/import/import_later.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct later {
	struct source source; /* its profile is that of `played`, once there is one */
	struct source *played;
	int fd; /* -1: it was converted */
	struct source_file file;
	struct import_options options;
	char *name, *frame_event, *frame_zone;
	struct import_result result;
	bool converted;
};

static bool progress(void *context, enum import_step step, uint64_t done, uint64_t total)
{
	struct later *l = context;
	const struct import_options *o = &l->options;

	return (!o->progress || o->progress(o->context, step, done, total)) &&
	       !atomic_load_explicit(&l->source.stop, memory_order_relaxed);
}

static bool convert(struct later *l)
{
	struct import_options o = l->options;

	o.source = l->name;
	o.frame_event = l->frame_event;
	o.frame_zone = l->frame_zone;
	o.progress = progress;
	o.context = l;
	l->played = import_source(l->fd, &o, &l->result);
	l->fd = -1;
	l->converted = l->played;
	if (!l->played)
		snprintf(l->source.why, sizeof(l->source.why), "%.96s: %.220s", strcmp(l->name, "-") ? l->name : "standard input",
			 l->result.why);
	return l->played;
}

static enum source_result later_next(struct source *s)
{
	struct later *l = (struct later *)s;
	enum source_result result;

	if (!l->played && (l->fd < 0 || !convert(l)))
		return SOURCE_BAD;
	result = source_next(l->played);
	if (s->profile != l->played->profile)
		profile_free(s->profile);
	s->profile = l->played->profile;
	snprintf(s->why, sizeof(s->why), "%s", l->played->why);
	return result;
}

static bool later_reset(struct source *s)
{
	struct later *l = (struct later *)s;

	if (!l->played || !source_reset(l->played))
		return !l->played;
	s->profile = l->played->profile;
	return true;
}

static bool later_stack(struct source *s, uint32_t thread, struct source_stack *out)
{
	struct later *l = (struct later *)s;

	return l->played && source_stack(l->played, thread, out);
}

static bool later_transitions(struct source *s, struct transitions *t)
{
	struct later *l = (struct later *)s;

	return !l->played || source_transitions(l->played, t);
}

static bool later_copy(struct source *s, bool (*give)(void *context, const void *block, size_t size), void *context)
{
	struct later *l = (struct later *)s;

	return l->played && l->played->ops->copy(l->played, give, context);
}

static struct source_file later_file(const struct source *s)
{
	return ((const struct later *)s)->file;
}

static void later_close(struct source *s)
{
	struct later *l = (struct later *)s;

	if (!l->played)
		profile_free(s->profile);
	source_close(l->played);
	if (l->fd >= 0)
		close(l->fd);
	free(l->name);
	free(l->frame_event);
	free(l->frame_zone);
	free(l);
}

static const struct source_ops later_ops = {
	.next = later_next,
	.reset = later_reset,
	.stack = later_stack,
	.transitions = later_transitions,
	.copy = later_copy,
	.file = later_file,
	.close = later_close,
};

static bool copy(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

struct source *import_later(int fd, const struct import_options *o)
{
	struct later *l = calloc(1, sizeof(*l));
	struct stat st = { 0 };

	if (!l) {
		close(fd);
		return NULL;
	}
	fstat(fd, &st);
	l->source.ops = &later_ops;
	l->fd = fd;
	l->file = (struct source_file){ st.st_dev, st.st_ino, 0, false };
	l->options = *o;
	l->source.profile = profile_new();
	if (copy(&l->name, o->source) && copy(&l->frame_event, o->frame_event) && copy(&l->frame_zone, o->frame_zone) &&
	    l->source.profile && profile_text(&l->source.profile->process.source, l->name)) {
		l->source.profile->process.state = PROFILE_FILE;
		return &l->source;
	}
	later_close(&l->source);
	return NULL;
}

const struct import_result *import_result_of(const struct source *s)
{
	const struct later *l = (const struct later *)s;

	return s->ops == &later_ops && l->converted ? &l->result : NULL;
}

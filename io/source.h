/* SPDX-License-Identifier: MIT */
/*
 * source: where a profile comes from, as one iterator for what is alive and what is recorded.
 *
 *   open   a function of the backend: io/region/live.h of a process, io/recording/player.h of a recording,
 *          io/import/import.h of a trace; source_open finds out which
 *   next   reads what is new into source->profile
 *   reset  forgets all, so that next begins again with what there is
 *   close  frees the source and its profile
 *
 * A source keeps cursors: next adds to the profile only what has come since the next before it, in
 * time proportional to that and to the nodes there are. One source belongs to one thread at a time, but for `stop`.
 */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdatomic.h>
#include <stdio.h>

#include "model/profile/transitions.h"

/* The result of opening a source, or of removing a region. */
enum open_result {
	OPEN_OK,
	OPEN_ABSENT,   /* no such region or file */
	OPEN_BAD_NAME, /* cannot be the name of one */
	OPEN_NOT_OURS, /* not a region, another user's, damaged, or of another version */
	OPEN_IN_USE,   /* its process lives */
	OPEN_FAILED,   /* the system says no, or no memory */
};

enum source_result {
	SOURCE_MORE, /* the profile is up to date, and there may be more later */
	SOURCE_END,  /* the profile holds all that there will ever be */
	SOURCE_LATE, /* as MORE, but nothing was read: what that takes goes on, `why`. Only if it is hurried */
	SOURCE_LOST, /* as MORE, but something was overwritten before it was read: `why`, and a loss */
	SOURCE_ANEW, /* what was read so far is no longer how it is: source_renew, once the profile is let go of */
	SOURCE_GONE, /* as END, and what was opened is no longer to be found under its name */
	SOURCE_BAD,  /* it cannot be read any more: `why`; the profile is that of the next before */
};

/* A zone that is open, of a thread's stack. */
struct source_open {
	uint32_t node;   /* of the profile */
	int64_t entered; /* tick */
};

/* A thread's open zones, outermost first; the root is not among them. */
struct source_stack {
	struct source_open *zones;
	uint32_t count;
	int64_t last; /* tick of the thread's last transition */
	int64_t now;  /* tick at which the stack was read. If the process is over: its newest tick, or the tick at which
		       * it was last seen alive, if that is later */
	bool busy;    /* the thread was in the middle of a transition: its last zone may just have been left or
		       * entered */
};

/* The file that a source reads. */
struct source_file {
	uint64_t device, inode;
	int64_t pid; /* of its process, as that one sees itself */
	bool live;   /* it lives */
};

struct source;

struct source_ops {
	enum source_result (*next)(struct source *s);
	bool (*reset)(struct source *s); /* false: out of memory, and all is as it was */
	/* The stack of a thread by its index; NULL where a backend has none. False: out of memory, or
	 * the thread has none. */
	bool (*stack)(struct source *s, uint32_t thread, struct source_stack *out);
	/* Adds the transitions that came since those that `t` has, as far as they are still known. Adds their nodes and
	 * threads to the profile, if it does not have them. NULL where a backend has none. False: out of memory. */
	bool (*transitions)(struct source *s, struct transitions *t);
	/* Gives the blocks of the whole recording, also those that are not held
	 * or are damaged, but for its end. False: it cannot, and has given
	 * nothing, or `give` has failed. NULL: the source is no recording. */
	bool (*copy)(struct source *s, bool (*give)(void *context, const void *block, size_t size), void *context);
	struct source_file (*file)(const struct source *s);
	void (*read_silence)(struct source *s); /* renews process.silent_ns, which is else as of the last next. NULL: it is */
	void (*close)(struct source *s);
};

/* A backend puts this first in its own structure. */
struct source {
	const struct source_ops *ops;
	struct profile *profile; /* the source's own */
	uint64_t let_go;         /* frames that it has read and does not hold */
	char why[320];           /* a sentence for the user, of LOST and BAD */
	bool hurried;            /* someone waits for each `next` but the first: it does not wait for the names of functions */
	atomic_uint looked_up;   /* functions that were found in debug information: a first `next` may take many seconds */
	atomic_bool stop;        /* set by any thread: a `next` that runs ends soon, BAD; all that is left is `close` */
};

struct import_options;

/* open.c: opens whatever the user means: the region of a process, by its name or its path, or a file. The first bytes of
 * a file say what it is, never its name: a region (one that was copied, say), a recording, or a trace that another
 * program wrote. A pipe gives a recording or a trace. As live_open. `import` says how traces of others are converted;
 * their first `next` does that. NULL: as it is usual. */
struct source *source_open(const char *name, unsigned flags, const struct import_options *import, enum open_result *result,
			   char *why, size_t why_size);

static inline enum source_result source_next(struct source *s)
{
	return s->ops->next(s);
}

static inline bool source_reset(struct source *s)
{
	return s->ops->reset(s);
}

/* After an ANEW, once the profile is let go of: forgets it, and reads from the beginning. */
static inline enum source_result source_renew(struct source *s)
{
	if (source_reset(s))
		return source_next(s);
	snprintf(s->why, sizeof(s->why), "out of memory");
	return SOURCE_BAD;
}

/* Whether the source is a file that somebody recorded, or that another program
 * wrote. */
static inline bool source_is_recording(const struct source *s)
{
	return s->ops->copy;
}

/* The profile holds all that there will ever be. */
static inline bool source_is_over(enum source_result result)
{
	return result == SOURCE_END || result == SOURCE_GONE;
}

/* Free out->zones. */
static inline bool source_stack(struct source *s, uint32_t thread, struct source_stack *out)
{
	*out = (struct source_stack){ 0 };
	return s->ops->stack && s->ops->stack(s, thread, out);
}

/* `t` is of this source alone, and of what was read since its last reset. True also where it has none. */
static inline bool source_transitions(struct source *s, struct transitions *t)
{
	return !s->ops->transitions || s->ops->transitions(s, t);
}

static inline struct source_file source_file(const struct source *s)
{
	return s->ops->file(s);
}

static inline bool source_file_same(const struct source_file *a, const struct source_file *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static inline void source_read_silence(struct source *s)
{
	if (s->ops->read_silence)
		s->ops->read_silence(s);
}

static inline void source_close(struct source *s)
{
	if (s)
		s->ops->close(s);
}

#endif

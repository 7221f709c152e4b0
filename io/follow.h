/* SPDX-License-Identifier: MIT */
/*
 * follow: a source that one waits for, loses and finds again.
 *
 *   WAITING --the region appears--> ATTACHED --its process ends--> OVER
 *                                       ^                           |
 *                                       +----a new one, same name---+
 *
 * The user typed which region is meant (find.h): a name, a process id, a path, or nothing. When the process of a region
 * ends, the region stays open, with all that was read of it. If another process makes a region of the same name, that
 * one is attached instead. What was named by a process id or a path does not come back.
 *
 * At first, and after follow_turn, a region is attached whether its process lives or not. After that, only the region
 * of a living process takes the place of the one that is held.
 *
 * When a process is over, each poll renews process.silent_ns in its profile, and this alone is not told as news.
 *
 * The caller may poll as often as it likes: a poll looks for the name five times a second at most, and less often if
 * looking takes long, so that it takes no more than a twentieth of the time.
 */
#ifndef IO_FOLLOW_H
#define IO_FOLLOW_H

#include "io/import/import.h"
#include "io/region/live.h"

enum follow_state {
	FOLLOW_WAITING,  /* there is no such region: `why` says what is waited for, or stands against it */
	FOLLOW_ATTACHED,
	FOLLOW_OVER,     /* its process ended, or it is a file; or it cannot be read any more: `why` */
	FOLLOW_CHOICE,   /* nothing was typed and there are several, or none: the user has to choose.
			  * One that lives alone is attached when it comes */
};

enum follow_news {
	FOLLOW_NOTHING, /* since the poll before */
	FOLLOW_STATE,   /* the state, `why` or `result` is another one */
	FOLLOW_DATA,    /* the source's profile has grown; the state may be another one, too */
	FOLLOW_NEW,     /* another source is there, and its profile read: what was borrowed of the one
			   before it is gone. Or the profile of the same began anew: its process, which
			   had set no mark, does so now */
	FOLLOW_READING, /* a region was found, and to read it takes a while: `reading`. Polls to come say how
			   that ended, and until then nothing else */
	FOLLOW_LATE,    /* the source goes on with what it began, and has nothing new until then: its `why` */
	FOLLOW_REFUSED, /* what follow_turn was told cannot be had: turn_result and turn_why say why. All
			   else is as it was before the turn, and the next poll goes on with it */
};

struct follow {
	enum follow_state state;
	enum open_result result; /* of the last try to attach; OPEN_OK: `source` is what was meant */
	struct source *source;   /* NULL: none yet */
	bool reading;            /* the first read of a region goes on, in a thread of its own */
	bool late;               /* the news that came last but for NOTHING was LATE */
	bool anew;               /* the FOLLOW_NEW that came last was of the same process */
	const char *name;        /* region or path; what was typed until that is known; "" neither */
	char why[1536];          /* "": there is nothing to say */
	enum open_result turn_result; /* of the last turn that was refused, as `result` and `why` */
	char turn_why[1536];
	struct follow_inside *inside;
};

/* `text`: what was typed; NULL: nothing. `flags`: LIVE_ANY_USER. False: out of memory. */
bool follow_open(struct follow *f, const char *text, unsigned flags);
void follow_close(struct follow *f);

/* How traces of others are converted that are opened from now on; borrowed. */
void follow_import(struct follow *f, const struct import_options *options);

/* Follows another region from now on: the next poll attaches it, whether its process lives or not. If
 * it cannot be had, that poll says FOLLOW_REFUSED, and the source of before is followed on; where there
 * was none, the region is waited for. False: out of memory, and all is as it was. */
bool follow_turn(struct follow *f, const char *text);

/*
 * Takes one look at the region, and says what is new.
 *
 * While a region is attached, a poll reads what has come since the one before, in a few milliseconds. A poll that
 * finds a region begins to read all of it, which takes a second and more for some gigabytes. The poll waits for that
 * for 30 ms; if it takes longer, it says FOLLOW_READING, and the reading goes on in a thread of its own.
 *
 * Before a poll returns FOLLOW_NEW it calls `leaving` (which may be NULL), while the old source is still there: the
 * caller has to let go of its profile then. If there was no old source, `leaving` is not called.
 */
enum follow_news follow_poll(struct follow *f, void (*leaving)(void *context), void *context);

#endif

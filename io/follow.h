/* SPDX-License-Identifier: MIT */
/*
 * follow: a source that one waits for, loses and finds again.
 *
 *   WAITING --the region appears--> ATTACHED --its process ends--> OVER
 *                                       ^                           |
 *                                       +----a new one, same name---+
 *
 * What was meant is what the user typed (find.h): a name, a process id, a path, or nothing. After the
 * end of a process its region stays open, with all that was read, until another process has made a
 * region of that name; that one is attached then. A process id and a file do not come back.
 *
 * A region of a dead process that is there from the beginning is attached like any other; later, only
 * that of a living one takes the place of what is held.
 *
 * Of what is over, process.silent_ns in the profile goes on with the polls; that alone is no news.
 *
 * The name is looked for five times a second at most, and so that a look takes no more than a
 * twentieth of the time: the caller may poll as often as it likes.
 */
#ifndef IO_FOLLOW_H
#define IO_FOLLOW_H

#include "io/live.h"

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
	FOLLOW_REFUSED, /* what follow_turn was told cannot be had: turn_result and turn_why say why. All
			   else is as it was before the turn, and the next poll goes on with it */
};

struct follow {
	enum follow_state state;
	enum live_result result; /* of the last try to attach; LIVE_OK: `source` is what was meant */
	struct source *source;   /* NULL: none yet */
	bool anew;               /* the FOLLOW_NEW that came last was of the same process */
	const char *name;        /* region or path; what was typed until that is known; "" neither */
	char why[1536];          /* "": there is nothing to say */
	enum live_result turn_result; /* of the last turn that was refused, as `result` and `why` */
	char turn_why[1536];
	struct follow_inside *inside;
};

/* `text`: what was typed; NULL: nothing. `flags`: LIVE_ANY_USER. False: out of memory. */
bool follow_open(struct follow *f, const char *text, unsigned flags);
void follow_close(struct follow *f);

/* Follows another region from now on: the next poll attaches it, whether its process lives or not. If
 * it cannot be had, that poll says FOLLOW_REFUSED, and the source of before is followed on; where there
 * was none, the region is waited for. False: out of memory, and all is as it was. */
bool follow_turn(struct follow *f, const char *text);

/*
 * One look. What has come since the one before it is read, and that takes a few milliseconds; the one
 * that attaches reads all that the region has, a second and more where that is gigabytes. Before a
 * FOLLOW_NEW the caller is asked to let go of the profile: `leaving` (may be NULL) is called while
 * the old source still is there; where there was none, it is not called.
 */
enum follow_news follow_poll(struct follow *f, void (*leaving)(void *context), void *context);

#endif

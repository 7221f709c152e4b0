/* SPDX-License-Identifier: MIT */
/*
 * foreign_marks: events, notes and the ends of frames, of a lane and in the order of time; and between them its steps.
 *
 * A frame is an event called `frame` of the thread that marks frames, where it ends. Frames that the source guessed are none,
 * and where the program has an event of its own at the mark, that one says it.
 */
#ifndef IO_FOREIGN_MARKS_H
#define IO_FOREIGN_MARKS_H

#include "io/foreign/foreign_walk.h"

#define FOREIGN_FRAME_NAME "frame"

enum foreign_mark_kind { MARK_EVENT, MARK_NOTE, MARK_FRAME };

struct foreign_mark {
	enum foreign_mark_kind kind;
	int64_t tick;
	uint32_t event;   /* the index of its name */
	const char *text; /* the name, or what the note says: raw bytes */
	const struct profile_frame *frame;
};

struct foreign_marks {
	const struct foreign *t;
	const struct foreign_lane *lane;
	uint32_t instant, frame; /* that come next */
};

void foreign_marks_begin(struct foreign_marks *m, const struct foreign *t, const struct foreign_lane *lane, bool with_frames);
bool foreign_marks_next(struct foreign_marks *m, struct foreign_mark *mark);

/* Both, in the order of time: a mark stands before the zone that is entered at its tick, and behind the one that is left. */
struct foreign_events {
	struct foreign_walk walk;
	struct foreign_marks marks;
	struct foreign_step step; /* what comes next, */
	struct foreign_mark mark;
	bool has_step, has_mark; /* if something does */
};

enum foreign_event { FOREIGN_OVER, FOREIGN_STEP, FOREIGN_MARK };

bool foreign_events_begin(struct foreign_events *e, struct foreign *t, const struct foreign_lane *lane, bool with_frames);
enum foreign_event foreign_events_next(struct foreign_events *e, struct foreign_step *step, struct foreign_mark *mark);
void foreign_events_end(struct foreign_events *e);

/* Says what a format has no place for. */
enum foreign_lacks { LACKS_EVENTS = 1 << 0, LACKS_NOTES = 1 << 1, LACKS_COUNTERS = 1 << 2, LACKS_FRAMES = 1 << 3 };
void foreign_say_lacks(struct foreign *t, unsigned lacks);

#endif

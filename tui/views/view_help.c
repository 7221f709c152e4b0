/* SPDX-License-Identifier: MIT */
#include "tui/views/view_help.h"

static const struct column_help why[] = {
	{ "ZONE", "The stack of zones, the innermost first." },
	{ "DELTA", "By how much its self time is more, or less, than in the frame that this one is set against." },
	{ "WHY", "What most of that is: more or fewer calls, dearer or cheaper ones; new, gone; carried: it was open from "
		 "before." },
	{ "CALLS", "How much of it comes of more or fewer calls, at what a call took then." },
	{ "COST", "How much comes of calls that are dearer or cheaper." },
	{ "CARRIED", "Time of a zone that was not called in this frame, or not in the other: it was open from before." },
	{ "COUNT", "Calls then and now." },
	{ "SELF", "Its self time in this frame." },
	{ "waiting", "By how much the zones that wait took longer, or less long." },
	{ "sum", "Of all rows: by how much the thread took longer." },
	{ NULL, NULL },
};

static const struct column_help counters[] = {
	{ "COUNTER", "Its name." },
	{ "LAST", "Its value at the end of the frames in sight, or of the one that is shown." },
	{ "MIN", "The least that it was in them." },
	{ "MAX", "The most." },
	{ "CHANGE", "What it grew by in a frame, in the mean." },
	{ "CHANGE/S", "What it grew by in a second, in the mean." },
	{ "TREND", "What it was in the newest frames, of the most there." },
	{ "THREAD", "Whose value it is; none: the sum over all threads." },
	{ NULL, NULL },
};

static const struct column_help events[] = {
	{ "FRAME", "The frame in which it happened; Enter goes there." },
	{ "TIME", "When, from where the frame began." },
	{ "THREAD", "Who said it." },
	{ "EVENT OR NOTE", "A full diamond (in ASCII *) before a note, a hollow one (+) before an event." },
	{ NULL, NULL },
};

static const struct column_help worst[] = {
	{ "FRAME", "Its number; Enter goes there. The frame that is shown stands out." },
	{ "NAME", "The name that the program gave it." },
	{ "AGE", "How long before the newest frame it ended." },
	{ "LENGTH", "How long it took. w goes from the longest to the next." },
	{ "BUSY", "Its length without the declared waits of the thread that marks frames. Sorted by it, w goes by it, too." },
	{ "OVER", "How much longer than the budget it took." },
	{ "MORE", "By how much the zone of the next column took longer than in the median frame, in itself." },
	{ "IN ZONE", "The zone of the thread that marks frames that took longer than in the median frame by most. 5 has all of "
		     "them." },
	{ NULL, NULL },
};

static const struct column_help compare[] = {
	{ "ZONE", "The first row is the frame." },
	{ "A", "The median time in a frame before mark A." },
	{ "B", "The median before mark B." },
	{ "FROM-TO", "Where the median is, with 95 % for all of the table together." },
	{ "B-A", "By how much the median moved." },
	{ "%", "The same as a part of A." },
	{ "IS", "slower or faster, where the two intervals have nothing in common; else there is no evidence." },
	{ NULL, NULL },
};

static const struct column_help stacks[] = {
	{ "THREAD AND ITS OPEN ZONES", "The outermost zone first; in the last one the thread is." },
	{ "OPEN FOR", "How long the zone has been open; of a dead program at least so long." },
	{ "PLACE", "Where it is in the source. Of a thread what is known of it: still 12 s, it has entered and left no zone "
		   "for so long." },
	{ NULL, NULL },
};

static const struct column_help flame[] = {
	{ "a box", "A zone under its caller, as wide as its hierarchical time, and this in numbers. Its colour goes by its name." },
	{ "an edge", "Where a box begins. What is left below a box, at its right, is its own time." },
	{ "░ ▒ ▓ . : #", "Boxes that are narrower than a cell, and how much of it they cover." },
	{ "pale", "It waits, or was not searched for; against another frame: it took as long." },
	{ "gone", "Zones that have time in the other frame alone." },
	{ NULL, NULL },
};

static const struct column_help timeline[] = {
	{ "a box", "A call, as wide as it took; its colour goes by its zone's name. Below it stand those that it made." },
	{ "░ ▒ ▓ . : #", "Calls that are narrower than a cell, and how much of it they cover." },
	{ "a box x41", "Colours of heat (!): it took 41 times as long as calls of its stack do; red is more than three times, waits ten. "
		       "So is a cell of merged calls that did." },
	{ "{a box}", "A sum: all calls of a zone in a frame of which no single calls are known any more, the longest first. When "
		     "they were within it is not known." },
	{ "?", "What the thread did then is not known any more. Single calls are known of the last seconds, and of the longest "
	       "frames." },
	{ "~", "The thread was not there." },
	{ "a name with +", "The lane is folded: z unfolds it." },
	{ "above", "All that is held, with what is in sight in it: a click goes there. The time; frames; events and notes." },
	{ NULL, NULL },
};

const struct column_help *view_help(enum view_kind view)
{
	static const struct column_help *const helps[VIEWS] = {
		[VIEW_WHY] = why, [VIEW_COUNTERS] = counters, [VIEW_EVENTS] = events, [VIEW_COMPARE] = compare, [VIEW_STACKS] = stacks,
		[VIEW_FLAME] = flame, [VIEW_TIMELINE] = timeline, [VIEW_WORST] = worst,
	};

	return helps[view];
}

/* SPDX-License-Identifier: MIT */
#include "model/report/columns.h"

#include <string.h>

const char *const report_view_names[REPORT_VIEWS] = {
	[REPORT_SELF] = "self",
	[REPORT_HIER] = "hier",
	[REPORT_GRAPH] = "graph",
	[REPORT_TREE] = "tree",
};

#define FLAT (1 << REPORT_SELF | 1 << REPORT_HIER)
#define GRAPH (1 << REPORT_GRAPH)
#define TREE (1 << REPORT_TREE)

const struct column_def report_columns[COLUMNS] = {
	[COLUMN_ZONE] = {
		.key = "zone", .title = "ZONE", .width = 12, .left = true,
		.kind = VALUE_NAME, .views = FLAT | GRAPH | TREE, .ascending = true,
		.help = "The zone, with its place in the source where another one has its name.",
	},
	[COLUMN_SELF] = {
		.key = "self", .title = "SELF", .unit = true, .width = 8,
		.kind = VALUE_TIME, .views = FLAT | GRAPH | TREE, .importance = 22,
		.help = "Time in the zone itself. Of a caller: the focus' own time on its behalf.",
	},
	[COLUMN_HIER] = {
		.key = "hier", .title = "HIER", .unit = true, .width = 8,
		.kind = VALUE_TIME, .views = FLAT | GRAPH | TREE, .importance = 21,
		.help = "Hierarchical time: in the zone and all that runs inside it, recursion counted "
			"once. Under mutual recursion a child's row is the time under the last focus "
			"of a stack and a caller's row the time under the first, so the two may "
			"differ.",
	},
	[COLUMN_COUNT] = {
		.key = "count", .title = "COUNT", .width = 6,
		.kind = VALUE_COUNT, .views = FLAT | GRAPH | TREE, .importance = 20,
		.help = "Entries; where averages are shown, those of an average frame (of a second: s, CALLS/S). Of a caller: all "
			"entries of the focus that go back to it, recursive ones too; of a child: those made directly from "
			"the focus.",
	},
	[COLUMN_RATE] = {
		.key = "rate", .title = "CALLS/S", .width = 7,
		.kind = VALUE_RATE, .views = FLAT | GRAPH | TREE, .importance = 5,
		.help = "Entries a second of the time that is covered. It is there where there is much room, or where rows "
			"are sorted by it (s); of a program that marks no frames always, and COUNT there only where there is "
			"much room.",
	},
	[COLUMN_DELTA] = {
		.key = "delta", .title = "VS", .unit = true, .width = 8,
		.kind = VALUE_DELTA, .views = FLAT | GRAPH | TREE, .importance = 23,
		.help = "By how much it is more, or less, than in the frame that this one is set against "
			"(d): self time in the view self, else hierarchical time. On the screen alone.",
	},
	[COLUMN_DIRECT] = {
		.key = "direct", .title = "DIRECT", .width = 6,
		.kind = VALUE_COUNT, .views = GRAPH, .importance = 15,
		.help = "Entries that the caller made itself; a caller inside a recursion has these "
			"and no time.",
	},
	[COLUMN_FRAME] = {
		.key = "frame", .title = "%FRAME", .width = 6,
		.kind = VALUE_RATIO, .views = FLAT | GRAPH | TREE, .importance = 19,
		.help = "The time that the view is about, of the wall time that is covered. With "
			"several threads merged it may exceed 100 %.",
	},
	[COLUMN_SHARE] = {
		.key = "share", .title = "SHARE", .width = 12, .left = true,
		.kind = VALUE_RATIO, .views = GRAPH, .importance = 18,
		.help = "Hierarchical time as a part of that of the focus.",
	},
	[COLUMN_TREND] = {
		.key = "trend", .title = "TREND", .width = 8, .left = true,
		.kind = VALUE_TREND, .views = FLAT | GRAPH, .importance = 16,
		.help = "The zone's time in each of the last 32 frames, of its greatest there, by which "
			"it is sorted; on the screen alone. In a call graph too it is of the whole zone.",
	},
	[COLUMN_HEAT] = {
		.key = "heat", .title = "HEAT", .width = 4,
		.kind = VALUE_HEAT, .views = FLAT | GRAPH, .importance = 17,
		.help = "How restless the zone is from frame to frame: . - # ##, the last for the most. "
			"Of one frame alone it is another thing: how far its time is from the zone's "
			"median.",
	},
	[COLUMN_AVG] = {
		.key = "avg", .title = "AVG", .unit = true, .width = 8,
		.kind = VALUE_MEAN, .views = FLAT | GRAPH | TREE, .importance = 13,
		.help = "Hierarchical time an entry: HIER by COUNT, which may be more than MAX where calls "
			"last over frame marks.",
	},
	[COLUMN_AVG_SELF] = {
		.key = "avg-self", .title = "AVG SELF", .unit = true, .width = 8,
		.kind = VALUE_MEAN, .views = FLAT, .importance = 11,
		.help = "Self time an entry.",
	},
	[COLUMN_MAX] = {
		.key = "max", .title = "MAX", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT | GRAPH | TREE, .importance = 15,
		.help = "The longest single call, with all inside it, that ended in what is covered.",
	},
	[COLUMN_THREADS] = {
		.key = "thr", .title = "THR", .width = 3,
		.kind = VALUE_NUMBER, .views = FLAT | GRAPH | TREE, .importance = 12,
		.help = "Threads with time in the row.",
	},
	[COLUMN_FRAMES] = {
		.key = "frames", .title = "FRAMES", .width = 6,
		.kind = VALUE_NUMBER, .views = FLAT, .importance = 18,
		.help = "Frames that the columns behind this one are of: those of which all times are "
			"still known, of what is covered. On the screen this column is not there, and they are of "
			"the newest 256 frames, looked through anew every two seconds.",
	},
	[COLUMN_FRAME_MIN] = {
		.key = "frame-min", .title = "MIN/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 6,
		.help = "The least time in a frame: in the view self of the zone itself, else with all "
			"inside it. Frames without the zone count 0, here and in what follows.",
	},
	[COLUMN_FRAME_MEAN] = {
		.key = "frame-mean", .title = "MEAN/F", .unit = true, .width = 8,
		.kind = VALUE_MEAN, .views = FLAT, .importance = 3, .asked = true,
		.help = "The mean time in a frame.",
	},
	[COLUMN_FRAME_MEDIAN] = {
		.key = "frame-median", .title = "MED/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 8,
		.help = "The median time in a frame, the lower one.",
	},
	[COLUMN_FRAME_P90] = {
		.key = "frame-p90", .title = "P90/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 4, .asked = true,
		.help = "The time that nine of ten frames do not exceed.",
	},
	[COLUMN_FRAME_P99] = {
		.key = "frame-p99", .title = "P99/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 9,
		.help = "The time that 99 of 100 frames do not exceed.",
	},
	[COLUMN_FRAME_MAX] = {
		.key = "frame-max", .title = "MAX/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 7,
		.help = "The most time in a frame.",
	},
	[COLUMN_FIRST] = {
		.key = "first", .title = "FIRST", .width = 6,
		.kind = VALUE_NUMBER, .views = FLAT, .importance = 2, .ascending = true,
		.help = "The first of these frames with time in the zone, by its number.",
	},
};

enum column report_column(const char *key)
{
	enum column c = 0;

	while (c < COLUMNS && strcmp(report_columns[c].key, key) != 0)
		c++;
	return c;
}

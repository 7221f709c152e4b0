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
		.help = "Name of the zone. If another zone has the same name, its source line follows.",
	},
	[COLUMN_SELF] = {
		.key = "self", .title = "SELF", .unit = true, .width = 8,
		.kind = VALUE_TIME, .views = FLAT | GRAPH | TREE, .importance = 22,
		.help = "Time in the zone itself. In the row of a caller: self time of the focus on behalf of this "
		        "caller.",
	},
	[COLUMN_HIER] = {
		.key = "hier", .title = "HIER", .unit = true, .width = 8,
		.kind = VALUE_TIME, .views = FLAT | GRAPH | TREE, .importance = 21,
		.help = "Hierarchical time (inclusive, total): in the zone and all inside it. Recursion counts "
		        "once. With mutual recursion, the row of a child is the time below the last focus of a "
		        "stack, and the row of a caller is the time below the first. So the two may differ.",
	},
	[COLUMN_COUNT] = {
		.key = "count", .title = "COUNT", .width = 6,
		.kind = VALUE_COUNT, .views = FLAT | GRAPH | TREE, .importance = 20,
		.help = "Calls; in an average, per frame (per second: press s, pick CALLS/S). "
		        "In the row of a caller: all calls of the focus that go back to this caller, recursive ones "
		        "too. In the row of a child: calls made directly from the focus.",
	},
	[COLUMN_RATE] = {
		.key = "rate", .title = "CALLS/S", .width = 7,
		.kind = VALUE_RATE, .views = FLAT | GRAPH | TREE, .importance = 5,
		.help = "Calls per second of the covered time. The screen shows this column if it is wide or sorted "
		        "by it (s), and always if the program marks no frames.",
	},
	[COLUMN_DELTA] = {
		.key = "delta", .title = "VS", .unit = true, .width = 8,
		.kind = VALUE_DELTA, .views = FLAT | GRAPH | TREE, .importance = 23,
		.help = "Difference from the base frame (d). In the view Self it is of self time, else of hierarchical "
		        "time. On the screen only.",
	},
	[COLUMN_DIRECT] = {
		.key = "direct", .title = "DIRECT", .width = 6,
		.kind = VALUE_COUNT, .views = GRAPH, .importance = 15,
		.help = "Calls that the caller made itself. A caller inside a recursion has direct calls but no "
		        "time.",
	},
	[COLUMN_FRAME] = {
		.key = "frame", .title = "%FRAME", .width = 6,
		.kind = VALUE_RATIO, .views = FLAT | GRAPH | TREE, .importance = 19,
		.help = "% of elapsed time. With merged threads it may exceed 100 %.",
	},
	[COLUMN_SHARE] = {
		.key = "share", .title = "SHARE", .width = 12, .left = true,
		.kind = VALUE_RATIO, .views = GRAPH, .importance = 18,
		.help = "Hierarchical time in percent of that of the focus.",
	},
	[COLUMN_TREND] = {
		.key = "trend", .title = "TREND", .width = 8, .left = true,
		.kind = VALUE_TREND, .views = FLAT | GRAPH, .importance = 16,
		.help = "Time in each of the last 32 frames, scaled to its own peak. Sorted by this peak. In a call "
		        "graph, it covers the whole zone. On the screen only.",
	},
	[COLUMN_HEAT] = {
		.key = "heat", .title = "HEAT", .width = 4,
		.kind = VALUE_HEAT, .views = FLAT | GRAPH, .importance = 17,
		.help = "How much the zone varies from frame to frame: . - # ## (most). For a single frame: how far "
		        "the time is from the median of the zone.",
	},
	[COLUMN_AVG] = {
		.key = "avg", .title = "AVG", .unit = true, .width = 8,
		.kind = VALUE_MEAN, .views = FLAT | GRAPH | TREE, .importance = 13,
		.help = "Time per call: HIER ÷ COUNT. If calls last over several frames, it may exceed MAX.",
	},
	[COLUMN_AVG_SELF] = {
		.key = "avg-self", .title = "AVG SELF", .unit = true, .width = 8,
		.kind = VALUE_MEAN, .views = FLAT, .importance = 11,
		.help = "Self time per call.",
	},
	[COLUMN_MAX] = {
		.key = "max", .title = "MAX", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT | GRAPH | TREE, .importance = 15,
		.help = "The longest single call that ended in the covered time. It includes everything inside it.",
	},
	[COLUMN_THREADS] = {
		.key = "thr", .title = "THR", .width = 3,
		.kind = VALUE_NUMBER, .views = FLAT | GRAPH | TREE, .importance = 12,
		.help = "Number of threads with time in the row.",
	},
	[COLUMN_FRAMES] = {
		.key = "frames", .title = "FRAMES", .width = 6,
		.kind = VALUE_NUMBER, .views = FLAT, .importance = 18,
		.help = "Number of frames that the next columns cover: frames whose times are all still known. The "
		        "screen does not show this column. It covers the newest 256 frames and updates every two "
		        "seconds.",
	},
	[COLUMN_FRAME_MIN] = {
		.key = "frame-min", .title = "MIN/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 6,
		.help = "Minimum time per frame: self time in the view self, else hierarchical time. Frames without "
		        "the zone count as 0, also in the next columns.",
	},
	[COLUMN_FRAME_MEAN] = {
		.key = "frame-mean", .title = "MEAN/F", .unit = true, .width = 8,
		.kind = VALUE_MEAN, .views = FLAT, .importance = 3, .asked = true,
		.help = "Mean time per frame.",
	},
	[COLUMN_FRAME_MEDIAN] = {
		.key = "frame-median", .title = "MED/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 8,
		.help = "Median time per frame (the lower median).",
	},
	[COLUMN_FRAME_P90] = {
		.key = "frame-p90", .title = "P90/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 4, .asked = true,
		.help = "90th percentile: nine of ten frames do not exceed this time.",
	},
	[COLUMN_FRAME_P99] = {
		.key = "frame-p99", .title = "P99/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 9,
		.help = "99th percentile: 99 of 100 frames do not exceed this time.",
	},
	[COLUMN_FRAME_MAX] = {
		.key = "frame-max", .title = "MAX/F", .unit = true, .width = 8,
		.kind = VALUE_TICKS, .views = FLAT, .importance = 7,
		.help = "Maximum time per frame.",
	},
	[COLUMN_FIRST] = {
		.key = "first", .title = "FIRST", .width = 6,
		.kind = VALUE_NUMBER, .views = FLAT, .importance = 2, .ascending = true,
		.help = "Number of the first of these frames in which the zone has time.",
	},
};

enum column report_column(const char *key)
{
	enum column c = 0;

	while (c < COLUMNS && strcmp(report_columns[c].key, key) != 0)
		c++;
	return c;
}

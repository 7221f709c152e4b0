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

static const char per_frame[] = "per_frame";

const struct table_column report_columns[COLUMNS_ALL] = {
	[COLUMN_ZONE] = {
		.key = "zone", .title = "ZONE", .least = 12, .indented = true,
		.kind = TYPED_NAME, .views = FLAT | GRAPH | TREE, .ascending = true,
		.help = "Name of the zone. If another zone has the same name, its source line follows.",
	},
	[COLUMN_SELF] = {
		.key = "self", .title = "SELF", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT | GRAPH | TREE, .importance = 22,
		.help = "Time in the zone itself, or its amount if a measure is chosen. Then each column of times "
		        "has amounts. In the row of a caller: self time of the focus on behalf of this caller.",
	},
	[COLUMN_HIER] = {
		.key = "hier", .title = "HIER", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT | GRAPH | TREE, .importance = 21,
		.help = "Hierarchical time (inclusive, total): in the zone and all inside it. Recursion counts "
		        "once. With mutual recursion, the row of a child is the time below the last focus of a "
		        "stack, and the row of a caller is the time below the first. So the two may differ.",
	},
	[COLUMN_COUNT] = {
		.key = "count", .title = "COUNT", .least = 6,
		.kind = TYPED_NUMBER, .views = FLAT | GRAPH | TREE, .importance = 20,
		.help = "Calls; in an average, per frame (calls a second: sort by CALLS/S). "
		        "In the row of a caller: all calls of the focus that go back to this caller, recursive ones "
		        "too. In the row of a child: calls made directly from the focus.",
	},
	[COLUMN_RATE] = {
		.key = "rate", .title = "CALLS/S", .least = 7,
		.kind = TYPED_RATE, .views = FLAT | GRAPH | TREE, .importance = 5,
		.help = "Calls per second of the covered time. The screen shows this column if it is wide or sorted "
		        "by it (s), and always if the program marks no frames.",
	},
	[COLUMN_DELTA] = {
		.key = "delta", .title = "VS", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT | GRAPH | TREE, .importance = 23,
		.help = "Difference from the base frame (d). In the view Self it is of self time, else of hierarchical "
		        "time. On the screen only.",
	},
	[COLUMN_DIRECT] = {
		.key = "direct", .title = "DIRECT", .least = 6,
		.kind = TYPED_NUMBER, .views = GRAPH, .importance = 15,
		.help = "Calls that the caller made itself. A caller inside a recursion has direct calls but no "
		        "time.",
	},
	[COLUMN_FRAME] = {
		.key = "frame", .title = "%FRAME", .least = 6,
		.kind = TYPED_RATIO, .views = FLAT | GRAPH | TREE, .importance = 19,
		.help = "% of the covered time. For another measure, % of its amount in all threads. With merged threads, time "
		        "may exceed 100 %.",
	},
	[COLUMN_SHARE] = {
		.key = "share", .title = "SHARE", .least = 12,
		.kind = TYPED_RATIO, .views = GRAPH, .importance = 18,
		.help = "In a call graph: HIER in percent of HIER of the focused zone.",
	},
	[COLUMN_TREND] = {
		.key = "trend", .title = "TREND", .least = 8,
		.kind = TYPED_SPARK, .views = FLAT | GRAPH, .importance = 16,
		.help = "Time in each of the last 32 frames, scaled to its own peak. Sorted by this peak. In a call "
		        "graph, it covers the whole zone. On the screen and the page only.",
	},
	[COLUMN_HEAT] = {
		.key = "heat", .title = "HEAT", .least = 4,
		.kind = TYPED_HEAT, .views = FLAT | GRAPH, .importance = 17,
		.help = "How much the zone varies from frame to frame: . - # ## (most). For a single frame: how far "
		        "the time is from the median of the zone.",
	},
	[COLUMN_AVG] = {
		.key = "avg", .title = "AVG", .least = 8,
		.kind = TYPED_MEAN_TICKS, .views = FLAT | GRAPH | TREE, .importance = 13,
		.help = "Time per call: HIER ÷ COUNT. It may exceed MAX if calls last over several frames, and in an average as long as an older, longer call counts.",
	},
	[COLUMN_AVG_SELF] = {
		.key = "avg-self", .title = "AVG SELF", .least = 8,
		.kind = TYPED_MEAN_TICKS, .views = FLAT, .importance = 11,
		.help = "Self time per call.",
	},
	[COLUMN_MAX] = {
		.key = "max", .title = "MAX", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT | GRAPH | TREE, .importance = 15,
		.help = "The longest single call that ended in the covered time. It includes everything inside it. "
			"-: none ended in it; COUNT and AVG are of the calls that began.",
	},
	[COLUMN_THREADS] = {
		.key = "thr", .title = "THR", .least = 3,
		.kind = TYPED_NUMBER, .views = FLAT | GRAPH | TREE, .importance = 12,
		.help = "Number of threads with time in the row.",
	},
	[COLUMN_FRAMES] = {
		.key = "frames", .group = per_frame, .title = "FRAMES", .least = 6,
		.kind = TYPED_NUMBER, .views = FLAT, .importance = 18,
		.help = "Number of frames that the next columns cover: frames whose times are all still known. The "
		        "screen does not show this column. It covers the newest 256 frames and updates every two "
		        "seconds.",
	},
	[COLUMN_FRAME_MIN] = {
		.key = "frame-min", .member = "min", .group = per_frame, .title = "MIN/F", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT, .importance = 6,
		.help = "Minimum time per frame: self time in the view self, else hierarchical time. Frames without "
		        "the zone count as 0, also in the next columns.",
	},
	[COLUMN_FRAME_MEAN] = {
		.key = "frame-mean", .member = "mean", .group = per_frame, .title = "MEAN/F", .least = 8,
		.kind = TYPED_MEAN_TICKS, .views = FLAT, .importance = 3,
		.help = "Mean time per frame, of the newest 256 frames.",
	},
	[COLUMN_FRAME_MEDIAN] = {
		.key = "frame-median", .member = "median", .group = per_frame, .title = "MED/F", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT, .importance = 8,
		.help = "Median time per frame (the lower median), of the newest 256 frames.",
	},
	[COLUMN_FRAME_P90] = {
		.key = "frame-p90", .member = "p90", .group = per_frame, .title = "P90/F", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT, .importance = 4,
		.help = "90th percentile: nine of ten frames do not exceed this time.",
	},
	[COLUMN_FRAME_P99] = {
		.key = "frame-p99", .member = "p99", .group = per_frame, .title = "P99/F", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT, .importance = 9,
		.help = "99th percentile: 99 of 100 frames do not exceed this time.",
	},
	[COLUMN_FRAME_MAX] = {
		.key = "frame-max", .member = "max", .group = per_frame, .title = "MAX/F", .least = 8,
		.kind = TYPED_TICKS, .views = FLAT, .importance = 7,
		.help = "Maximum time per frame, of the newest 256 frames. So the frame that is shown may have more.",
	},
	[COLUMN_FIRST] = {
		.key = "first", .group = per_frame, .title = "FIRST", .least = 6,
		.kind = TYPED_NUMBER, .views = FLAT, .importance = 2, .ascending = true,
		.help = "Number of the first of these frames in which the zone has time.",
	},
	[COLUMN_THREAD] = { .key = "thread", .kind = TYPED_WORDS, .views = FLAT | GRAPH | TREE },
	[COLUMN_ROLE] = { .key = "role", .kind = TYPED_WORDS, .views = GRAPH },
	[COLUMN_LEVEL] = { .key = "level", .kind = TYPED_NUMBER, .views = TREE },
	[COLUMN_PARENT] = { .key = "parent", .kind = TYPED_NUMBER, .views = TREE },
	[COLUMN_FILE] = { .key = "file", .kind = TYPED_NAME, .views = FLAT | GRAPH | TREE },
	[COLUMN_LINE] = { .key = "line", .kind = TYPED_NUMBER, .views = FLAT | GRAPH | TREE },
	[COLUMN_LEAST] = { .key = "at_least", .member = "lower_bound", .kind = TYPED_FLAG, .views = FLAT | GRAPH | TREE },
	[COLUMN_WAITS] = { .key = "waits", .kind = TYPED_FLAG, .views = FLAT | TREE },
	[COLUMN_COSTLY] = { .key = "costly", .kind = TYPED_FLAG, .views = FLAT | TREE },
};

enum column report_column(const char *key)
{
	enum column c = 0;

	while (c < COLUMNS && strcmp(report_columns[c].key, key) != 0)
		c++;
	return c;
}

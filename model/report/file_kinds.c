/* SPDX-License-Identifier: MIT */
#include "model/report/file_kinds.h"

#include <string.h>

const char *const file_kind_names[FILE_KINDS] = {
	[FILE_CHROME] = "chrome", [FILE_SPEEDSCOPE] = "speedscope", [FILE_VISUALISER] = "visualiser",
	[FILE_PERF_TIMER] = "perf-timer", [FILE_PERF_BINARY] = "perf-timer-binary", [FILE_CSV] = "csv",
	[FILE_JSON] = "json", [FILE_FOLDED] = "folded",
	[FILE_SPEEDSCOPE_SUMS] = "speedscope-sums", [FILE_CALLGRIND] = "callgrind", [FILE_PPROF] = "pprof",
	[FILE_TABLE_TREE] = "table-tree", [FILE_TABLE_FLAT] = "table-flat",
	[FILE_SAMPLES_LOG] = "samples-log",
	[FILE_HTML] = "html",
};

const struct file_kind_def file_kinds[FILE_KINDS] = {
	[FILE_CHROME] = { FILE_EVENTS, "single calls, frames, counters, events, notes",
			  "ui.perfetto.dev, chrome://tracing, speedscope.app", ".trace.json", false },
	[FILE_SPEEDSCOPE] = { FILE_EVENTS, "single calls, a profile a thread", "speedscope.app",
			      ".speedscope.json", false },
	[FILE_VISUALISER] = { FILE_EVENTS, "single calls, frames, counters, events, in microseconds",
			      "profile-visualiser", ".txt", false },
	[FILE_PERF_TIMER] = { FILE_EVENTS, "single calls with their frames, notes", "perf_timer", ".json",
			      false },
	[FILE_PERF_BINARY] = { FILE_EVENTS, "the same, smaller", "perf_timer", ".perf", true },
	[FILE_FOLDED] = { FILE_SUMS, "self time of each zone stack",
			  "flamegraph.pl, inferno, speedscope.app", ".folded", false },
	[FILE_SPEEDSCOPE_SUMS] = { FILE_SUMS, "self time of each zone stack, a profile a thread", "speedscope.app",
				   ".speedscope.json", false },
	[FILE_CALLGRIND] = { FILE_SUMS, "self time of each zone, who calls whom, with source lines",
			     "kcachegrind, callgrind_annotate", ".callgrind", false },
	[FILE_PPROF] = { FILE_SUMS, "calls and self time of each zone stack, with source lines",
			 "go tool pprof, and servers that collect its files", ".pb.gz", true },
	[FILE_TABLE_TREE] = { FILE_EVENTS, "a table of zone stacks: time, calls, min, max, mean",
			      "less -S; the format of perf_timer", ".tree.txt", false },
	[FILE_TABLE_FLAT] = { FILE_EVENTS, "the same, per zone", "less -S", ".flat.txt", false },
	[FILE_SAMPLES_LOG] = { FILE_REPORT, "a log of functions: percent, samples, file and line", "any text editor",
			       ".samples.log", false },
	[FILE_HTML] = { FILE_PAGE, "web page (one file): frames, zones, calls, counters, why", "any "
	    "browser, no network needed", ".html",
			true },
	[FILE_CSV] = { FILE_REPORT, "the report, as proftop report --csv prints it", "a spreadsheet", ".csv", false },
	[FILE_JSON] = { FILE_REPORT, "the report and its data, as proftop report -j prints it", "jq, and your own programs", ".json",
			false },
};

enum file_kind file_kind_find(const char *name, size_t length)
{
	enum file_kind kind = 0;

	while (kind < FILE_KINDS &&
	       (strlen(file_kind_names[kind]) != length || memcmp(file_kind_names[kind], name, length) != 0))
		kind++;
	return kind;
}

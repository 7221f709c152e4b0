/* SPDX-License-Identifier: MIT */
#include "proftop/options_table.h"

#include "model/base/format.h"
#include "model/query/average.h"
#include "model/report/columns.h"
#include "model/report/file_kinds.h"
#include "model/stats/worst.h"
#include "proftop/messages.h"
#include "tui/cells/theme.h"

const char *const option_group_titles[GROUPS] = {
	[GROUP_WHAT] = "Output",
	[GROUP_CLEAN] = "What to remove",
	[GROUP_WHICH] = "What to cover",
	[GROUP_HOW] = "How it is shown",
	[GROUP_OTHER] = "Other",
};

static const char *const colour_names[COLOUR_CHOICES] = {
	[COLOUR_AUTO] = "auto", [COLOUR_NEVER] = "never", [COLOUR_8] = "8",
	[COLOUR_16] = "16",     [COLOUR_256] = "256",
};

/* The views of the screen, and those of reports; NULL if there is no such view. */
static const char *const screen_view_names[OPTION_VIEWS] = {
	[REPORT_SELF] = "self", [REPORT_HIER] = "hier", [REPORT_GRAPH] = "graph",
	[REPORT_TREE] = "tree", [OPTION_VIEW_WHY] = "why", [OPTION_VIEW_COUNTERS] = "counters",
	[OPTION_VIEW_FLAME] = "flame", [OPTION_VIEW_TIMELINE] = "timeline", [OPTION_VIEW_EVENTS] = "events",
	[OPTION_VIEW_FUNCTIONS] = "functions",
};

const char *const option_report_views[OPTION_VIEWS] = {
	[REPORT_SELF] = "self", [REPORT_HIER] = "hier", [REPORT_GRAPH] = "graph",
	[REPORT_TREE] = "tree", [OPTION_VIEW_COUNTERS] = "counters", [OPTION_VIEW_THREADS] = "threads",
	[OPTION_VIEW_FLAME] = "flame", [OPTION_VIEW_TIMELINE] = "timeline", [OPTION_VIEW_EVENTS] = "events",
	[OPTION_VIEW_WORST] = "worst", [OPTION_VIEW_FUNCTIONS] = "functions",
	[OPTION_VIEW_LINES] = "lines",
};

static const char *const by_names[BY_CHOICES] = { [BY_STACK] = "stack", [BY_ZONE] = "zone" };

static const char *const waits_names[WAITS_CHOICES] = { [WAITS_LAST] = "last", [WAITS_BY_SIZE] = "by-size" };

#define FIELD(name) .field = offsetof(struct options, name)
#define CHOICES(list, count) .choices = list, .choice_count = count

#define NAME_OR_PROGRAM "[NAME | -- program [argument...]]"
#define FRAME_OR_PROGRAM "[NAME[@N] | -- program [argument...]]"

const struct subcommand_def subcommands[SUBCOMMANDS] = {
	[SUBCOMMAND_SCREEN] = {
		.name = "screen", .operands = "[NAME... | -- program [argument...]]", .with = WITH_SCREEN,
		.most = OPTION_TARGETS, .program = true,
		.summary = "show the screen (the default)",
		.about = "Show where the program spends its time, live. This is what proftop does without a command. "
		         "On the screen, ? lists the keys.",
		.examples = { "proftop game", "proftop server client", "proftop -v tree game.prec" } },
	[SUBCOMMAND_RUN] = {
		.name = "run", .operands = "[--] program [argument...]", .with = WITH_SCREEN, .first = OPERAND_PROGRAM,
		.program = true,
		.summary = "run a program and show the screen (short: proftop -- program)",
		.about = "Run a program in a region of its own, and show the screen. Leaving the screen ends the program.",
		.examples = { "proftop run ./game --level 3", "proftop run --over 33 ./game" } },
	[SUBCOMMAND_REPORT] = {
		.name = "report", .operands = FRAME_OR_PROGRAM, .with = WITH_REPORT, .most = 1, .program = true,
		.summary = "print zones, a call graph, events, threads as text, JSON or CSV",
		.about = "Print a report as text, JSON or CSV. It covers the whole run so far, the last -n frames, or one "
		         "frame: NAME@12 is frame 12 of the run, if the history still has it, and NAME@-1 is the newest.",
		.examples = { "proftop report game", "proftop report -v graph -z ai -n 100 game",
			      "proftop report --csv -v tree -- ./game --seconds 5" } },
	[SUBCOMMAND_WHY] = {
		.name = "why", .operands = FRAME_OR_PROGRAM, .with = WITH_WHY, .most = 1, .program = true,
		.summary = "explain why a frame took longer than usual",
		.about = "Explain why a frame took longer than the median frame: which zone stacks, and whether by more "
		         "calls or by slower calls. The default is the longest frame that the history still has. NAME@12 is frame "
		         "12 of the run.",
		.examples = { "proftop why game", "proftop why game@1204", "proftop why --over 33 -- ./game" } },
	[SUBCOMMAND_STREAM] = {
		.name = "stream", .operands = NAME_OR_PROGRAM, .with = WITH_STREAM, .most = 1, .program = true,
		.summary = "print one line of JSON per frame",
		.about = "Print one line of JSON per frame. For a live process, print frames as they come: -n of them, or "
		         "until it ends. For a finished run, print all frames in the history, or the last -n.",
		.examples = { "proftop stream -n 1000 game", "proftop stream game.prec | jq .length_ns" } },
	[SUBCOMMAND_STACKS] = {
		.name = "stacks", .operands = NAME_OR_PROGRAM, .with = WITH_STACKS, .most = 1, .program = true,
		.summary = "print the open zones of each thread",
		.about = "Print the open zones of each thread. For a dead process, print the zones that were open when it "
		         "died, and for how long at least.",
		.examples = { "proftop stacks game" } },
	[SUBCOMMAND_RECORD] = {
		.name = "record", .operands = "-o FILE " NAME_OR_PROGRAM, .with = WITH_RECORD, .most = 1, .program = true,
		.required = "output",
		.summary = "record into a file, without a screen",
		.about = "Record the history so far, and everything until the program ends, you press Ctrl-C, or "
		         "--seconds have passed. With -n N, record only the last N frames. proftop FILE opens the recording. A trace "
		         "of another program becomes a recording, too.",
		.examples = { "proftop record -o game.prec game", "proftop record -o slow.prec --only-slow 33 game",
			      "proftop record -o trace.prec ./trace.json" } },
	[SUBCOMMAND_EXPORT] = {
		.name = "export", .operands = "KIND " FRAME_OR_PROGRAM, .with = WITH_EXPORT, .first = OPERAND_KIND,
		.most = 1, .program = true,
		.summary = "write a file for another program, or a web page",
		.about = "Export single calls as far as they are known, the time of each zone stack, or a web page with all "
		         "of it. Covers the whole run, or what -n, NAME@12 and -t select. NAME may also be a recording, or a "
		         "trace of another program: Chrome JSON, perf_timer, profile-visualiser, or folded stacks.",
		.examples = { "proftop export html -o game.html game", "proftop export chrome -o frame.json game@1204",
			      "proftop export folded ./trace.json | flamegraph.pl >game.svg" } },
	[SUBCOMMAND_DIFF] = {
		.name = "diff", .operands = "NAME[@N] NAME[@N]", .with = WITH_DIFF, .least = 2, .most = 2,
		.summary = "compare two regions, recordings or frames",
		.about = "Compare two regions, or two frames: NAME@12, or NAME@-1 for the newest. The second is compared with "
		         "the first: how much each zone stack changed, and whether by more calls or by slower calls.",
		.examples = { "proftop diff before.prec after.prec", "proftop diff game@12 game@-1" } },
	[SUBCOMMAND_CHECK] = {
		.name = "check", .operands = "CONDITION " NAME_OR_PROGRAM, .with = WITH_CHECK, .first = OPERAND_CONDITION,
		.most = 1, .program = true,
		.summary = "check a condition; the exit status says whether it holds",
		.about = "Check a condition on frame times, or on a zone in each frame. The exit status is 4 if the condition "
		         "does not hold, and 6 if that is not known, because frames or some of their zones are missing.",
		.topic = "Conditions: [zone NAME [hier|self|count]] [MEASURE] STAT OP VALUE[UNIT]\n"
		         "  p99<16.7ms                   the 99th percentile of frame times\n"
		         "  max<=33ms                    the longest frame\n"
		         "  zone ai mean<2ms             the time in ai per frame, with all that ai calls\n"
		         "  zone ai self p95<3ms         the time in ai itself\n"
		         "  zone ai count max<100        the calls of ai per frame\n"
		         "  off_cpu p99<1ms              a measure instead of time (report --measure)\n"
		         "  p50<10ms, max<33ms           several conditions: all have to hold\n"
		         "STAT: min, mean, median, max, or a percentile, such as p50 or p99.9\n"
		         "OP: < <= > >=\n"
		         "UNIT: ns, us, ms, s for times; K, M, G for measures; no unit for counts.\n",
		.examples = { "proftop check 'p99<=16.7ms, max<=33ms' -- ./bench --fast",
			      "proftop check -n 1000 'zone raycast self p95<3ms' game" } },
	[SUBCOMMAND_LIST] = {
		.name = "list", .operands = "", .with = WITH_LIST,
		.summary = "list the regions of this machine",
		.about = "List the regions of this machine, live ones first: name, process, state, age, size, seconds of "
		         "history, user, command. If there are any: losses, and a clock other than the counter of the "
		         "machine.",
		.examples = { "proftop list", "proftop list -j --any-user" } },
	[SUBCOMMAND_CLEAN] = {
		.name = "clean", .operands = "NAME | --dead", .with = WITH_CLEAN, .least = 1, .most = 1,
		.summary = "remove regions of dead processes",
		.about = "Remove the region NAME, if its process is proved dead. Asks first.",
		.examples = { "proftop clean game", "proftop clean --dead -y" } },
	[SUBCOMMAND_HELP] = {
		.name = "help", .operands = "[COMMAND]", .with = WITH_HELP, .first = OPERAND_COMMAND,
		.summary = "explain a command and list its options",
		.about = "Explain a command and list its options. Without COMMAND, list all commands." },
};

const char *const option_with_names[] = {
	"the screen",
	"report",
	"report -v tree",
	"report -v flame",
	"report -v graph",
	"report -v counters",
	"report -v threads",
	"report -v timeline",
	"report -v events",
	"report -v worst",
	"why",
	"stream",
	"stacks",
	"record",
	"export of single calls",
	"export of tables",
	"export of stacks",
	"export html",
	"export csv",
	"diff",
	"check",
	"list",
	"clean",
	"help",
	"report -v functions",
	"export samples-log",
	"report -v lines",
	"text",
	"-j",
	"--csv",
};

const struct option_pair option_pairs[] = {
	{ "json", "csv", NULL },
	{ "frame-event", "frame-zone", NULL },
	{ "config", "no-config", NULL },
	{ "frames", "from", NULL },
	{ "frames", "to", NULL },
	{ "frames", "over", NULL },
	/* -n of a recording covers the last frames */
	{ "frames", "seconds", NULL },
	{ "frames", "only-slow", NULL },
	{ "frames", "max-size", NULL },
	{ "max-size", "output", "-" },
};
const size_t option_pair_count = sizeof(option_pairs) / sizeof(*option_pairs);

const struct option_value option_values[] = {
	{ "thread", "each", WITH_ZONES | WITH_GRAPH | (WITH_EXPORT & ~WITH_SAMPLES_LOG) },
	{ "unit", "pct", WITH_SCREEN | WITH_ZONES | WITH_GRAPH }, /* a difference has no percentage */
};
const size_t option_value_count = sizeof(option_values) / sizeof(*option_values);

const struct option_hint option_hints[] = {
	{ "-1", "proftop report NAME" },
	{ "--once", "proftop report NAME" },
	{ "--export", "proftop export KIND [-o FILE] NAME" },
	{ "-l", "proftop list" },
	{ "--freeze-over", "proftop --over TIME NAME, or proftop why --over TIME NAME" },
	{ "notes", "proftop report -v events NAME; on the screen, press E" },
	{ "flame", "proftop -v flame NAME, or proftop report -v flame NAME; for tools that draw flame graphs, "
		   "proftop export folded NAME" },
	{ "flamegraph", "proftop -v flame NAME; for tools that draw flame graphs, proftop export folded NAME" },
	{ "worst", "proftop report -v worst NAME; on the screen, press 9. proftop why NAME explains the longest frame" },
	{ "frames", "proftop stream NAME prints a line per frame" },
	{ "calls", "proftop report -v timeline NAME, or proftop export chrome NAME" },
	{ "compare", "proftop diff NAME NAME" },
	{ "perfetto", "proftop export chrome -o FILE NAME" },
	{ "attach", "proftop NAME" },
	{ "version", "proftop -V" },
	{ "ls", "proftop list" },
	{ "ps", "proftop list" },
	{ "rm", "proftop clean NAME" },
};
const size_t option_hint_count = sizeof(option_hints) / sizeof(*option_hints);

const struct option_status option_statuses[] = {
	{ EXIT_DONE, "success", WITH_ALL & ~WITH_CHECK },
	{ EXIT_DONE, "the condition holds", WITH_CHECK },
	{ EXIT_FAILED, "failure", WITH_ALL },
	{ EXIT_USAGE, "wrong usage", WITH_ALL },
	{ EXIT_ABSENT, "no such region, file or program", (WITH_REGION | WITH_EXPORT | WITH_RECORD) & ~WITH_DIFF },
	{ EXIT_ABSENT, "no such region or file", WITH_DIFF },
	{ EXIT_ABSENT, "no such region", WITH_CLEAN },
	{ EXIT_FALSE, "the condition does not hold", WITH_CHECK },
	{ EXIT_NOT_OURS, "not a region, damaged, or another version", WITH_REGION | WITH_EXPORT | WITH_RECORD | WITH_CLEAN },
	{ EXIT_UNKNOWN, "not known whether the condition holds", WITH_CHECK },
	{ EXIT_UNKNOWN, "a thread could not be read", WITH_REPORTS | WITH_EXPORT | WITH_DIFF },
};
const size_t option_status_count = sizeof(option_statuses) / sizeof(*option_statuses);

const struct option_def option_table[] = {
	{ .letter = 'j', .name = "json", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(json),
	  .with = (WITH_REPORTS & ~WITH_FLAME) | WITH_STACKS | WITH_DIFF | WITH_CHECK | WITH_LIST,
	  .help = "Print one JSON document: the report and everything that it is made of." },
	{ .name = "csv", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(csv),
	  .with = WITH_FLAT | WITH_TREE | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_EVENT_LIST | WITH_WORST | WITH_FUNCTIONS |
	          WITH_LINES | WITH_STACKS,
	  .help = "Print the report as comma-separated values." },
	{ .name = "spreadsheet", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(spreadsheet), .needs = "csv",
	  .with = WITH_FLAT | WITH_TREE | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_EVENT_LIST | WITH_WORST | WITH_FUNCTIONS |
	          WITH_LINES | WITH_STACKS,
	  .help = "With --csv: put an apostrophe before names that begin with = + - or @, which a spreadsheet takes "
	          "for a formula." },
	{ .letter = 'o', .name = "output", .argument = "FILE", .kind = KIND_TEXT, .group = GROUP_WHAT, FIELD(output),
	  .with = WITH_SCREEN,
	  .help = "Record into FILE beside the screen, as proftop record does." },
	{ .letter = 'o', .name = "output", .argument = "FILE", .kind = KIND_TEXT, .group = GROUP_WHAT, FIELD(output),
	  .with = WITH_REPORTS | WITH_EXPORT,
	  .help = "Write to FILE, not to standard output. FILE is replaced when all is written." },
	{ .letter = 'o', .name = "output", .argument = "FILE", .kind = KIND_TEXT, .group = GROUP_WHAT, FIELD(output),
	  .with = WITH_RECORD,
	  .help = "Record into FILE; - is standard output." },
	{ .name = "dead", .kind = KIND_FLAG, .group = GROUP_CLEAN, FIELD(dead),
	  .with = WITH_CLEAN, .is_target = true,
	  .help = "List the regions of dead processes, and remove each that you confirm. If a new program takes the name "
	          "meanwhile, its region stays." },
	{ .letter = 'y', .name = "yes", .kind = KIND_FLAG, .group = GROUP_CLEAN, FIELD(yes),
	  .with = WITH_CLEAN,
	  .help = "Do not ask. What is removed is printed all the same." },

	{ .name = "name", .argument = "NAME", .kind = KIND_TARGET, .group = GROUP_WHICH, FIELD(targets),
	  .with = WITH_REGION | WITH_EXPORT | WITH_RECORD | WITH_CLEAN, .no_program = true,
	  .help = "The region of this name, also if it is called like a command." },
	{ .letter = 'n', .name = "frames", .argument = "N", .kind = KIND_COUNT, .group = GROUP_WHICH,
	  FIELD(frames), .least = 1, .most = 1000000000,
	  .with = WITH_REPORTS | WITH_EXPORT,
	  .help = "Cover the last N complete frames instead of the whole run. Wait until there are N, or until the "
	          "program ends. Discarded frames do not count." },
	{ .letter = 'n', .name = "frames", .argument = "N", .kind = KIND_COUNT, .group = GROUP_WHICH,
	  FIELD(frames), .least = 1, .most = 1000000000,
	  .with = WITH_RECORD,
	  .help = "Record the last N complete frames, and nothing that comes later. Wait until there are N, or until the "
	          "program ends. The file also has the totals of the whole run; report -n N FILE covers only the frames." },
	{ .letter = 'n', .name = "frames", .argument = "N", .kind = KIND_COUNT, .group = GROUP_WHICH,
	  FIELD(frames), .least = 1, .most = 1000000000,
	  .with = WITH_STREAM,
	  .help = "Print N frames: the next ones of a live program, or the last ones of a finished run. The default is "
	          "all." },
	{ .letter = 'n', .name = "frames", .argument = "N", .kind = KIND_COUNT, .group = GROUP_WHICH,
	  FIELD(frames), .least = 1, .most = 1000000000,
	  .with = WITH_CHECK,
	  .help = "If the program runs already, check the next N frames; the default is 600. If it has ended, check the "
	          "last N; the default is all. With -- program, run it to its end first. If there are fewer frames, check "
	          "these." },
	{ .name = "from", .argument = "TIME", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(from),
	  .with = WITH_TIMELINE | WITH_EVENTS | WITH_TABLES,
	  .help = "With -v timeline, and in exports of single calls: begin this long before the end, as -3.2s or "
	          "800ms. The default is where known calls begin." },
	{ .name = "to", .argument = "TIME", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(to),
	  .with = WITH_TIMELINE | WITH_EVENTS | WITH_TABLES,
	  .help = "Likewise: stop this long before the end." },
	{ .name = "each-frame", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(each_frame),
	  .with = WITH_TABLES,
	  .help = "In table-tree and table-flat: write a table for each frame." },
	{ .name = "seconds", .argument = "SEC", .kind = KIND_REAL, .group = GROUP_WHICH, FIELD(seconds),
	  .with = WITH_RECORD,
	  .help = "Record for this many seconds." },
	{ .name = "only-slow", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_WHICH, FIELD(only_slow_ms),
	  .with = WITH_RECORD | WITH_SCREEN, .needs = "output",
	  .help = "Record only frames that take longer, 33 for ms or 30fps, with one second before and "
	          "after each." },
	{ .name = "no-calls", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(no_calls),
	  .with = WITH_RECORD | WITH_SCREEN, .needs = "output",
	  .help = "Do not record single calls. They are the largest part of a recording." },
	{ .name = "max-size", .argument = "SIZE", .kind = KIND_SIZE, .group = GROUP_WHICH, FIELD(max_size),
	  .with = WITH_RECORD | WITH_SCREEN, .needs = "output",
	  .help = "Limit the size of the recording, for example 20M. At half of it, FILE becomes FILE.1 and a new FILE "
	          "begins. The two files together never exceed the limit and hold the newest data. If more comes at "
	          "once than half of it holds, the oldest is left out, and the recording says how much." },
	{ .name = "frame-event", .argument = "EVENT", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(frame_event),
	  .with = WITH_TRACE, .no_program = true,
	  .help = "In a trace of another program: each event of this name ends a frame." },
	{ .name = "frame-zone", .argument = "ZONE", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(frame_zone),
	  .with = WITH_TRACE, .no_program = true,
	  .help = "In a trace of another program: each call of this zone is a frame." },
	{ .name = "merge-threads", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(merge_threads),
	  .with = WITH_TRACE, .no_program = true,
	  .help = "In a trace of another program: merge threads of the same name that do not run at the same time." },
	{ .name = "anomalies", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(anomalies),
	  .with = WITH_TRACE & ~WITH_SCREEN, .no_program = true,
	  .help = "In a trace of another program: list all faults on standard error, with line or byte." },
	{ .letter = 't', .name = "thread", .argument = "THREAD", .kind = KIND_TEXT,
	  .group = GROUP_WHICH, FIELD(thread),
	  .with = WITH_SCREEN,
	  .help = "Show one thread, by its name or id. Threads of the same name are merged. `all' merges all threads. The "
	          "default is the frame thread, which marks the frames, or all if the frame thread mostly waits for "
	          "others." },
	{ .letter = 't', .name = "thread", .argument = "THREAD", .kind = KIND_TEXT,
	  .group = GROUP_WHICH, FIELD(thread),
	  .with = (WITH_REPORT & ~WITH_WORST) | WITH_EXPORT,
	  .help = "Cover one thread, by its name or id. Threads of the same name are merged. `all' merges all threads, "
	          "and is the default. `each' keeps threads apart, in the views of zones and in exports." },
	{ .letter = 't', .name = "thread", .argument = "THREAD", .kind = KIND_TEXT,
	  .group = GROUP_WHICH, FIELD(thread),
	  .with = WITH_WHY | WITH_STREAM | WITH_STACKS | WITH_DIFF | WITH_CHECK,
	  .help = "Cover one thread, by its name or id, or all threads of this name. `all' is the default." },
	{ .name = "sample", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(sample), .for_program = true,
	  .with = WITH_SCREEN | WITH_REPORTS | WITH_STREAM | WITH_RECORD | WITH_EXPORT,
	  .help = "With -- program: take 1,000 samples a second of CPU time, to see which functions use it. Views of "
	          "zones then show samples, unless --measure says another quantity. PROF_SAMPLE sets another rate. A program "
	          "without libprof gets libprof.so preloaded, and frames of a tenth of a second." },
	{ .letter = 'w', .name = "wait", .argument = "SEC", .kind = KIND_REAL,
	  .group = GROUP_WHICH, FIELD(wait_s),
	  .with = WITH_SCREEN, .no_program = true,
	  .help = "Wait this many seconds for the region to appear. The default is forever." },
	{ .letter = 'w', .name = "wait", .argument = "SEC", .kind = KIND_REAL,
	  .group = GROUP_WHICH, FIELD(wait_s),
	  .with = (WITH_REGION | WITH_EXPORT | WITH_RECORD) & ~WITH_SCREEN, .no_program = true,
	  .help = "Wait this many seconds for the region to appear. The default is 0." },
	{ .name = "any-user", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(any_user),
	  .with = WITH_REGION | WITH_EXPORT | WITH_RECORD | WITH_LIST, .no_program = true,
	  .help = "Allow regions of other users." },

	{ .letter = 'v', .name = "view", .argument = "VIEW", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(view), CHOICES(screen_view_names, OPTION_VIEWS), .setting = "view",
	  .with = WITH_SCREEN,
	  .about = "The first view, as in the option -v.",
	  .help = "The first view. self: zones, by the time in each zone itself (the default). hier: by the time "
	          "including everything inside (others call it inclusive or total). graph: who calls a zone, and what "
	          "it calls. tree: zone stacks from the root down. why: why a frame took longer than the median frame. "
	          "counters: their values. flame: the tree as boxes, each as wide as its time. timeline: single calls "
	          "on a time axis, one lane per thread. events: events and notes. functions: where samples were taken." },
	{ .letter = 'v', .name = "view", .argument = "VIEW", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(view), CHOICES(option_report_views, OPTION_VIEWS),
	  .with = WITH_REPORT,
	  .help = "self: zones, by the time in each zone itself (the default). hier: by the time including everything "
	          "inside (others call it inclusive or total). graph: who calls the zone of -z, and what it calls. tree: "
	          "zone stacks from the root down. counters: their values. threads: how busy each thread was, and its "
	          "current zone. flame: the tree as boxes, each as wide as its time. timeline: single calls on a time "
	          "axis, one lane per thread. events: events and notes. worst: the longest frames, and the zone that "
	          "took most of the extra time. functions: the functions in which samples were taken, if the program "
	          "takes samples. lines: the lines of source, of all functions or of that of -z." },
	{ .letter = 'z', .name = "zone", .argument = "ZONE", .kind = KIND_TEXT, .group = GROUP_HOW,
	  FIELD(zone),
	  .with = WITH_SCREEN | WITH_GRAPH | WITH_LINES,
	  .help = "The zone of the call graph, or for -v lines a function, or the zone that called the functions: its name, or name@file:line if several zones have this name. With "
	          "--spread, name(2) is the second level of its recursion." },
	{ .name = "measure", .argument = "KEY", .kind = KIND_TEXT, .group = GROUP_HOW, FIELD(measure),
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_WHY | WITH_DIFF | WITH_THREADS,
	  .help = "Show another quantity than time, if the program or the trace has it: samples, alloc_bytes, or one "
	          "of its own. entries is always there. A number with >= before it is a lower bound: some amounts are not "
	          "known." },
	{ .name = "measure", .argument = "KEY", .kind = KIND_TEXT, .group = GROUP_HOW, FIELD(measure),
	  .with = WITH_PAGE | WITH_SUMS,
	  .help = "Write another quantity than time: samples, for example. Only folded, speedscope-sums, callgrind and pprof do. A web page "
	          "has all quantities, and opens with this one." },
	{ .letter = 's', .name = "sort", .argument = "KEY", .kind = KIND_TEXT, .group = GROUP_HOW,
	  FIELD(sort), .unset = "auto", .setting = "sort",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_WORST,
	  .help = "Sort by a column; -s help lists them. auto: the main column of the view.",
	  .about = "The column to sort by; proftop report -s help lists them. auto: the main column of the view." },
	{ .letter = 'f', .name = "filter", .argument = "FILTER", .kind = KIND_TEXT,
	  .group = GROUP_HOW, FIELD(filter),
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_EVENT_LIST,
	  .help = "Show only rows whose name contains this text, in upper or lower case. This filters zones; "
	          "in the view counters it filters counters, in the view events, events and notes. After ~ the text is "
	          "an extended regular expression." },
	{ .letter = 'f', .name = "filter", .argument = "FILTER", .kind = KIND_TEXT,
	  .group = GROUP_HOW, FIELD(filter),
	  .with = WITH_STREAM,
	  .help = "Print only zones whose name contains this text, in upper or lower case. After ~ it is an extended "
	          "regular expression." },
	{ .name = "spread", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(spread), .setting = "spread",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_WHY | WITH_DIFF | WITH_STREAM | WITH_CHECK,
	  .help = "Show each depth of recursion as a zone of its own: name, name(2), and so on." },
	{ .name = "bottom-up", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(bottom_up), .setting = "bottom-up",
	  .with = WITH_SCREEN | WITH_TREE | WITH_FLAME,
	  .help = "Show trees and flames from the bottom up: each zone with all of its self time (hier_ns in CSV, hier "
	          "in JSON), and its callers below it." },
	{ .name = "waits", .argument = "WHERE", .kind = KIND_CHOICE, .group = GROUP_HOW, FIELD(waits),
	  CHOICES(waits_names, WAITS_CHOICES), .setting = "waits", .with = WITH_SCREEN | WITH_ZONES,
	  .about = "Where to put waiting zones and (no zone).",
	  .help = "Where to put waiting zones and (no zone): last (the default), or by-size among the others." },
	{ .name = "by", .argument = "WHAT", .kind = KIND_CHOICE, .group = GROUP_HOW, FIELD(by),
	  CHOICES(by_names, BY_CHOICES), .setting = "by", .with = WITH_SCREEN | WITH_WHY | WITH_DIFF,
	  .about = "What a row of the view why is: stack, a zone with its callers, or zone.",
	  .help = "What a row is: stack, a zone with its callers (the default), or zone." },
	{ .name = "top", .argument = "ROWS", .kind = KIND_COUNT, .group = GROUP_HOW, FIELD(top), .least = 1,
	  .most = 1000000000, .with = WITH_WHY | WITH_DIFF,
	  .help = "Print only this many rows per thread, those that differ most. The sum still "
	          "covers all rows." },
	{ .name = "top", .argument = "ROWS", .kind = KIND_COUNT, .group = GROUP_HOW, FIELD(top), .least = 1,
	  .most = 1000000000, .with = WITH_WORST,
	  .help = "With -v worst: print only this many frames. The default is 1000." },
	{ .name = "min", .argument = "PERCENT", .kind = KIND_REAL, .group = GROUP_HOW, FIELD(least),
	  .with = WITH_WHY | WITH_DIFF,
	  .help = "Print only rows with at least this share of the difference of their thread." },
	{ .name = "min", .argument = "PERCENT", .kind = KIND_REAL, .group = GROUP_HOW, FIELD(least),
	  .with = WITH_FUNCTIONS | WITH_LINES | WITH_SAMPLES_LOG,
	  .help = "Print only functions or lines with at least this share of all samples. The default is 1." },
	{ .name = "min-samples", .argument = "N", .kind = KIND_COUNT, .group = GROUP_HOW, FIELD(least_samples), .least = 0,
	  .most = 1000000000, .with = WITH_FUNCTIONS | WITH_LINES | WITH_SAMPLES_LOG,
	  .help = "Print only functions or lines with at least so many samples. The default is 10." },
	{ .name = "no-events", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_events),
	  .with = WITH_REPORTS | WITH_STREAM | WITH_TEXT | WITH_JSON,
	  .help = "Leave events out of reports. Notes stay." },
	{ .name = "average", .argument = "SLOT", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(average), CHOICES(average_names, AVERAGE_SLOTS), .setting = "average",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH,
	  .about = "The average to show: now, the newest frame; fast and slow, over about 0.8 and 2.5 s; run, the "
	           "whole run. The default is fast.",
	  .help = "Show an average frame instead of totals: now, the newest frame; fast and slow, over about 0.8 "
	          "and 2.5 s; run, everything that is covered." },
	{ .letter = 'u', .name = "unit", .argument = "UNIT", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(unit), CHOICES(unit_names, UNITS), .setting = "unit",
	  .with = WITH_SCREEN | WITH_TIMES | WITH_TEXT | WITH_CSV,
	  .help = "The unit of times. auto: the unit that suits each column. pct: SELF and HIER in percent of "
	          "the covered time." },
	{ .name = "precision", .argument = "N", .kind = KIND_COUNT, .group = GROUP_HOW,
	  FIELD(precision), .least = 0, .most = 9, .unset = "auto", .setting = "precision",
	  .with = WITH_SCREEN | WITH_TIMES | WITH_TEXT | WITH_CSV,
	  .help = "The decimals of times. auto: what suits the unit." },
	{ .letter = 'b', .name = "budget", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_HOW,
	  FIELD(budget_ms), .setting = "budget",
	  .with = WITH_SCREEN | WITH_PAGE | WITH_WORST,
	  .about = "The frame budget, 16.7 for ms or 60fps. Longer frames stand out. 0: no budget.",
	  .help = "The frame budget, 16.7 for ms or 60fps. Longer frames stand out." },
	{ .name = "worst", .argument = "ORDER", .kind = KIND_CHOICE, .group = GROUP_HOW, FIELD(worst),
	  CHOICES(worst_names, WORST_ORDERS), .setting = "worst", .with = WITH_SCREEN,
	  .about = "The order of the worst frames, in the view Worst and for the key w: length, or busy (length "
	           "without declared waits).",
	  .help = "The order of the worst frames: length (the default), or busy (length without declared "
	          "waits)." },
	{ .name = "over", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_WHICH, FIELD(over_ms),
	  .with = WITH_SCREEN,
	  .help = "Pause at the first frame that takes longer, 33 for ms or 30fps." },
	{ .name = "over", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_WHICH, FIELD(over_ms),
	  .with = WITH_WHY,
	  .help = "Wait for the first frame that takes longer, 33 for ms or 30fps, and explain that one." },
	{ .name = "subtract-overhead", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(subtract),
	  .with = WITH_SUMS | WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_WHY,
	  .help = "Subtract the profiling cost from times: half of a calibrated pair per entry from the zone, and "
	          "half from its caller." },
	{ .name = "log-axis", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(log_axis), .setting = "log-axis",
	  .with = WITH_SCREEN,
	  .about = "yes: the axis of the frame graph is logarithmic.",
	  .help = "Make the axis of the frame graph logarithmic, for frames of very different length." },
	{ .letter = 'd', .name = "delay", .argument = "SEC", .kind = KIND_REAL, .group = GROUP_HOW,
	  FIELD(redraw_s), .floor = OPTION_REDRAW_S, .setting = "delay",
	  .with = WITH_SCREEN,
	  .about = "Seconds between two updates of the screen. 0.1 is the default and the minimum.",
	  .help = "Seconds between two updates. 0.1 is the default and the minimum." },
	{ .letter = 'M', .name = "no-mouse", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_mouse), .setting = "mouse", .opposite = true,
	  .with = WITH_SCREEN,
	  .about = "yes: proftop uses the mouse. no: the terminal uses it to select text.",
	  .help = "Switch the mouse off, so that the terminal can select text." },
	{ .name = "no-title", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_title), .setting = "title", .opposite = true,
	  .with = WITH_SCREEN,
	  .about = "yes: the title of the terminal names the program. no: proftop does not change the title.",
	  .help = "Do not change the title of the terminal." },
	{ .letter = 'U', .name = "ascii", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(ascii), .setting = "ascii",
	  .with = (WITH_REGION & ~WITH_STREAM) | WITH_LIST | WITH_TEXT,
	  .about = "yes: draw with ASCII only. If the locale is not UTF-8, this is always so.",
	  .help = "Print ASCII only. If the locale is not UTF-8, this is always so." },
	{ .letter = 'C', .name = "color", .argument = "WHEN", .kind = KIND_CHOICE,
	  .group = GROUP_HOW, FIELD(colour), CHOICES(colour_names, COLOUR_CHOICES), .setting = "color",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_EVENT_LIST | WITH_WORST |
	          WITH_TEXT,
	  .about = "auto: as many colours as the terminal has, unless NO_COLOR is set. A number: at most this many "
	           "colours.",
	  .help = "auto: use colours on a terminal, unless NO_COLOR is set (the default). A number: use this many "
	          "colours, wherever the output goes." },

	{ .name = "theme", .argument = "THEME", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(theme), CHOICES(theme_names, THEMES), .setting = "theme",
	  .with = WITH_SCREEN,
	  .help = "Choose the colours. colour-blind does not need red and green to be told apart. terminal "
	          "keeps the background of the terminal, dark or light. mono has no colours.",
	  .about = "The colours of the screen. colour-blind does not need red and green to be told apart. terminal "
	           "keeps the background of the terminal, dark or light. mono has no colours." },
	{ .name = "config", .argument = "FILE", .kind = KIND_TEXT, .group = GROUP_HOW, FIELD(config),
	  .with = WITH_SCREEN,
	  .help = "Read the settings of proftop.conf(5) from this file, and save them there." },
	{ .name = "no-config", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_config),
	  .with = WITH_SCREEN,
	  .help = "Neither read nor save settings." },

	{ .letter = 'h', .name = "help", .kind = KIND_HELP, .group = GROUP_OTHER, FIELD(help),
	  .with = WITH_ALL,
	  .help = "Print this list." },
	{ .letter = 'V', .name = "version", .kind = KIND_FLAG, .group = GROUP_OTHER, FIELD(version),
	  .with = WITH_SCREEN,
	  .help = "Print the versions of proftop, of the region's format and of the libraries used." },
};

_Static_assert(sizeof(option_table) / sizeof(*option_table) <= OPTIONS_MOST, "one each in struct parsing");
const size_t option_count = sizeof(option_table) / sizeof(*option_table);

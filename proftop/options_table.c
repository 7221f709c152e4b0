/* SPDX-License-Identifier: MIT */
#include "proftop/options_table.h"

#include "model/base/format.h"
#include "model/report/columns.h"
#include "model/report/file_kinds.h"
#include "model/stats/average.h"
#include "model/stats/worst.h"
#include "tui/cells/theme.h"

const char *const option_group_titles[GROUPS] = {
	[GROUP_WHAT] = "What to do",
	[GROUP_WHICH] = "Of what",
	[GROUP_HOW] = "How it is shown",
	[GROUP_OTHER] = "Other",
};

static const char *const colour_names[COLOUR_CHOICES] = {
	[COLOUR_AUTO] = "auto", [COLOUR_NEVER] = "never", [COLOUR_8] = "8",
	[COLOUR_16] = "16",     [COLOUR_256] = "256",
};

static const char *const view_names[OPTION_VIEWS] = {
	[REPORT_SELF] = "self", [REPORT_HIER] = "hier", [REPORT_GRAPH] = "graph",
	[REPORT_TREE] = "tree", [OPTION_VIEW_WHY] = "why", [OPTION_VIEW_COUNTERS] = "counters",
	[OPTION_VIEW_THREADS] = "threads", [OPTION_VIEW_FLAME] = "flame", [OPTION_VIEW_TIMELINE] = "timeline",
};

static const char *const by_names[BY_CHOICES] = { [BY_STACK] = "stack", [BY_ZONE] = "zone" };

static const char *const waits_names[WAITS_CHOICES] = { [WAITS_LAST] = "last", [WAITS_BY_SIZE] = "by-size" };

#define FIELD(name) .field = offsetof(struct options, name)
#define CHOICES(list, count) .choices = list, .choice_count = count

const struct option_def option_table[] = {
	{ .letter = '1', .name = "once", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(once),
	  .with = WITH_RECORD | WITH_REPORTS | WITH_FREEZE | WITH_STACKS | WITH_DIFF | WITH_CHECK,
	  .help = "Print a report and exit: as text, if nothing else is said." },
	{ .letter = 'j', .name = "json", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(json),
	  .with = WITH_REPORTS | WITH_FREEZE | WITH_STACKS | WITH_DIFF | WITH_CHECK | WITH_LIST,
	  .help = "Print one JSON document: the report and all that it is made of. With -l the list, "
		  "with --stacks the stacks." },
	{ .name = "csv", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(csv),
	  .with = WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_CSV,
	  .help = "Print the report as comma-separated values." },
	{ .name = "spreadsheet", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(spreadsheet),
	  .with = WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_CSV,
	  .help = "With --csv: a name that begins with = + - or @, which a spreadsheet takes for a formula, gets "
		  "an apostrophe in front." },
	{ .name = "export", .argument = "KIND", .kind = KIND_EXPORT, .group = GROUP_WHAT, FIELD(export),
	  CHOICES(file_kind_names, FILE_KINDS),
	  .with = WITH_REPORTS | WITH_EXPORT,
	  .help = "Write a file for another program, to stdout if no FILE is named: `--export help' lists the kinds. Single "
		  "calls as far as they are known, or what was spent in each zone stack, or a page with all of that, of the whole "
		  "run or of what -n, NAME@12 and -t say." },
	{ .name = "stream", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(stream),
	  .with = WITH_STREAM,
	  .help = "Print a line of JSON a frame, as frames come: of a live process those from now on, "
		  "-n of them or until it ends; of one that is over all that are held, or the last -n. "
		  "Takes -t, -f and --spread." },
	{ .name = "stacks", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(stacks),
	  .with = WITH_STACKS,
	  .help = "Print the zones that are open in each thread; of a dead process, those that were "
		  "open when it died, and how long at least." },
	{ .name = "diff", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(diff),
	  .with = WITH_DIFF | WITH_NO_PROGRAM,
	  .help = "Compare two, which are named one after the other: regions, or frames of them, as "
		  "NAME@12, and NAME@-1 for the newest. The second is set against the first: by how much "
		  "each zone stack changed, and whether by its calls or by what a call costs." },
	{ .name = "check", .argument = "CONDITION", .kind = KIND_TEXT, .group = GROUP_WHAT, FIELD(check),
	  .with = WITH_CHECK,
	  .help = "Exit with 4 if it does not hold of the next frames, -n of them, or of those of a program that "
		  "is over, and with 6 if that is not known: 'p99<16.7ms' of frame times, 'zone raycast self "
		  "p95<3ms' of a zone in each frame." },
	{ .letter = 'o', .name = "output", .argument = "FILE", .kind = KIND_TEXT, .group = GROUP_WHAT, FIELD(output),
	  .with = WITH_SCREEN | WITH_RECORD,
	  .help = "Record into FILE (- is standard output), beside the screen, or with -1 alone: what is known of the past, "
		  "and what comes, until the program ends, --seconds, -n frames or Ctrl-C. proftop FILE opens it." },
	{ .letter = 'l', .name = "list", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(list),
	  .with = WITH_LIST | WITH_NO_PROGRAM,
	  .help = "List the regions of this machine, live ones first: name, process, state, age, size, how many "
		  "seconds of history they hold, user, command; where there is any, what was "
		  "lost, and a clock that is not the machine's counter." },
	{ .name = "clean", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(clean),
	  .with = WITH_CLEAN | WITH_NO_PROGRAM,
	  .help = "Remove the region NAME, or with --dead all regions, if their process is proved "
		  "dead. Asks before it does." },
	{ .name = "dead", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(dead),
	  .with = WITH_CLEAN,
	  .help = "With --clean: all regions of dead processes." },
	{ .letter = 'y', .name = "yes", .kind = KIND_FLAG, .group = GROUP_WHAT, FIELD(yes),
	  .with = WITH_CLEAN,
	  .help = "With --clean: do not ask." },

	{ .letter = 'n', .name = "frames", .argument = "N", .kind = KIND_COUNT, .group = GROUP_WHICH,
	  FIELD(frames), .least = 1, .most = 1000000000,
	  .with = WITH_REPORTS | WITH_EXPORT | WITH_STREAM | WITH_CHECK | WITH_RECORD,
	  .help = "Cover the last N complete frames instead of the whole run; wait until there are N "
		  "or the program ends. Discarded frames do not count." },
	{ .name = "from", .argument = "TIME", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(from),
	  .with = WITH_TIMELINE | WITH_EVENTS,
	  .help = "With -v timeline, and --export of single calls: from so long before the end on, -3.2s or 800ms; else from "
		  "where calls are known." },
	{ .name = "to", .argument = "TIME", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(to),
	  .with = WITH_TIMELINE | WITH_EVENTS,
	  .help = "Likewise: until so long before the end." },
	{ .name = "each-frame", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(each_frame),
	  .with = WITH_EVENTS,
	  .help = "With --export=table-tree and table-flat: tables of each frame, which are many." },
	{ .name = "seconds", .argument = "SEC", .kind = KIND_REAL, .group = GROUP_WHICH, FIELD(seconds),
	  .with = WITH_RECORD,
	  .help = "With -1 -o: record for so long." },
	{ .name = "only-slow", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_WHICH, FIELD(only_slow_ms),
	  .with = WITH_RECORD | WITH_SCREEN,
	  .help = "With -o: record only frames that take longer, 33 for ms or 30fps, with a second before and behind each." },
	{ .name = "no-calls", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(no_calls),
	  .with = WITH_RECORD | WITH_SCREEN,
	  .help = "With -o: record no single calls, which are most of a recording." },
	{ .name = "max-size", .argument = "SIZE", .kind = KIND_SIZE, .group = GROUP_WHICH, FIELD(max_size),
	  .with = WITH_RECORD | WITH_SCREEN,
	  .help = "With -o: at half of that, as 20M, FILE becomes FILE.1 and a new one begins: so the newest is there, and both "
		  "never take more." },
	{ .name = "frame-event", .argument = "EVENT", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(frame_event),
	  .with = WITH_REGION | WITH_PAGE | WITH_RECORD | WITH_NO_PROGRAM,
	  .help = "Of a trace of another program: each event of that name ends a frame." },
	{ .name = "frame-zone", .argument = "ZONE", .kind = KIND_TEXT, .group = GROUP_WHICH, FIELD(frame_zone),
	  .with = WITH_REGION | WITH_PAGE | WITH_RECORD | WITH_NO_PROGRAM,
	  .help = "Of a trace of another program: each call of that zone is a frame." },
	{ .name = "merge-threads", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(merge_threads),
	  .with = WITH_REGION | WITH_PAGE | WITH_RECORD | WITH_NO_PROGRAM,
	  .help = "Of a trace of another program: threads of one name that are not there at the same time are one." },
	{ .name = "anomalies", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(anomalies),
	  .with = WITH_REPORTS | WITH_STREAM | WITH_STACKS | WITH_DIFF | WITH_CHECK | WITH_PAGE | WITH_RECORD | WITH_NO_PROGRAM,
	  .help = "List on standard error what is wrong in a trace of another program, with its line or byte." },
	{ .letter = 't', .name = "thread", .argument = "THREAD", .kind = KIND_TEXT,
	  .group = GROUP_WHICH, FIELD(thread),
	  .with = WITH_REGION | WITH_EXPORT,
	  .help = "A thread by its name, of several all merged, or by its id; `each' for a section a thread, "
		  "`all' for all threads merged. A report is of all if nothing is said, the screen of the thread "
		  "that marks frames." },
	{ .letter = 'w', .name = "wait", .argument = "SEC", .kind = KIND_REAL,
	  .group = GROUP_WHICH, FIELD(wait_s),
	  .with = WITH_REGION | WITH_EXPORT | WITH_RECORD | WITH_NO_PROGRAM,
	  .help = "Wait so long for the region to appear. A report does not wait if it is not told to; "
		  "the screen waits without end." },
	{ .name = "any-user", .kind = KIND_FLAG, .group = GROUP_WHICH, FIELD(any_user),
	  .with = WITH_REGION | WITH_EXPORT | WITH_RECORD | WITH_LIST | WITH_NO_PROGRAM,
	  .help = "Also regions of other users." },

	{ .letter = 'v', .name = "view", .argument = "VIEW", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(view), CHOICES(view_names, OPTION_VIEWS), .setting = "view",
	  .with = WITH_SCREEN | WITH_REPORTS,
	  .about = "The view that is open at first: that of the option -v. threads is of reports alone.",
	  .help = "self: by the time in each zone itself (the default). hier: with all that runs "
		  "inside. graph: who calls the zone of -z, and what it calls. tree: the zone "
		  "stacks from the root down. why: what made a frame, the worst one unless another is named, "
		  "longer than the median. counters: their values. threads: of each how busy it was and what it is in; on "
		  "the screen T shows that. flame: the tree as boxes, each as wide as its time. timeline: single calls on "
		  "the axis of time, a lane a thread." },
	{ .letter = 'z', .name = "zone", .argument = "ZONE", .kind = KIND_TEXT, .group = GROUP_HOW,
	  FIELD(zone),
	  .with = WITH_SCREEN | WITH_GRAPH,
	  .help = "The zone of the call graph: its name, name@file:line where several have it, "
		  "and with --spread name(2) for its second level of recursion." },
	{ .letter = 's', .name = "sort", .argument = "KEY", .kind = KIND_TEXT, .group = GROUP_HOW,
	  FIELD(sort), .unset = "auto", .setting = "sort",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_COUNTERS,
	  .help = "Sort by a column; `help' lists them. auto: by what the view is about.",
	  .about = "The column that rows are sorted by; proftop -s help lists them. auto: what the view is "
		   "about." },
	{ .letter = 'f', .name = "filter", .argument = "FILTER", .kind = KIND_TEXT,
	  .group = GROUP_HOW, FIELD(filter),
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_STREAM,
	  .help = "Only rows whose zone contains this text, whatever its case; behind a ~ it is an "
		  "extended regular expression." },
	{ .name = "spread", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(spread), .setting = "spread",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_WHY | WITH_FREEZE | WITH_DIFF | WITH_STREAM | WITH_CHECK,
	  .help = "Each depth of recursion is a zone of its own: name, name(2), and so on." },
	{ .name = "bottom-up", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(bottom_up), .setting = "bottom-up",
	  .with = WITH_SCREEN | WITH_ZONES,
	  .help = "Trees and flames from the bottom up: each zone with all of its self time, below it its callers." },
	{ .name = "waits", .argument = "WHERE", .kind = KIND_CHOICE, .group = GROUP_HOW, FIELD(waits),
	  CHOICES(waits_names, WAITS_CHOICES), .setting = "waits", .with = WITH_SCREEN | WITH_ZONES,
	  .about = "Where zones that wait, and (no zone), stand.",
	  .help = "Zones that wait, and (no zone), stand last (the default), or by-size among the others." },
	{ .name = "by", .argument = "WHAT", .kind = KIND_CHOICE, .group = GROUP_HOW, FIELD(by),
	  CHOICES(by_names, BY_CHOICES), .setting = "by", .with = WITH_SCREEN | WITH_WHY | WITH_FREEZE | WITH_DIFF,
	  .about = "What a row of the view why is.",
	  .help = "What a row of why and --diff is: stack, a zone and who called it (the default), or zone." },
	{ .name = "top", .argument = "ROWS", .kind = KIND_COUNT, .group = GROUP_HOW, FIELD(top), .least = 1,
	  .most = 1000000000, .with = WITH_WHY | WITH_FREEZE | WITH_DIFF,
	  .help = "Of why and --diff only so many rows of a thread, those that differ most; the sum is of all." },
	{ .name = "min", .argument = "PERCENT", .kind = KIND_REAL, .group = GROUP_HOW, FIELD(least),
	  .with = WITH_WHY | WITH_FREEZE | WITH_DIFF,
	  .help = "Of why and --diff only rows of at least that much of their thread's difference." },
	{ .name = "no-events", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_events),
	  .with = WITH_REPORTS | WITH_FREEZE | WITH_STREAM | WITH_TEXT | WITH_JSON,
	  .help = "Leave events out of reports, those that come by the thousand among them; notes stay." },
	{ .name = "average", .argument = "SLOT", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(average), CHOICES(average_names, AVERAGE_SLOTS), .setting = "average",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH,
	  .about = "The average that is shown: now, the newest frame; fast and slow, over about 0.8 and "
		   "2.5 s; run, the whole run. fast is the default.",
	  .help = "An average frame instead of totals: now, the newest frame; fast and slow, over "
		  "about 0.8 and 2.5 s; run, over all that is covered." },
	{ .letter = 'u', .name = "unit", .argument = "UNIT", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(unit), CHOICES(unit_names, UNITS), .setting = "unit",
	  .with = WITH_SCREEN | WITH_TIMES | WITH_TEXT | WITH_CSV,
	  .help = "The unit of times; auto: what suits each column; pct: SELF and HIER as parts of "
		  "the wall time that is covered." },
	{ .name = "precision", .argument = "N", .kind = KIND_COUNT, .group = GROUP_HOW,
	  FIELD(precision), .least = 0, .most = 9, .unset = "auto", .setting = "precision",
	  .with = WITH_SCREEN | WITH_TIMES | WITH_TEXT | WITH_CSV,
	  .help = "Digits behind the point of times; auto: what suits the unit." },
	{ .letter = 'b', .name = "budget", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_HOW,
	  FIELD(budget_ms), .setting = "budget",
	  .with = WITH_SCREEN | WITH_PAGE,
	  .about = "The time that a frame may take, 16.7 for ms or 60fps; longer ones stand out. 0: none.",
	  .help = "Screen, and --export=html: the time that a frame may take, 16.7 for ms or 60fps; longer ones stand out." },
	{ .name = "worst", .argument = "ORDER", .kind = KIND_CHOICE, .group = GROUP_HOW, FIELD(worst),
	  CHOICES(worst_names, WORST_ORDERS), .setting = "worst", .with = WITH_SCREEN,
	  .about = "The order of the worst frames, in the view Worst and for the key w: length, or busy, the length without "
		   "declared waits.",
	  .help = "Screen: the worst frames are the longest (length, the default), or those with most work (busy): length "
		  "without declared waits." },
	{ .name = "freeze-over", .argument = "TIME", .kind = KIND_BUDGET, .group = GROUP_HOW,
	  FIELD(freeze_ms),
	  .with = WITH_SCREEN | WITH_FREEZE,
	  .help = "Screen: pause on the first frame that takes longer, 33 for ms or 30fps. With -1 or -j: wait "
		  "for such a frame, and print why it took so long." },
	{ .name = "subtract-overhead", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(subtract),
	  .with = WITH_SUMS | WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_WHY | WITH_FREEZE,
	  .help = "Take what measuring costs off the times: of each entry half of what a pair took when it "
		  "was calibrated off the zone, and half off its caller." },
	{ .name = "log-axis", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(log_axis), .setting = "log-axis",
	  .with = WITH_SCREEN,
	  .about = "yes: the frame graph has a logarithmic axis for the lengths of frames.",
	  .help = "Screen: a logarithmic axis in the frame graph, for lengths of frames that are far apart." },
	{ .letter = 'd', .name = "delay", .argument = "SEC", .kind = KIND_REAL, .group = GROUP_HOW,
	  FIELD(redraw_s), .setting = "delay",
	  .with = WITH_SCREEN,
	  .about = "Time between two looks at the program, in seconds; 0.1 is the default, and the least.",
	  .help = "Screen: time between two looks at the program; 0.1 is the default, and the least." },
	{ .letter = 'M', .name = "no-mouse", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_mouse), .setting = "mouse", .opposite = true,
	  .with = WITH_SCREEN,
	  .about = "yes: the mouse is for proftop. no: it is for the terminal's own selection.",
	  .help = "Screen: leave the mouse to the terminal." },
	{ .letter = 'U', .name = "ascii", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(ascii), .setting = "ascii",
	  .with = WITH_REGION | WITH_LIST | WITH_TEXT,
	  .about = "Nothing but ASCII on the screen; so it is when the locale is not UTF-8.",
	  .help = "Print nothing but ASCII; so it is when the locale is not UTF-8." },
	{ .letter = 'C', .name = "color", .argument = "WHEN", .kind = KIND_CHOICE,
	  .group = GROUP_HOW, FIELD(colour), CHOICES(colour_names, COLOUR_CHOICES), .setting = "color",
	  .with = WITH_SCREEN | WITH_ZONES | WITH_GRAPH | WITH_COUNTERS | WITH_THREADS | WITH_TEXT,
	  .about = "auto: as many colours as the terminal has, unless NO_COLOR is set. A number: so many, "
		   "if it has them.",
	  .help = "auto: colours on a terminal, unless NO_COLOR is set (the default). A number: "
		  "so many colours, wherever the output goes." },

	{ .name = "theme", .argument = "NAME", .kind = KIND_CHOICE, .group = GROUP_HOW,
	  FIELD(theme), CHOICES(theme_names, THEMES), .setting = "theme",
	  .with = WITH_SCREEN,
	  .help = "Screen: how it is coloured. colour-blind does without telling red from green; terminal keeps to the "
		  "background that the terminal has, dark or light; mono "
		  "without colours.",
	  .about = "How the screen is coloured. colour-blind does without telling red from green; terminal keeps to the "
		  "background that the terminal has, dark or light; mono "
		   "without colours." },
	{ .name = "config", .argument = "FILE", .kind = KIND_TEXT, .group = GROUP_HOW, FIELD(config),
	  .with = WITH_SCREEN,
	  .help = "Screen: read the settings of proftop.conf(5) from this file, and save them there." },
	{ .name = "no-config", .kind = KIND_FLAG, .group = GROUP_HOW, FIELD(no_config),
	  .with = WITH_SCREEN,
	  .help = "Screen: neither read settings nor save them." },

	{ .letter = 'h', .name = "help", .kind = KIND_HELP, .group = GROUP_OTHER, FIELD(help),
	  .help = "Print this list." },
	{ .letter = 'V', .name = "version", .kind = KIND_FLAG, .group = GROUP_OTHER, FIELD(version),
	  .help = "Print the versions of proftop, of the region's format and of the libraries used." },
};

_Static_assert(sizeof(option_table) / sizeof(*option_table) <= 64, "a bit each in options_go_together");
const size_t option_count = sizeof(option_table) / sizeof(*option_table);

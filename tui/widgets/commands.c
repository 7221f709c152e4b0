/* SPDX-License-Identifier: MIT */
#include "tui/widgets/commands.h"

#include "tui/cells/roff.h"
#include "tui/term/term.h"


const char *const command_group_titles[COMMAND_GROUPS] = {
	[COMMANDS_MOVE] = "Moving",
	[COMMANDS_TIME] = "Time",
	[COMMANDS_WHAT] = "What is shown",
	[COMMANDS_HOW] = "How it is shown",
	[COMMANDS_OTHER] = "The program",
};

const struct command_def commands[COMMANDS] = {
	[COMMAND_UP] = {
		.keys = { TERM_UP, 'k' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "↑ k", .ascii = "Up k",
		.help = "The row above. The cursor stays on its zone when rows are sorted anew.",
	},
	[COMMAND_DOWN] = {
		.keys = { TERM_DOWN, 'j' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "↓ j", .ascii = "Down j", .help = "The row below.",
	},
	[COMMAND_PAGE_UP] = {
		.keys = { TERM_PAGE_UP, TERM_CONTROL('B') }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "PgUp", .help = "A page up.",
	},
	[COMMAND_PAGE_DOWN] = {
		.keys = { TERM_PAGE_DOWN, TERM_CONTROL('F') }, .place = PLACE_TABLE,
		.group = COMMANDS_MOVE, .shown = "PgDn", .help = "A page down; in the help Space does so, too.",
	},
	[COMMAND_FIRST] = {
		.keys = { TERM_HOME, 'g' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "Home g", .help = "The first row.",
	},
	[COMMAND_LAST] = {
		.keys = { TERM_END, 'G' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "End G", .help = "The last row.",
	},
	[COMMAND_DRILL] = {
		.keys = { TERM_RIGHT, TERM_ENTER, '\n', 'l' }, .place = PLACE_TABLE,
		.group = COMMANDS_MOVE, .shown = "→ Enter l", .ascii = "Right Enter l",
		.label = "Drill", .footer = 9,
		.help = "Into the call graph of the zone; on a caller or a child, that becomes the "
			"middle. On a counter, an event or a note: to its frame.",
	},
	[COMMAND_BACK] = {
		.keys = { TERM_LEFT, TERM_BACKSPACE }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "← Backspace", .ascii = "Left Backspace", .label = "Back", .footer = 8,
		.help = "Back along what was drilled, and at its start to the report it began in.",
	},
	[COMMAND_CALLER] = {
		.keys = { 'u' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "u",
		.label = "Caller", .footer = 3,
		.help = "Into the caller with the largest time.",
	},
	[COMMAND_PATH] = {
		.keys = { 'P' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "P",
		.label = "Path", .footer = 2,
		.help = "Path focus: only the stacks that contain the path that was drilled, or the "
			"zone of the row, in all views; the self view then is the zone with all its "
			"descendants, flat. Again: all stacks.",
	},
	[COMMAND_UNFOLD] = {
		.keys = { '+', '=' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "+",
		.label = "Unfold", .footer = 5, .help = "Tree: unfold the row.",
	},
	[COMMAND_FOLD] = {
		.keys = { '-' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "-",
		.label = "Fold", .footer = 5,
		.help = "Tree: fold the row; where there is nothing to fold, the row above it.",
	},
	[COMMAND_UNFOLD_ALL] = {
		.keys = { '*' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "*",
		.label = "All", .footer = 4,
		.help = "Tree: unfold everything; where everything is unfolded, fold everything.",
	},
	[COMMAND_BOX_LEFT] = {
		.keys = { TERM_LEFT }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "← (boxes)",
		.ascii = "Left (boxes)", .help = "In the flame and the timeline: the box to the left, on the same level. Up: its caller. "
						 "Down: what it calls, the longest, or in the timeline the first.",
	},
	[COMMAND_BOX_RIGHT] = {
		.keys = { TERM_RIGHT }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "→ (boxes)",
		.ascii = "Right (boxes)", .help = "The box to the right.",
	},
	[COMMAND_BOX_LONGEST] = {
		.keys = { 's' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "s (boxes)",
		.help = "To the longest box inside of the cursor's: where its time goes, level by level.",
	},
	[COMMAND_CALL_BEFORE] = {
		.keys = { '<' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "< (timeline)",
		.help = "The single call of the cursor's zone that began before this one, whoever called it, in all lanes.",
	},
	[COMMAND_CALL_AFTER] = {
		.keys = { '>' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "> (timeline)",
		.help = "The next single call of the zone.",
	},
	[COMMAND_BOX_IN] = {
		.keys = { TERM_ENTER, '\n' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "Enter (boxes)",
		.label = "Zoom", .footer = 9,
		.help = "Zoom: the box becomes as wide as the screen; again: into the call graph of its zone, as l.",
	},
	[COMMAND_BOX_OUT] = {
		.keys = { TERM_BACKSPACE }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "Backspace (boxes)",
		.label = "Zoom out", .footer = 8, .help = "Back to what was zoomed before.",
	},
	[COMMAND_BOX_WAITS] = {
		.keys = { 'H' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "H (flame)",
		.label = "Waits", .footer = 4, .help = "Hide the zones that wait: boxes are as wide as the work in them. Again: show them.",
	},
	[COMMAND_BOX_NEARER] = {
		.keys = { '+', '=' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "+ (timeline)", .label = "Nearer",
		.footer = 6, .help = "In the timeline: two thirds of the time, around the call of the cursor.",
	},
	[COMMAND_BOX_FARTHER] = {
		.keys = { '-' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "- (timeline)", .label = "Farther",
		.footer = 6, .help = "Half as much time again. PgUp and PgDn pan, Home and End go to the oldest and the newest.",
	},
	[COMMAND_BOX_FRAME] = {
		.keys = { '0' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "0 (timeline)", .label = "Frame",
		.footer = 5, .help = "The frame that is shown, live the newest, as wide as the screen.",
	},
	[COMMAND_MEASURE] = {
		.keys = { '|' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "| (timeline)", .label = "Measure",
		.footer = 5, .help = "Measure from the call of the cursor to where it goes then. Enter: all views are of that time "
				     "alone, with the parts of calls that lie in it, until Esc or another frame. Again: let go.",
	},
	[COMMAND_LANE_FOLD] = {
		.keys = { 'z' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "z (timeline)", .label = "Fold",
		.footer = 3, .help = "Fold the lane of the cursor to one row; again: unfold it.",
	},
	[COMMAND_LANE_FOLD_ALL] = {
		.keys = { '*' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "* (timeline)",
		.help = "Fold all lanes; where all are folded, unfold them.",
	},
	[COMMAND_LANE_COUNTERS] = {
		.keys = { 'K' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "K (timeline)", .label = "Counters",
		.footer = 2, .help = "Counters below the lanes, frame by frame; again: without.",
	},
	[COMMAND_LANE_HEAT] = {
		.keys = { '!' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "! (timeline)", .label = "Heat",
		.footer = 3, .help = "Colours by how much longer a call took than calls of its stack do in the whole run; again: by "
				     "zone. While a frame is set against another (d) it is by that one.",
	},
	[COMMAND_PAUSE] = {
		.keys = { 'p', 'Z' }, .group = COMMANDS_TIME, .shown = "p Z", .label = "Pause",
		.footer = 10,
		.help = "Pause, and browse the frames that have passed; again: live. The program is "
			"recorded on meanwhile.",
	},
	[COMMAND_OLDER] = {
		.keys = { '[', TERM_SHIFT_LEFT }, .group = COMMANDS_TIME, .shown = "[ Shift-←",
		.ascii = "[ Shift-Left", .label = "Older", .footer = 7, .help = "The frame before. The first one pauses.",
	},
	[COMMAND_NEWER] = {
		.keys = { ']', TERM_SHIFT_RIGHT }, .group = COMMANDS_TIME, .shown = "] Shift-→",
		.ascii = "] Shift-Right", .label = "Newer", .footer = 7, .help = "The frame after.",
	},
	[COMMAND_OLDER_10] = {
		.keys = { '{', TERM_CONTROL_LEFT }, .group = COMMANDS_TIME, .shown = "{ Ctrl-←", .ascii = "{ Ctrl-Left",
		.help = "Ten frames back.",
	},
	[COMMAND_NEWER_10] = {
		.keys = { '}', TERM_CONTROL_RIGHT }, .group = COMMANDS_TIME, .shown = "} Ctrl-→", .ascii = "} Ctrl-Right",
		.help = "Ten frames on.",
	},
	[COMMAND_EVENT_BEFORE] = {
		.keys = { '(' }, .group = COMMANDS_TIME, .shown = "(", .label = "Event",
		.footer = 4,
		.help = "The frame before in which something happened: a note, or an event that not every "
			"fourth frame has.",
	},
	[COMMAND_EVENT_AFTER] = {
		.keys = { ')' }, .group = COMMANDS_TIME, .shown = ")",
		.help = "The next frame in which something happened.",
	},
	[COMMAND_OVER_BEFORE] = {
		.keys = { '#' }, .group = COMMANDS_TIME, .shown = "#",
		.help = "The previous frame over the budget. b sets the budget.",
	},
	[COMMAND_OVER_AFTER] = {
		.keys = { '$' }, .group = COMMANDS_TIME, .shown = "$",
		.help = "The next frame over the budget.",
	},
	[COMMAND_WORST] = {
		.keys = { 'w' }, .group = COMMANDS_TIME, .shown = "w", .label = "Worst", .footer = 7,
		.help = "The longest frame; again: the next longest. Frames that were kept alone are among them. If the view "
			"Worst (9) is sorted by BUSY, w goes by busy time: by length without declared waits.",
	},
	[COMMAND_WORST_BACK] = {
		.keys = { 'W' }, .group = COMMANDS_TIME, .shown = "W",
		.help = "Back towards the worst frame.",
	},
	[COMMAND_FOLLOW] = {
		.keys = { 'F' }, .group = COMMANDS_TIME, .shown = "F",
		.help = "Follow the program: live, at the newest frame.",
	},
	[COMMAND_GRAPH] = {
		.keys = { TERM_TAB, TERM_BACK_TAB }, .group = COMMANDS_TIME, .shown = "Tab",
		.label = "Frames", .footer = 6,
		.help = "Between the table and the frame graph; of several programs, from each to the next.",
	},
	[COMMAND_MARK] = {
		.keys = { 'm' }, .group = COMMANDS_TIME, .shown = "m",
		.help = "With a letter: mark the frame that is shown, live the newest one. The same "
			"mark on the same frame takes it away.",
	},
	[COMMAND_GO_TO_MARK] = {
		.keys = { '\'', '`' }, .group = COMMANDS_TIME, .shown = "'",
		.help = "With a letter: to the frame that has this mark.",
	},
	[COMMAND_BUDGET] = {
		.keys = { 'b' }, .group = COMMANDS_TIME, .shown = "b", .label = "Budget",
		.footer = 1,
		.help = "Set the budget of a frame, in ms or as 60fps; empty: none. Frames over it stand out.",
	},
	[COMMAND_FREEZE] = {
		.keys = { 'B' }, .group = COMMANDS_TIME, .shown = "B", .label = "Freeze", .footer = 1,
		.help = "Pause on the next frame over the budget, with what came before it and shortly after; "
			"again: no longer.",
	},
	[COMMAND_WHY] = {
		.keys = { 'd' }, .group = COMMANDS_TIME, .shown = "d", .label = "Why", .footer = 8,
		.help = "Why the frame took as long as it did: against the median frame, or what D chose. "
			"Again: without.",
	},
	[COMMAND_WHY_BASE] = {
		.keys = { 'D' }, .group = COMMANDS_TIME, .shown = "D", .label = "Base", .footer = 4,
		.help = "Choose what the frame is set against: the median frame, the one before, the shortest, "
			"the average, a marked one.",
	},
	[COMMAND_SLOWEST_CALL] = {
		.keys = { 'J' }, .group = COMMANDS_TIME, .shown = "J",
		.help = "Call graph: to the frame in which the slowest call of the zone ended.",
	},
	[COMMAND_COMPARE] = {
		.keys = { 'c' }, .group = COMMANDS_TIME, .shown = "c",
		.help = "Compare the frames before mark A with those before mark B, or without one with the newest (m A, "
			"m B): medians of the frame and of each zone, and whether there is evidence that they changed.",
	},
	[COMMAND_SCRUB_LEFT] = {
		.keys = { TERM_LEFT }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "← (graph)", .ascii = "Left (graph)", .label = "Scrub", .footer = 9,
		.help = "In the frame graph: a column back.",
	},
	[COMMAND_SCRUB_RIGHT] = {
		.keys = { TERM_RIGHT }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "→ (graph)", .ascii = "Right (graph)", .label = "Scrub", .footer = 8,
		.help = "A column on.",
	},
	[COMMAND_PAN_LEFT] = {
		.keys = { TERM_PAGE_UP }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "PgUp (graph)", .help = "Pan to older frames, half of what is in sight.",
	},
	[COMMAND_PAN_RIGHT] = {
		.keys = { TERM_PAGE_DOWN }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "PgDn (graph)", .help = "Pan to newer frames.",
	},
	[COMMAND_ZOOM_IN] = {
		.keys = { TERM_UP, '+', '=' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "↑ + (graph)", .ascii = "Up + (graph)", .label = "Zoom in", .footer = 5,
		.help = "Zoom in: half as many frames a column.",
	},
	[COMMAND_ZOOM_OUT] = {
		.keys = { TERM_DOWN, '-' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "↓ - (graph)", .ascii = "Down - (graph)", .label = "Zoom out",
		.footer = 5, .help = "Zoom out: a column is the longest of twice as many frames.",
	},
	[COMMAND_OLDEST] = {
		.keys = { TERM_HOME, 'g' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "Home (graph)", .help = "The oldest frame that is held.",
	},
	[COMMAND_NEWEST] = {
		.keys = { TERM_END, 'G' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "End (graph)", .help = "The newest one.",
	},
	[COMMAND_VIEW_SELF] = {
		.keys = { '1' }, .group = COMMANDS_WHAT, .shown = "1",
		.help = "Self: by the time in each zone itself.",
	},
	[COMMAND_VIEW_HIER] = {
		.keys = { '2' }, .group = COMMANDS_WHAT, .shown = "2",
		.help = "Hierarchical: by the time in each zone and all that runs inside it.",
	},
	[COMMAND_VIEW_GRAPH] = {
		.keys = { '3' }, .group = COMMANDS_WHAT, .shown = "3",
		.help = "Call graph of the zone: who calls it, and what it calls.",
	},
	[COMMAND_VIEW_TREE] = {
		.keys = { '4' }, .group = COMMANDS_WHAT, .shown = "4",
		.help = "Tree: the zone stacks, from the root down.",
	},
	[COMMAND_VIEW_WHY] = {
		.keys = { '5' }, .group = COMMANDS_WHAT, .shown = "5",
		.help = "Why: the zone stacks that made the frame longer or shorter than another one, by how "
			"much, and whether by more calls or by dearer ones.",
	},
	[COMMAND_VIEW_TIMELINE] = {
		.keys = { '6' }, .group = COMMANDS_WHAT, .shown = "6",
		.help = "Timeline: single calls as boxes on the axis of time, a lane a thread, as far back as they are known. "
			"Moving in it pauses.",
	},
	[COMMAND_VIEW_COUNTERS] = {
		.keys = { '7' }, .group = COMMANDS_WHAT, .shown = "7",
		.help = "Counters: of the frames in sight, paused of the frame, and below them that of the "
			"row frame by frame. Enter: the frame in which it was most.",
	},
	[COMMAND_VIEW_EVENTS] = {
		.keys = { 'E' }, .group = COMMANDS_WHAT, .shown = "E",
		.help = "Events and notes, the newest last; an event that comes often is one row, with how many a second. Enter: the frame in which it happened.",
	},
	[COMMAND_VIEW_FLAME] = {
		.keys = { '8' }, .group = COMMANDS_WHAT, .shown = "8", .label = "Flame", .footer = 3,
		.help = "Flame: the tree as boxes, each as wide as its time and under its caller. Against another frame "
			"(d) boxes say by how much they differ.",
	},
	[COMMAND_VIEW_WORST] = {
		.keys = { '9' }, .group = COMMANDS_WHAT, .shown = "9",
		.help = "Worst: the worst frames, the longest first, or sorted by BUSY those in which most work was done. Enter "
			"goes to the frame.",
	},
	[COMMAND_STACKS] = {
		.keys = { 'o' }, .group = COMMANDS_WHAT, .shown = "o", .label = "Open", .footer = 2,
		.help = "The zones that are open in each thread, and for how long they have been; of a dead "
			"program those that it died in.",
	},
	[COMMAND_THREADS] = {
		.keys = { 'T' }, .group = COMMANDS_WHAT, .shown = "T", .label = "Threads",
		.footer = 4,
		.help = "Choose a thread, all of one name, or all merged: with how much of the newest 64 frames each was "
			"busy and waited, the longest that it was busy in one, and the zone that it is in now. In this list and others, typing leaves what has it.",
	},
	[COMMAND_THREAD_BEFORE] = {
		.keys = { ',' }, .group = COMMANDS_WHAT, .shown = ",", .help = "The thread before.",
	},
	[COMMAND_THREAD_AFTER] = {
		.keys = { '.' }, .group = COMMANDS_WHAT, .shown = ".", .help = "The next thread.",
	},
	[COMMAND_RECURSION] = {
		.keys = { 'R' }, .group = COMMANDS_WHAT, .shown = "R",
		.help = "Recursion merged, or spread: name(2) is the zone inside itself.",
	},
	[COMMAND_BY_ZONE] = {
		.keys = { 'z' }, .group = COMMANDS_WHAT, .shown = "z", .label = "By zone", .footer = 4,
		.help = "Why: a row a zone, or a row a stack of zones.",
	},
	[COMMAND_BOTTOM_UP] = {
		.keys = { 'U' }, .group = COMMANDS_WHAT, .shown = "U", .label = "Bottom up", .footer = 4,
		.help = "Tree and flame from the bottom up: each zone with all of its self time, below it its callers. Again: "
			"from the root down.",
	},
	[COMMAND_AVERAGE] = {
		.keys = { 'a' }, .group = COMMANDS_WHAT, .shown = "a", .label = "Average",
		.footer = 3,
		.help = "The next average: the newest frame, 0.8 s, 2.5 s, the whole run. Paused: "
			"the frame, or the whole run.",
	},
	[COMMAND_RESET] = {
		.keys = { 'r' }, .group = COMMANDS_WHAT, .shown = "r",
		.help = "Begin the averages anew, that of the whole run too.",
	},
	[COMMAND_SORT_LEFT] = {
		.keys = { '<' }, .group = COMMANDS_HOW, .shown = "<",
		.help = "Sort by the column to the left.",
	},
	[COMMAND_SORT_RIGHT] = {
		.keys = { '>' }, .group = COMMANDS_HOW, .shown = ">",
		.help = "Sort by the column to the right.",
	},
	[COMMAND_WAITS] = {
		.keys = { 'i' }, .group = COMMANDS_HOW, .shown = "i",
		.help = "Zones that wait, and (no zone), last, or by size among the others.",
	},
	[COMMAND_SORT] = {
		.keys = { 's' }, .group = COMMANDS_HOW, .shown = "s", .label = "Sort", .footer = 2,
		.help = "Choose the column to sort by.",
	},
	[COMMAND_INVERT] = {
		.keys = { 'I' }, .group = COMMANDS_HOW, .shown = "I", .help = "Sort the other way.",
	},
	[COMMAND_PIN] = {
		.keys = { ' ' }, .place = PLACE_TABLE, .group = COMMANDS_HOW, .shown = "Space",
		.label = "Pin", .footer = 1,
		.help = "Pin the zone, four at most: it stands above all others, and its self time in the "
			"bars of the frame graph. Again: let it go.",
	},
	[COMMAND_SEARCH] = {
		.keys = { '/' }, .group = COMMANDS_HOW, .shown = "/", .label = "Search", .footer = 6,
		.help = "Search for a zone: any part of its name, or behind a ~ a regular expression.",
	},
	[COMMAND_SEARCH_NEXT] = {
		.keys = { 'n' }, .group = COMMANDS_HOW, .shown = "n", .label = "Next", .footer = 5,
		.help = "The next one that was searched for.",
	},
	[COMMAND_SEARCH_BEFORE] = {
		.keys = { 'N' }, .group = COMMANDS_HOW, .shown = "N", .help = "The one before.",
	},
	[COMMAND_FILTER] = {
		.keys = { '\\', 'f' }, .group = COMMANDS_HOW, .shown = "\\ f", .label = "Filter",
		.footer = 5,
		.help = "Show only zones with a part in their name, or behind a ~ those that a regular "
			"expression matches; empty: all.",
	},
	[COMMAND_UNIT] = {
		.keys = { '%' }, .group = COMMANDS_HOW, .shown = "%", .label = "Unit", .footer = 1,
		.help = "The next unit: auto, ms, us, ns, percent of the frame.",
	},
	[COMMAND_PRECISION] = {
		.keys = { 'e' }, .group = COMMANDS_HOW, .shown = "e",
		.help = "Digits behind the point: the unit's own, 0 to 6.",
	},
	[COMMAND_OVERHEAD] = {
		.keys = { 'O' }, .group = COMMANDS_HOW, .shown = "O",
		.help = "Take what measuring costs off the times: of each entry half a calibrated pair off the "
			"zone, and half off its caller. Frames, MAX, heat, trend and times per frame stay as "
			"measured. Again: all times as measured.",
	},
	[COMMAND_LOG_AXIS] = {
		.keys = { 'x' }, .group = COMMANDS_HOW, .shown = "x",
		.help = "The lengths of frames in the frame graph on a logarithmic axis, on which frames of "
			"20 us and of 3 s are both seen. Again: a linear one.",
	},
	[COMMAND_COLOURS] = {
		.keys = { 'C' }, .group = COMMANDS_HOW, .shown = "C",
		.help = "Fewer colours: 256, 16, 8, none, as far as the terminal has them.",
	},
	[COMMAND_THEME] = {
		.keys = { 't' }, .group = COMMANDS_HOW, .shown = "t",
		.help = "The next theme: default, high-contrast, colour-blind, terminal, mono.",
	},
	[COMMAND_MOUSE] = {
		.keys = { 'M' }, .group = COMMANDS_HOW, .shown = "M",
		.help = "The mouse for proftop, or for the terminal's own selection.",
	},
	[COMMAND_ASCII] = {
		.keys = { 'L' }, .group = COMMANDS_HOW, .shown = "L",
		.help = "Line drawing in Unicode, or nothing but ASCII.",
	},
	[COMMAND_REDRAW] = {
		.keys = { TERM_CONTROL('L') }, .group = COMMANDS_HOW, .shown = "^L",
		.help = "Write the screen anew.",
	},
	[COMMAND_EDITOR] = {
		.keys = { 'v' }, .place = PLACE_TABLE, .group = COMMANDS_OTHER, .shown = "v",
		.label = "Source", .footer = 2,
		.help = "Open the zone's source in $VISUAL or $EDITOR, at its line.",
	},
	[COMMAND_COPY_ROW] = {
		.keys = { 'y' }, .place = PLACE_TABLE, .group = COMMANDS_OTHER, .shown = "y",
		.help = "Copy the row to the clipboard of the terminal (OSC 52), or to a file where it has "
			"none.",
	},
	[COMMAND_COPY_SCREEN] = {
		.keys = { 'Y' }, .group = COMMANDS_OTHER, .shown = "Y", .help = "Copy the screen, likewise.",
	},
	[COMMAND_RECORD] = {
		.keys = { 'V' }, .group = COMMANDS_OTHER, .shown = "V",
		.help = "Record into a file, whose name is asked for: what is known of the past, and what comes, until V is "
			"pressed again or the program ends. proftop FILE opens it.",
	},
	[COMMAND_EXPORT] = {
		.keys = { 'X' }, .group = COMMANDS_OTHER, .shown = "X",
		.help = "Export to a file for another program, of a list of kinds: the frame that is shown, the time that was "
			"measured, or else all that is known.",
	},
	[COMMAND_LINE] = {
		.keys = { ':' }, .group = COMMANDS_OTHER, .shown = ":",
		.help = "A command by its name, with its value; Tab completes it, `:help' lists them.",
	},
	[COMMAND_SAVE] = {
		.keys = { 'S' }, .group = COMMANDS_OTHER, .shown = "S",
		.help = "Save the view and its order, the average, units, the budget, colours and the like: "
			"proftop begins with them. See proftop.conf(5).",
	},
	[COMMAND_REGIONS] = {
		.keys = { 'A' }, .group = COMMANDS_OTHER, .shown = "A", .label = "Attach",
		.footer = 1, .help = "Choose another program of those that can be looked at, in place of the one in "
				      "focus.",
	},
	[COMMAND_HELP] = {
		.keys = { '?', 'h', TERM_F1 }, .group = COMMANDS_OTHER, .shown = "? h F1",
		.label = "Help", .footer = 20,
		.help = "Help: first on the view that is open, then all keys. / searches in it, n goes on.",
	},
	[COMMAND_QUIT] = {
		.keys = { 'q' }, .group = COMMANDS_OTHER, .shown = "q", .label = "Quit",
		.footer = 19,
		.help = "Out of what is open: a prompt, the help, the frame graph, the call graph, the "
			"pause; at last, out of proftop.",
	},
	[COMMAND_OUT] = {
		.keys = { TERM_ESCAPE }, .group = COMMANDS_OTHER, .shown = "Esc",
		.help = "Out of what is open, as q, and of a search; never out of proftop.",
	},
	[COMMAND_LEAVE] = {
		.keys = { 'Q' }, .group = COMMANDS_OTHER, .shown = "Q", .help = "Leave proftop at once.",
	},
};

static bool has_key(const struct command_def *def, uint32_t key)
{
	for (size_t i = 0; i < sizeof(def->keys) / sizeof(*def->keys) && def->keys[i]; i++)
		if (def->keys[i] == key)
			return true;
	return false;
}

enum command command_of_key(uint32_t key, enum command_place place)
{
	enum command otherwise = COMMAND_NONE;

	for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
		if (!has_key(&commands[c], key))
			continue;
		if (commands[c].place == place)
			return c;
		if (commands[c].place == PLACE_ANY || (commands[c].place == PLACE_TABLE && place == PLACE_BOXES))
			otherwise = c;
	}
	return otherwise;
}

void commands_roff(FILE *out)
{
	for (enum command_group g = 0; g < COMMAND_GROUPS; g++) {
		fprintf(out, ".SS %s\n", command_group_titles[g]);
		for (enum command c = COMMAND_NONE + 1; c < COMMANDS; c++) {
			const struct command_def *def = &commands[c];

			if (def->group != g)
				continue;
			fputs(".TP\n\\&\\fB", out);
			roff_text(def->ascii ? def->ascii : def->shown, out);
			fputs("\\fR\n", out);
			roff_text(def->help, out);
			fputc('\n', out);
		}
	}
}

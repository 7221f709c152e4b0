/* SPDX-License-Identifier: MIT */
#include "tui/widgets/commands.h"

#include "model/base/text.h"
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
		.help = "Move to the row above. @ keeps the cursor on its zone when rows change their order.",
	},
	[COMMAND_DOWN] = {
		.keys = { TERM_DOWN, 'j' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "↓ j", .ascii = "Down j", .help = "Move to the row below.",
	},
	[COMMAND_PAGE_UP] = {
		.keys = { TERM_PAGE_UP, TERM_CONTROL('B') }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "PgUp", .help = "Move a page up.",
	},
	[COMMAND_PAGE_DOWN] = {
		.keys = { TERM_PAGE_DOWN, TERM_CONTROL('F') }, .place = PLACE_TABLE,
		.group = COMMANDS_MOVE, .shown = "PgDn", .help = "Move a page down. In help, Space does the same.",
	},
	[COMMAND_FIRST] = {
		.keys = { TERM_HOME, 'g' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "Home g", .help = "Move to the first row.",
	},
	[COMMAND_LAST] = {
		.keys = { TERM_END, 'G' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "End G", .help = "Move to the last row.",
	},
	[COMMAND_DRILL] = {
		.keys = { TERM_RIGHT, TERM_ENTER, '\n', 'l' }, .place = PLACE_TABLE,
		.group = COMMANDS_MOVE, .shown = "→ Enter l", .ascii = "Right Enter l",
		.label = "Drill", .footer = 9,
		.help = "Open the call graph of the zone. On a caller or a child, that zone becomes the middle. On "
		        "a counter, an event or a note, go to its frame.",
	},
	[COMMAND_BACK] = {
		.keys = { TERM_LEFT, TERM_BACKSPACE, 'h' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE,
		.shown = "← Backspace h", .ascii = "Left Backspace h", .label = "Back", .footer = 8,
		.help = "Go back one step of the path, and from its start to the report where it began.",
	},
	[COMMAND_CALLER] = {
		.keys = { 'u' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "u",
		.label = "Caller", .footer = 3,
		.help = "Go to the caller with the most time.",
	},
	[COMMAND_PATH] = {
		.keys = { 'P' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "P",
		.label = "Focus", .footer = 2,
		.help = "Focus: show only the stacks that contain the path, or the zone of the row, in all "
		        "views. The Self view then lists the zone and all its descendants. Press it again for all "
		        "stacks.",
	},
	[COMMAND_UNFOLD] = {
		.keys = { '+', '=' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "+",
		.label = "Unfold", .footer = 5, .help = "In the tree, unfold the row.",
	},
	[COMMAND_FOLD] = {
		.keys = { '-' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "-",
		.label = "Fold", .footer = 5,
		.help = "In the tree, fold the row. If the row has nothing to fold, fold its parent.",
	},
	[COMMAND_UNFOLD_ALL] = {
		.keys = { '*' }, .place = PLACE_TABLE, .group = COMMANDS_MOVE, .shown = "*",
		.label = "All", .footer = 4,
		.help = "In the tree, unfold everything. Press it again to fold everything. In Functions, show all of them.",
	},
	[COMMAND_BOX_LEFT] = {
		.keys = { TERM_LEFT, 'h' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "← h (boxes)",
		.ascii = "Left h (boxes)", .help = "In the flame and the timeline, select the box to the left on the "
		                                 "same level. Up selects its caller. Down selects its longest "
		                                 "child, or in the timeline its first one.",
	},
	[COMMAND_BOX_RIGHT] = {
		.keys = { TERM_RIGHT, 'l' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "→ l (boxes)",
		.ascii = "Right l (boxes)", .help = "Select the box to the right.",
	},
	[COMMAND_BOX_LONGEST] = {
		.keys = { 's' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "s (boxes)",
		.label = "Longest", .help = "Select the longest box inside this one. Repeat it to follow the time, level by level.",
	},
	[COMMAND_CALL_BEFORE] = {
		.keys = { '<' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "< (timeline)",
		.label = "Prev call", .help = "Go to the previous call of the same zone, in any lane and from any caller.",
	},
	[COMMAND_CALL_AFTER] = {
		.keys = { '>' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "> (timeline)",
		.label = "Next call", .help = "Go to the next call of the same zone.",
	},
	[COMMAND_BOX_IN] = {
		.keys = { TERM_ENTER, '\n' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "Enter (boxes)",
		.label = "Zoom", .footer = 9,
		.help = "Zoom: the box fills the width of the screen. Press it again to open the call graph of its "
		        "zone.",
	},
	[COMMAND_BOX_OUT] = {
		.keys = { TERM_BACKSPACE }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "Backspace (boxes)",
		.label = "Back", .footer = 8, .help = "Go back to the previous zoom.",
	},
	[COMMAND_BOX_WAITS] = {
		.keys = { 'H' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "H (flame)",
		.label = "Waits", .footer = 4, .help = "Hide the zones that wait, so that boxes are as wide as "
		                                       "their work. Press it again to show them.",
	},
	[COMMAND_BOX_NEARER] = {
		.keys = { '+', '=' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "+ (timeline)", .label = "Zoom "
		    "in",
		.footer = 6, .help = "In the timeline, show two thirds of the time, around the selected call.",
	},
	[COMMAND_BOX_FARTHER] = {
		.keys = { '-' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "- (timeline)", .label = "Zoom "
		    "out",
		.footer = 6, .help = "In the timeline, show half as much time again. PgUp and PgDn pan. Home and "
		                     "End go to the oldest and the newest time.",
	},
	[COMMAND_BOX_FRAME] = {
		.keys = { '0' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "0 (timeline)", .label = "Frame",
		.footer = 5, .help = "Make the frame fill the width of the screen: the shown one, or the newest "
		                     "while live.",
	},
	[COMMAND_MEASURE] = {
		.keys = { '|' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "| (timeline)", .label = "Measure",
		.footer = 5, .help = "Measure from the selected call to the call where you go next. Enter makes all "
		                     "views show this time alone, until Esc or another frame. Press it again to "
		                     "cancel.",
	},
	[COMMAND_LANE_FOLD] = {
		.keys = { 'z' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "z (timeline)", .label = "Fold",
		.footer = 3, .help = "Fold the lane of the cursor to one row. Press it again to unfold it.",
	},
	[COMMAND_LANE_FOLD_ALL] = {
		.keys = { '*' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "* (timeline)",
		.help = "Fold all lanes. Press it again to unfold them.",
	},
	[COMMAND_LANE_COUNTERS] = {
		.keys = { 'K' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "K (timeline)", .label = "Counters",
		.footer = 2, .help = "Show counters below the lanes, frame by frame. Press it again to hide them.",
	},
	[COMMAND_LANE_HEAT] = {
		.keys = { '!' }, .place = PLACE_BOXES, .group = COMMANDS_MOVE, .shown = "! (timeline)", .label = "Heat",
		.footer = 3, .help = "Colour calls by how much longer they took than the mean call of the same stack. "
		                     "While the frame is compared with another (d), colours compare with that "
		                     "frame. Press it again to colour by zone.",
	},
	[COMMAND_PAUSE] = {
		.keys = { 'p', 'Z' }, .group = COMMANDS_TIME, .shown = "p Z", .label = "Pause",
		.footer = 10,
		.help = "Pause, and browse past frames. The program runs on and is still recorded. Press it again "
		        "to go live.",
	},
	[COMMAND_OLDER] = {
		.keys = { '[', TERM_SHIFT_LEFT }, .group = COMMANDS_TIME, .shown = "[ Shift-←",
		.ascii = "[ Shift-Left", .label = "Older", .footer = 7, .help = "Go to the previous frame. While "
		    "live, this pauses.",
	},
	[COMMAND_NEWER] = {
		.keys = { ']', TERM_SHIFT_RIGHT }, .group = COMMANDS_TIME, .shown = "] Shift-→",
		.ascii = "] Shift-Right", .label = "Newer", .footer = 7, .help = "Go to the next frame.",
	},
	[COMMAND_OLDER_10] = {
		.keys = { '{', TERM_CONTROL_LEFT }, .group = COMMANDS_TIME, .shown = "{ Ctrl-←", .ascii = "{ Ctrl-Left",
		.help = "Go ten frames back.",
	},
	[COMMAND_NEWER_10] = {
		.keys = { '}', TERM_CONTROL_RIGHT }, .group = COMMANDS_TIME, .shown = "} Ctrl-→", .ascii = "} Ctrl-Right",
		.help = "Go ten frames forward.",
	},
	[COMMAND_EVENT_BEFORE] = {
		.keys = { '(' }, .group = COMMANDS_TIME, .shown = "(", .label = "Event",
		.footer = 4,
		.help = "Go back to the previous frame that has a note or a rare event. An event is rare if less "
		        "than a quarter of the frames have it.",
	},
	[COMMAND_EVENT_AFTER] = {
		.keys = { ')' }, .group = COMMANDS_TIME, .shown = ")",
		.help = "Go to the next frame that has a note or a rare event.",
	},
	[COMMAND_OVER_BEFORE] = {
		.keys = { '#' }, .group = COMMANDS_TIME, .shown = "#",
		.label = "Prev over", .help = "The previous frame over the budget. b sets the budget.",
	},
	[COMMAND_OVER_AFTER] = {
		.keys = { '$' }, .group = COMMANDS_TIME, .shown = "$",
		.label = "Next over", .help = "The next frame over the budget. While live, the newest one.",
	},
	[COMMAND_WORST] = {
		.keys = { 'w' }, .group = COMMANDS_TIME, .shown = "w", .label = "Worst", .footer = 7,
		.help = "Go to the longest frame. Press it again for the next longest. Retained slow frames count "
		        "too. If the view Worst (9) is sorted by BUSY, w goes by busy time: length without declared "
		        "waits.",
	},
	[COMMAND_WORST_BACK] = {
		.keys = { 'W' }, .group = COMMANDS_TIME, .shown = "W",
		.help = "Go back towards the worst frame.",
	},
	[COMMAND_FOLLOW] = {
		.keys = { 'F' }, .group = COMMANDS_TIME, .shown = "F",
		.help = "Go live: follow the program at its newest frame.",
	},
	[COMMAND_GRAPH] = {
		.keys = { TERM_TAB, TERM_BACK_TAB }, .group = COMMANDS_TIME, .shown = "Tab",
		.label = "Frames", .footer = 6,
		.help = "Switch between the table and the frame graph. With several programs, go to the next "
		        "program.",
	},
	[COMMAND_MARK] = {
		.keys = { 'm' }, .group = COMMANDS_TIME, .shown = "m",
		.label = "Mark", .footer = 2, .help = "With a letter, mark the frame that is shown, or the newest while live. Enter takes the next "
		        "free letter. The same letter on the same frame removes the mark.",
	},
	[COMMAND_GO_TO_MARK] = {
		.keys = { '\'', '`' }, .group = COMMANDS_TIME, .shown = "'",
		.help = "With a letter, go to the frame that has this mark.",
	},
	[COMMAND_BUDGET] = {
		.keys = { 'b' }, .group = COMMANDS_TIME, .shown = "b", .label = "Budget",
		.footer = 2,
		.help = "Set the frame budget, in ms or as 60fps. Longer frames stand out. An empty budget switches "
		        "it off.",
	},
	[COMMAND_FREEZE] = {
		.keys = { 'B' }, .group = COMMANDS_TIME, .shown = "B", .label = "Catch", .footer = 1,
		.help = "Pause at the first frame over the budget, with the frames before it and shortly after it. "
		        "Press it again to cancel.",
	},
	[COMMAND_WHY] = {
		.keys = { 'd' }, .group = COMMANDS_TIME, .shown = "d", .label = "Why", .footer = 8,
		.help = "Explain why the frame took so long, against the usual frame or the base that D chose. "
		        "In Why, press it again to close the view. Esc ends the comparison.",
	},
	[COMMAND_WHY_BASE] = {
		.keys = { 'D' }, .group = COMMANDS_TIME, .shown = "D", .label = "Base", .footer = 4,
		.help = "Choose the base frame to compare with: the usual frame, the median, one of similar calls, the "
		        "previous, the shortest, the average, or a marked one.",
	},
	[COMMAND_SLOWEST_CALL] = {
		.keys = { 'J' }, .group = COMMANDS_TIME, .shown = "J",
		.label = "Slowest", .help = "In a call graph, go to the frame in which the slowest call of the zone ended.",
	},
	[COMMAND_COMPARE] = {
		.keys = { 'c' }, .group = COMMANDS_TIME, .shown = "c",
		.label = "Compare", .help = "Compare the frames before mark A with the frames before mark B (m A, m B), or with the "
		        "newest if there is no mark B. Shows medians of the frame and of each zone, and whether the "
		        "change is significant.",
	},
	[COMMAND_SCRUB_LEFT] = {
		.keys = { TERM_LEFT }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "← (graph)", .ascii = "Left (graph)", .label = "Scrub", .footer = 9,
		.help = "In the frame graph, move a column back.",
	},
	[COMMAND_SCRUB_RIGHT] = {
		.keys = { TERM_RIGHT }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "→ (graph)", .ascii = "Right (graph)", .label = "Scrub", .footer = 8,
		.help = "Move a column forward.",
	},
	[COMMAND_PAN_LEFT] = {
		.keys = { TERM_PAGE_UP }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "PgUp (graph)", .help = "Pan to older frames, by half of the visible range.",
	},
	[COMMAND_PAN_RIGHT] = {
		.keys = { TERM_PAGE_DOWN }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "PgDn (graph)", .help = "Pan to newer frames.",
	},
	[COMMAND_ZOOM_IN] = {
		.keys = { TERM_UP, '+', '=' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "↑ + (graph)", .ascii = "Up + (graph)", .label = "Zoom in", .footer = 5,
		.help = "Zoom in: half as many frames per column.",
	},
	[COMMAND_ZOOM_OUT] = {
		.keys = { TERM_DOWN, '-' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "↓ - (graph)", .ascii = "Down - (graph)", .label = "Zoom out",
		.footer = 5, .help = "Zoom out: twice as many frames per column. A column shows the longest of its "
		                     "frames.",
	},
	[COMMAND_OLDEST] = {
		.keys = { TERM_HOME, 'g' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "Home (graph)", .help = "Go to the oldest frame in the history.",
	},
	[COMMAND_NEWEST] = {
		.keys = { TERM_END, 'G' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME,
		.shown = "End (graph)", .help = "Go to the newest frame.",
	},
	[COMMAND_RANGE] = {
		.keys = { '|' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME, .shown = "| (graph)", .label = "Range", .footer = 5,
		.help = "Begin a range at the frame that is shown. Arrow keys, and all other keys that go to a frame, move its "
			"other end. Drag with the mouse to do the same. Press it again to cancel.",
	},
	[COMMAND_SELECT_RANGE] = {
		.keys = { TERM_ENTER, '\n' }, .place = PLACE_GRAPH, .group = COMMANDS_TIME, .shown = "Enter (graph)", .label = "Select",
		.footer = 10, .help = "Select the range. All views and exports then use these frames, with averages per frame, until "
				      "you press Esc or go to another frame.",
	},
	[COMMAND_VIEW_SELF] = {
		.keys = { '1' }, .group = COMMANDS_WHAT, .shown = "1",
		.help = "Self: zones, sorted by the time in each zone itself.",
	},
	[COMMAND_VIEW_HIER] = {
		.keys = { '2' }, .group = COMMANDS_WHAT, .shown = "2",
		.help = "Hierarchical: zones, sorted by the time in each zone and everything inside it. Other tools "
		        "call it inclusive or total.",
	},
	[COMMAND_VIEW_GRAPH] = {
		.keys = { '3' }, .group = COMMANDS_WHAT, .shown = "3",
		.help = "Call graph of a zone: who calls it, and what it calls.",
	},
	[COMMAND_VIEW_TREE] = {
		.keys = { '4' }, .group = COMMANDS_WHAT, .shown = "4",
		.help = "Tree: zone stacks, from the root down.",
	},
	[COMMAND_VIEW_WHY] = {
		.keys = { '5' }, .group = COMMANDS_WHAT, .shown = "5",
		.help = "Why: the zone stacks that made the frame longer or shorter than another one. Shows by how "
		        "much, and whether by more calls or by slower calls.",
	},
	[COMMAND_VIEW_TIMELINE] = {
		.keys = { '6' }, .group = COMMANDS_WHAT, .shown = "6",
		.help = "Timeline: single calls as boxes on a time axis, one lane per thread, as far back as calls "
		        "are known. Arrow keys select a call. Moving pauses.",
	},
	[COMMAND_VIEW_COUNTERS] = {
		.keys = { '7' }, .group = COMMANDS_WHAT, .shown = "7",
		.help = "Counters of the visible frames, or of the shown frame while paused. Below them, the "
		        "selected counter frame by frame. Enter goes to the frame where it was highest.",
	},
	[COMMAND_VIEW_EVENTS] = {
		.keys = { 'E' }, .group = COMMANDS_WHAT, .shown = "E",
		.help = "Events and notes, the newest last. An event that comes often is one row with its rate. "
		        "Enter goes to its frame.",
	},
	[COMMAND_VIEW_FLAME] = {
		.keys = { '8' }, .group = COMMANDS_WHAT, .shown = "8", .label = "Flame", .footer = 3,
		.help = "Flame: the tree as boxes, each as wide as its time and below its caller. Against another "
		        "frame (d), boxes show how much they differ.",
	},
	[COMMAND_VIEW_WORST] = {
		.keys = { '9' }, .group = COMMANDS_WHAT, .shown = "9", .label = "Worst",
		.help = "Worst: the worst frames, the longest first. Sorted by BUSY, the frames with most work come "
		        "first. Enter goes to the frame.",
	},
	[COMMAND_VIEW_FUNCTIONS] = {
		.keys = { ';' }, .group = COMMANDS_WHAT, .shown = ";", .label = "Functions", .footer = 3,
		.help = "Functions: where samples were taken, if the program takes samples. Enter opens the call graph of the "
		        "function, of samples. * shows also the functions with few samples.",
	},
	[COMMAND_STACKS] = {
		.keys = { 'o' }, .group = COMMANDS_WHAT, .shown = "o", .label = "Stacks", .footer = 2,
		.help = "Show the open zones of each thread, and how long they have been open. For a dead program, "
		        "these are the zones it died in.",
	},
	[COMMAND_THREADS] = {
		.keys = { 'T' }, .group = COMMANDS_WHAT, .shown = "T", .label = "Threads",
		.footer = 4,
		.help = "Choose a thread, all threads of one name, or all threads merged. The list shows for each "
		        "thread what share of time it was busy and waited, its longest busy time in a frame, and its "
		        "current zone. If a thread was off the CPU outside of waiting zones for 1 % or more, the list "
		        "shows that share, too. It covers the selected frames. If none are selected, it covers up to 64 "
		        "frames that end with the shown one. In this and other lists, type to filter.",
	},
	[COMMAND_THREAD_BEFORE] = {
		.keys = { ',' }, .group = COMMANDS_WHAT, .shown = ",", .help = "Show the previous thread.",
	},
	[COMMAND_THREAD_AFTER] = {
		.keys = { '.' }, .group = COMMANDS_WHAT, .shown = ".", .help = "Show the next thread.",
	},
	[COMMAND_AMOUNTS] = {
		.keys = { '&' }, .group = COMMANDS_WHAT, .shown = "&", .label = "Measures", .footer = 1,
		.help = "Choose a measure: what all views show in place of time, such as samples or allocated bytes. To see "
		        "times again, choose self. ≥ means at least: some amounts are not known. Single calls are always times.",
	},
	[COMMAND_RECURSION] = {
		.keys = { 'R' }, .group = COMMANDS_WHAT, .shown = "R",
		.help = "Merge recursion, or spread it: name(2) is the zone inside itself.",
	},
	[COMMAND_BY_ZONE] = {
		.keys = { 'z' }, .group = COMMANDS_WHAT, .shown = "z", .label = "By zone", .footer = 4,
		.help = "In Why, show one row per zone, or one row per stack of zones.",
	},
	[COMMAND_BOTTOM_UP] = {
		.keys = { 'U' }, .group = COMMANDS_WHAT, .shown = "U", .label = "Bottom up", .footer = 4,
		.help = "Show tree and flame from the bottom up: each zone with all of its self time, and its "
		        "callers below it. Press it again to show them from the root down.",
	},
	[COMMAND_AVERAGE] = {
		.keys = { 'a' }, .group = COMMANDS_WHAT, .shown = "a", .label = "Average",
		.footer = 3,
		.help = "Show the next average: the newest frame, 0.8 s, 2.5 s, the whole run. While paused: the "
		        "frame, or the whole run.",
	},
	[COMMAND_RESET] = {
		.keys = { 'r' }, .group = COMMANDS_WHAT, .shown = "r",
		.help = "Reset the averages, also that of the whole run.",
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
		.help = "Put waiting zones and (no zone) last, or sort them by size among the others.",
	},
	[COMMAND_SORT] = {
		.keys = { 's' }, .group = COMMANDS_HOW, .shown = "s", .label = "Sort", .footer = 2,
		.help = "Choose the column to sort by. While live, a row moves up at once if it exceeds the row above by more than "
		        "a tenth, otherwise within 2 s. While paused, the order is exact.",
	},
	[COMMAND_INVERT] = {
		.keys = { 'I' }, .group = COMMANDS_HOW, .shown = "I", .help = "Reverse the order.",
	},
	[COMMAND_CURSOR] = {
		.keys = { '@' }, .group = COMMANDS_HOW, .shown = "@", .label = "Track", .footer = 1,
		.help = "Track: keep the cursor on its zone when rows change their order, and in other frames and views. Press it "
		        "again: the cursor stays in its line, and other frames and views show their top.",
	},
	[COMMAND_PIN] = {
		.keys = { ' ' }, .place = PLACE_TABLE, .group = COMMANDS_HOW, .shown = "Space",
		.label = "Pin", .footer = 1,
		.help = "Pin the zone: it stays at the top, and the bars of the frame graph show its self time. "
		        "Four zones can be pinned. Press it again to unpin.",
	},
	[COMMAND_SEARCH] = {
		.keys = { '/' }, .group = COMMANDS_HOW, .shown = "/", .label = "Search", .footer = 6,
		.help = "Search for a zone by any part of its name, or by a regular expression after ~.",
	},
	[COMMAND_SEARCH_NEXT] = {
		.keys = { 'n' }, .group = COMMANDS_HOW, .shown = "n", .label = "Next", .footer = 5,
		.help = "Go to the next match.",
	},
	[COMMAND_SEARCH_BEFORE] = {
		.keys = { 'N' }, .group = COMMANDS_HOW, .shown = "N", .help = "Go to the previous match.",
	},
	[COMMAND_FILTER] = {
		.keys = { '\\', 'f' }, .group = COMMANDS_HOW, .shown = "\\ f", .label = "Filter",
		.footer = 5,
		.help = "Show only zones whose name contains the text, or matches the regular expression after ~. "
		        "An empty text shows all.",
	},
	[COMMAND_UNIT] = {
		.keys = { '%' }, .group = COMMANDS_HOW, .shown = "%", .label = "Unit", .footer = 1,
		.help = "Show times in the next unit: auto, ms, us, ns, percent of the covered time.",
	},
	[COMMAND_PRECISION] = {
		.keys = { 'e' }, .group = COMMANDS_HOW, .shown = "e",
		.help = "Change the decimals of times: automatic, 0 to 6.",
	},
	[COMMAND_OVERHEAD] = {
		.keys = { 'O' }, .group = COMMANDS_HOW, .shown = "O",
		.help = "Subtract the profiling cost from times: half a calibrated pair per entry from the zone, "
		        "and half from its caller. Frames, MAX, heat, trend and times per frame stay as measured. "
		        "Press it again for measured times.",
	},
	[COMMAND_LOG_AXIS] = {
		.keys = { 'x' }, .group = COMMANDS_HOW, .shown = "x",
		.help = "Make the axis of the frame graph logarithmic, so that frames of 20 us and of 3 s are both "
		        "visible. Press it again to make it linear.",
	},
	[COMMAND_COLOURS] = {
		.keys = { 'C' }, .group = COMMANDS_HOW, .shown = "C",
		.help = "Use fewer colours: 256, 16, 8, none, as far as the terminal has them.",
	},
	[COMMAND_THEME] = {
		.keys = { 't' }, .group = COMMANDS_HOW, .shown = "t",
		.help = "Switch to the next theme: default, high-contrast, colour-blind, terminal, mono.",
	},
	[COMMAND_MOUSE] = {
		.keys = { 'M' }, .group = COMMANDS_HOW, .shown = "M",
		.help = "Switch the mouse on or off. While it is off, the terminal uses it to select text.",
	},
	[COMMAND_ASCII] = {
		.keys = { 'L' }, .group = COMMANDS_HOW, .shown = "L",
		.help = "Draw with Unicode, or with ASCII only.",
	},
	[COMMAND_REDRAW] = {
		.keys = { TERM_CONTROL('L') }, .group = COMMANDS_HOW, .shown = "^L",
		.help = "Redraw the screen.",
	},
	[COMMAND_EDITOR] = {
		.keys = { 'v' }, .place = PLACE_TABLE, .group = COMMANDS_OTHER, .shown = "v",
		.label = "Source", .footer = 2,
		.help = "Open the source of the zone at its line, in $VISUAL or $EDITOR.",
	},
	[COMMAND_COPY_ROW] = {
		.keys = { 'y' }, .place = PLACE_TABLE, .group = COMMANDS_OTHER, .shown = "y",
		.help = "Copy the row to the clipboard of the terminal (OSC 52) and to a file.",
	},
	[COMMAND_COPY_SCREEN] = {
		.keys = { 'Y' }, .group = COMMANDS_OTHER, .shown = "Y", .help = "Copy the screen, likewise.",
	},
	[COMMAND_OUTPUT] = {
		.keys = { '"' }, .group = COMMANDS_OTHER, .shown = "\"",
		.help = "Show the last lines that the program printed, below the view, if its output goes to a file, as "
			"that of proftop -- PROGRAM does. Again: close them.",
	},
	[COMMAND_RECORD] = {
		.keys = { 'V' }, .group = COMMANDS_OTHER, .shown = "V",
		.label = "Record", .footer = 2, .help = "Record into a file: the history so far, and everything until you press V again or the "
		        "program ends. proftop FILE opens the recording.",
	},
	[COMMAND_EXPORT] = {
		.keys = { 'X' }, .group = COMMANDS_OTHER, .shown = "X",
		.label = "Export", .footer = 2, .help = "Export to a file for another program. Choose the format from a list. Exports the frame "
		        "that is shown, the selected frames or time (`:last 300' selects the last 300 frames), or else "
		        "everything that is known.",
	},
	[COMMAND_LINE] = {
		.keys = { ':' }, .group = COMMANDS_OTHER, .shown = ":",
		.label = "Command", .help = "Type a command with its value. Tab completes it, and `:help' lists all commands.",
	},
	[COMMAND_SAVE] = {
		.keys = { 'S' }, .group = COMMANDS_OTHER, .shown = "S",
		.help = "Save the view, its order, the average, units, budget, colours and other settings. The next "
		        "proftop starts with them. See proftop.conf(5).",
	},
	[COMMAND_REGIONS] = {
		.keys = { 'A' }, .group = COMMANDS_OTHER, .shown = "A", .label = "Attach",
		.footer = 1, .help = "Choose another program to view, in place of this one.",
	},
	[COMMAND_HELP] = {
		.keys = { '?', TERM_F1 }, .group = COMMANDS_OTHER, .shown = "? F1",
		.label = "Help", .footer = 20,
		.help = "Show help for the open view. Press it again for all keys, commands and columns. / searches "
		        "the help.",
	},
	[COMMAND_QUIT] = {
		.keys = { 'q' }, .group = COMMANDS_OTHER, .shown = "q", .label = "Quit",
		.footer = 19,
		.help = "Close what is open: a prompt, help, the frame graph, the call graph, the pause. If nothing "
		        "is open, leave proftop.",
	},
	[COMMAND_OUT] = {
		.keys = { TERM_ESCAPE }, .group = COMMANDS_OTHER, .shown = "Esc",
		.help = "Close what is open, then a search, a filter and the comparison of frames. Esc never goes live and "
		        "never leaves proftop.",
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

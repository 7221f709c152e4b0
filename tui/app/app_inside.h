/* SPDX-License-Identifier: MIT */
/*
 * app_inside: the app as its own files see it; nobody else includes this.
 *
 *   app.c                      what the query and the views are told to look at
 *   app_tracks.c               what comes of each program, and which one is in focus
 *   app_keys.c                 the way of a key to what it does: a table of commands
 *   app_mouse.c                clicks, drags, the wheel
 *   app_type.c                 what is typed
 *   app_line.c                 commands that are typed by name, and their completion
 *   app_pick.c                 what is chosen from a list
 *   app_view.c                 views, the zone that is looked at, and how it is shown
 *   app_row.c                  the zone of the cursor's row: its source, pins; the slowest call of a zone
 *   app_export.c               files for other programs
 *   app_time.c                 frames: pausing, also by itself, stepping, the frame graph, marks
 *   app_why.c                  what a frame is set against
 *   app_draw.c                 the lines of the screen; the panes of events and of the program's output
 *   app_tabs.c                 one of them: the views, and what is looked at
 *   app_footer.c               another one: the keys
 *   app_help.c                 what the help says of the open view
 *   app_strips.c               the frame graph of several programs
 *
 * A command is a function of the app and a number that the table of app_keys.c gives it; it returns effects.
 */
#ifndef TUI_APP_INSIDE_H
#define TUI_APP_INSIDE_H

#include "tui/app/app.h"
#include "tui/widgets/line_commands.h"

#define APP_PRECISION_MOST 6

/* app.c: what the query looks at follows the choices, and views are stale. */
void app_look(struct app *a);
void app_refresh(struct app *a); /* makes the open view anew, if it is stale */
struct look app_looks(const struct app *a);
struct view *app_view(const struct app *a);
/* The view whose filter the open one has: zones have one in all their views, rows of another kind their own. */
enum view_kind app_filter_of(const struct app *a);
void app_say_no_frames(struct app *a); /* `no frames yet`, or why there are none */
void app_say_over(struct app *a); /* how many frames are over the budget, and the keys that go there */
int64_t app_budget(const struct app *a); /* ticks; 0: none */
int64_t app_budget_in(const struct app *a, const struct profile *p); /* in ticks of that one */
struct frame_graph_look app_graph_look(const struct app *a);

/* The threads that are chosen, as a selection in that profile; and what they are called. */
uint32_t app_threads(const struct app *a, const struct profile *p);
void app_thread_text(const struct app *a, char *out, size_t size);
/* Decides which threads are shown of the program in focus, if that is open and nobody has chosen any. */
void app_decide_threads(struct app *a);

/* app_keys.c */
unsigned app_command(struct app *a, enum command command);
unsigned app_press(struct app *a, uint32_t key);
/* Whether a command does something now: what the footer shows. */
bool app_applies(const struct app *a, enum command command);

/* app_view.c */
unsigned app_open_view(struct app *a, int view);
unsigned app_turn_stacks(struct app *a, int unused);
unsigned app_compare(struct app *a, int unused);
unsigned app_turn_follow(struct app *a, int unused);
void app_show_top(struct app *a); /* another frame or order: the cursor goes to the first row, unless it follows its zone */
unsigned app_go_back(struct app *a); /* to the view that the open one, a guest, was opened in */
unsigned app_drill(struct app *a, int unused);
unsigned app_box_in(struct app *a, int unused);
unsigned app_to_box(struct app *a, int command);
unsigned app_unselect(struct app *a, int unused); /* the stretch of time that was measured */
unsigned app_drill_to_caller(struct app *a, int unused);
unsigned app_back(struct app *a, int unused);
unsigned app_focus_path(struct app *a, int unused);
unsigned app_turn_recursion(struct app *a, int unused);
unsigned app_turn_overhead(struct app *a, int unused);
unsigned app_turn_bottom_up(struct app *a, int unused);
unsigned app_turn_by_zone(struct app *a, int unused);
unsigned app_turn_waits(struct app *a, int unused);
unsigned app_drill_into(struct app *a, const struct path *path); /* the call graph of its last zone */
unsigned app_set_average(struct app *a, enum average_slot slot); /* paused: run, or the frame */
unsigned app_next_average(struct app *a, int unused);
unsigned app_reset(struct app *a, int unused);
unsigned app_quit(struct app *a, int out_of_proftop);

/* app_view.c */
unsigned app_set_unit(struct app *a, enum unit unit);
unsigned app_set_precision(struct app *a, int digits); /* -1: the unit's own */
unsigned app_next_unit(struct app *a, int unused);
unsigned app_next_precision(struct app *a, int unused);
unsigned app_turn_ascii(struct app *a, int unused);
unsigned app_turn_log_axis(struct app *a, int unused);
unsigned app_turn_mouse(struct app *a, int unused);
void app_forget_widths(struct app *a); /* of columns: there will be other numbers in them */

/* app_time.c */
unsigned app_turn_pause(struct app *a, int unused);
unsigned app_step(struct app *a, int frames);
unsigned app_scrub(struct app *a, int columns);
unsigned app_pan(struct app *a, int half_widths);
unsigned app_zoom(struct app *a, int by);
unsigned app_choose_end(struct app *a, int newest);
unsigned app_step_event(struct app *a, int step);
unsigned app_focus_graph(struct app *a, int unused);
unsigned app_choose_frame(struct app *a, uint64_t frame);
/* A range of frames, between two, in the columns that the frame graph has: what it is is said, and it is selected. */
void app_say_range(struct app *a, uint64_t one, uint64_t other, const char *hint);
void app_select_range(struct app *a, uint64_t one, uint64_t other);
bool app_select_last(struct app *a, uint32_t frames); /* up to the frame that is shown; false: refused with a message */
unsigned app_begin_range(struct app *a, int unused);
unsigned app_end_range(struct app *a, int unused);
unsigned app_ask_mark(struct app *a, int command);
unsigned app_take_letter(struct app *a, uint32_t key);
unsigned app_step_over(struct app *a, int step); /* to a frame over the budget */
unsigned app_step_worst(struct app *a, int step);
unsigned app_follow(struct app *a, int unused);

/* app_time.c: looks at the frames that have come, and pauses if one of them was too long. */
void app_watch(struct app *a);
int64_t app_freeze_over(const struct app *a); /* a longer frame pauses; in ticks, 0: not armed */
/* The frames that have come by now are not looked at any more. */
void app_freeze_from_now(struct app *a);
void app_arm_freeze(struct app *a);
unsigned app_turn_freeze(struct app *a, int unused);

/* app_why.c */
unsigned app_why(struct app *a, int unused);
unsigned app_pick_base(struct app *a, int unused);
void app_picked_base(struct app *a, uint64_t value);
bool app_compares(const struct app *a); /* a frame is chosen, and set against another */
bool app_why_ends(const struct app *a); /* the user asked: Esc ends it, and in the view itself d */
void app_end_why(struct app *a);
/* The number of the frame that the selected one is compared with, or QUERY_BASE_AVERAGE. 0: it is not compared. */
uint64_t app_base(struct app *a);
void app_forget_bases(struct app *a); /* those of the focused program */
const char *app_base_name(struct app *a);
const char *app_base_reason(struct app *a); /* why proftop chose it; "": the user did. Call app_base first */
uint32_t app_why_threads(const struct app *a);

/* app_tracks.c: several programs */
static inline bool app_several(const struct app *a)
{
	return a->track_count > 1;
}
void app_tracks_agree(struct app *a); /* all are paused, or none; and where the moment is that is shown */
unsigned app_tracks_live(struct app *a);
bool app_is_last_track(const struct app *a); /* from here Tab leads back to the table */
unsigned app_next_track(struct app *a); /* what Tab does; then the graphs have the keys, or the table again */

/* app_strips.c: the frame graph of several programs */
void app_draw_strips(struct app *a, struct canvas *c, struct area area);
unsigned app_strips_scrub(struct app *a, int columns);
void app_strips_reveal(struct app *a);
void app_strips_zoom(struct app *a, int by, int64_t around);
bool app_strips_can_zoom(const struct app *a, int by);
void app_strips_pan(struct app *a, int columns);
void app_strips_mouse(struct app *a, const struct term_event *e);

/* app_pick.c */
void app_choose_threads(struct app *a, uint32_t threads);
unsigned app_turn_thread(struct app *a, int by);
unsigned app_pick_thread(struct app *a, int unused);
unsigned app_pick_measure(struct app *a, int unused);
void app_choose_measure(struct app *a, uint32_t measure); /* nothing happens if none of this number is shown */
/* The measure that is chosen, in this profile; time, where it has none of its key. */
uint32_t app_measure(const struct app *a, const struct profile *p);
bool app_shows_amounts(const struct app *a); /* in place of times */
bool app_picks_threads(const struct app *a); /* the list is open */
void app_renew_threads(struct app *a);       /* its rows, if it is */
unsigned app_pick_column(struct app *a, int unused);
unsigned app_sort_by(struct app *a, int column);
unsigned app_sort_beside(struct app *a, int step);
unsigned app_invert(struct app *a, int unused);
unsigned app_picked(struct app *a, enum picker_result result);
void app_regions_forget(struct app *a);

/* app_row.c */
void app_bring_singles(struct app *a);
void app_take_singles(struct app *a); /* live: those of now */
bool app_knows_slowest(const struct app *a, enum command unused);
unsigned app_go_to_slowest(struct app *a, int unused);

/* app_type.c */
void app_ask(struct app *a, enum command command, const char *label, const char *text); /* opens the prompt, filled */
unsigned app_ask_search(struct app *a, int unused);
unsigned app_search_on(struct app *a, int step);
unsigned app_ask_filter(struct app *a, int unused);
unsigned app_ask_budget(struct app *a, int unused);
unsigned app_ask_freeze(struct app *a);
unsigned app_ask_line(struct app *a, int unused);
unsigned app_record(struct app *a, int unused); /* asks for a file, or ends the recording */
bool app_record_to(struct app *a, const char *file); /* false: refused with a message; true: EFFECT_RECORD begins it */
unsigned app_typed(struct app *a, uint32_t key);

/* Takes a character of pasted text, 0 at its end. Pasted text goes only into an
 * open prompt or list. A search or a filter is applied once, at the end. */
unsigned app_pasted(struct app *a, uint32_t code);
/* Starts a search or filter with the typed text; false: it was refused, with a message. */
bool app_search(struct app *a, const char *text);
void app_search_ends(struct app *a);
bool app_filter(struct app *a, const char *text);
bool app_set_budget(struct app *a, const char *text);

/* app_export.c */
unsigned app_pick_export(struct app *a, int unused);
void app_ask_export(struct app *a, int kind);
bool app_export_to(struct app *a, const char *file); /* false: it has been said why not */
unsigned app_export_line(struct app *a, const char *value);
bool app_can_export(const struct app *a, enum command unused);

/* app_line.c: a command by its name, with its value. Returns effects, or LINE_REFUSED: what is wrong has been
 * said, and it can be mended. */
#define LINE_REFUSED (1u << 31)
unsigned app_run_line(struct app *a, const char *line);
void app_complete(struct app *a);

/* app_row.c */
unsigned app_edit(struct app *a, int unused);
bool app_has_source(const struct app *a, enum command unused);
unsigned app_pin(struct app *a, int unused);
bool app_can_pin(const struct app *a, enum command unused);
struct frame_graph_pins app_graph_pins(const struct app *a);

/* app_draw.c */
unsigned app_turn_output(struct app *a, int unused);
bool app_close_output(struct app *a); /* false: it is not open */

/* app_help.c */
unsigned app_help(struct app *a, int unused);

/* app_mouse.c */
unsigned app_mouse(struct app *a, const struct term_event *e);

/* app_tabs.c, app_footer.c: a line of the screen */
int app_draw_tabs(struct app *a, struct canvas *c, struct area area); /* returns the lines that it took */
bool app_has_tab(const struct app *a, enum view_kind v); /* whether the line of views showed it when it was last drawn */
void app_draw_footer(struct app *a, struct canvas *c, struct area area);
/* Stands between the pieces of a message: ` · `, or `; ` in ASCII. */
const char *app_dot(const struct app *a);
/* The label of a command at the moment, in two words. */
const char *app_label(const struct app *a, enum command command);
bool app_offers(const struct app *a, enum command command); /* whether its key does something now */
/* A message that is longer than the last line takes as many lines as it needs, at the end of the body. */
void app_draw_said(const struct app *a, struct canvas *c, struct area body);
bool app_says_more(const struct app *a, int width); /* so it is */

#endif

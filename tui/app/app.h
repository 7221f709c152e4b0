/* SPDX-License-Identifier: MIT */
/*
 * app: the live screen without its terminal: which view is open, what is looked at, what a key does,
 * and the picture of it all in a canvas.
 *
 * Whoever runs it (proftop_screen.c) gives it profiles, keys and the time; it answers with effects:
 * what is to be done outside. It borrows the profile from app_attach to app_detach. Its files:
 * app_inside.h.
 */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "model/stats/base_frame.h"
#include "model/stats/thread_load.h"
#include "tui/cells/fields.h"
#include "tui/widgets/commands.h"
#include "tui/widgets/guide.h"
#include "tui/widgets/output_pane.h"
#include "tui/widgets/picker.h"
#include "tui/widgets/prompt.h"
#include "tui/frames/scene.h"
#include "tui/frames/strips.h"
#include "tui/term/term.h"
#include "tui/frames/times.h"
#include "tui/views/view.h"

enum effect {
	EFFECT_NONE = 0,
	EFFECT_DRAW = 1 << 0,
	EFFECT_QUIT = 1 << 1,
	EFFECT_REDRAW = 1 << 2,  /* write all of the screen anew */
	EFFECT_COLOURS = 1 << 3, /* one step fewer */
	EFFECT_MOUSE = 1 << 4,   /* on or off, as app->style.mouse says */
	EFFECT_REGIONS = 1 << 5, /* wants the list of regions: app_region, then app_regions_end */
	EFFECT_THEME = 1 << 7,   /* the next one */
	EFFECT_SAVE = 1 << 8,    /* wants the settings saved */
	EFFECT_TURN = 1 << 6,    /* wants to look at app->wanted.turn */
	EFFECT_THEME_SET = 1 << 12,   /* app->wanted.theme */
	EFFECT_EDIT = 1 << 9,         /* wants app->wanted.source in the editor */
	EFFECT_COPY_ROW = 1 << 10,    /* wants the row of the cursor copied */
	EFFECT_COPY_SCREEN = 1 << 11, /* wants all that is shown copied */
	EFFECT_RECORD = 1 << 14,      /* wants a recording of the one in focus in app->wanted.record; "": no more of it */
	EFFECT_CANCEL = 1 << 15,      /* wants no more of it: app_progress */
	EFFECT_EXPORT = 1 << 13,      /* wants app->wanted.export written */
};

/* The threads whose time is shown, as the user chose them: the choice outlives the program. CHOOSE_FIRST: nobody
 * has chosen; then each program decides for itself (track.first). */
enum thread_choice { CHOOSE_FIRST, CHOOSE_ALL, CHOOSE_NAME, CHOOSE_THREAD };

#define APP_TEXT 256
#define APP_WAITING 1536

#define TRACKS_MOST 8

/* One of the programs that are looked at, and all that is of it alone. */
struct track {
	struct times times;
	enum first_threads first; /* decided once, while the program is attached */
	struct path path; /* path focus; length 0: none */
	bool paused_run;  /* paused: the whole run instead of the frame */
	struct open_stacks *stacks; /* read last; NULL: none were */
	const struct profile *stacks_of; /* the copy at whose making they were read; NULL: live */
	enum base_kind base; /* what the chosen frame is set against */
	char base_letter;    /* the mark that it was; 0: none */
	struct bases *bases; /* among which it was found; NULL: none was searched for yet */
	enum scene_state state; /* of what is followed; PAUSED comes of times */
	char target[APP_TEXT], waiting[APP_WAITING], ending[APP_TEXT];
	struct output_tail *output; /* of the program, as read last; NULL: it was not */
	char recording[96]; /* for how long, and how much; "": it is not recorded */
	bool is_file; /* it is read from a file, not from a program */
	struct frame_stats stats;
	struct frame_mean mean; /* of the average that the views show, as they show it */
	struct load load;       /* of the values that `mean` is of */
	double stats_made; /* time of them; below 0: never */
	const struct figure_unit *title_unit; /* that suited their median last; NULL: none did yet */
};

#define MEASURE_KEY 64 /* bytes; longer keys cannot be chosen */

/* The user's choices, which hold for all programs (app.c). */
struct app_choice {
	char measure[MEASURE_KEY]; /* its key, so that each program has its own of it; "": time */
	enum thread_choice thread;
	uint64_t thread_id;
	char thread_name[APP_TEXT]; /* of CHOOSE_NAME and CHOOSE_THREAD */
	enum average_slot average;
	bool spread;
	bool bottom_up;     /* trees and flames */
	bool why_by_zone;   /* rows of the view why */
	bool follows;       /* the cursor stays on its zone; else in its line, and other frames and views show their top */
	bool waits_by_size; /* zones that wait, and `(no zone)`, stand among the others */
	bool less_overhead; /* times are without what measuring costs */
	const char *zone;   /* to open the call graph of as soon as it is there; NULL: none */
	char filters[VIEWS][PROMPT_SIZE]; /* the views of zones have that of the first: app_filter_of */
	double budget_ms; /* 0: none */
};

/* How it is shown (app_style.c). */
struct app_style {
	enum unit unit;
	int precision;
	bool ascii, mouse;
	bool log_axis;   /* of the frame graph */
	bool ascii_only; /* the terminal's characters are not UTF-8, or the user wants it so */
	bool coloured;   /* the screen has colours; and */
	bool areas;      /* pins are told apart by areas of colour: whoever runs it knows */
};

/* The chosen frame is set against another one (app_why.c). */
struct app_why {
	bool on;
	bool asked; /* by d or D, in this pause: d ends it */
	char base_name[16];
	char base_reason[BASE_REASON];
};

/* Pausing by itself on a frame that took too long (app_freeze.c). */
struct app_freeze {
	bool armed;
	double ms;       /* over which; 0: over the budget */
	uint64_t seen;   /* newest frame that was looked at */
	uint64_t found;  /* frame that was over it; 0: none yet */
	double found_at; /* when */
};

/* Zones that are kept in sight (app_row.c). */
struct app_pins {
	struct pins set;
	char *names[PINS_MOST]; /* as shown; owned */
};

/* Several programs (app_tracks.c, app_strips.c). */
struct app_together {
	struct strips strips;  /* what is drawn in place of the frame graph */
	int64_t moment;        /* the moment that is shown in all programs; MOMENT_NONE: live */
	uint64_t moment_frame; /* the chosen frame of the program in focus when `moment` was taken from it */
	bool paused;           /* all programs are paused */
	bool focus_paused;     /* the program in focus was paused when app_tracks_agree looked last */
	unsigned went_round;   /* the program that was in focus when the graphs got the keys: Tab goes round from it */
};

/* A widget over the views that takes the keys. */
enum overlay { OVERLAY_NONE, OVERLAY_PROMPT, OVERLAY_PICKER, OVERLAY_LETTER };

#define LINES_KEPT 16

/* Lines that were typed behind `:`, the newest first. */
struct line_history {
	char texts[LINES_KEPT][PROMPT_SIZE];
	int count;
	int at; /* which is looked at, from 1; 0: none */
};

/* The prompt or list that is open (app_type.c, app_pick.c). */
struct app_ask {
	enum overlay overlay;
	enum command command; /* what it is for */
	struct prompt prompt;
	char before[PROMPT_SIZE]; /* what the prompt changes, as it was */
	struct line_history lines;
	struct picker picker;
	char **regions; /* the names of the picker's items, where these are programs */
	uint32_t region_count, region_capacity;
};

/* The last search (app_type.c). */
struct app_search {
	char text[PROMPT_SIZE]; /* "": nothing */
	char name[PROMPT_SIZE]; /* the same without its condition, */
	struct pattern pattern; /* and as a pattern */
	double longer_s, shorter_s; /* of single calls those that take longer, or shorter; 0: any */
	uint64_t from; /* row of the cursor when the search began */
	bool typed;    /* it is being typed, or was: each letter begins anew where the cursor was then */
};

/* The message in the last line, until the next key, or for a while. */
struct app_said {
	char text[512]; /* "": nothing */
	double at;      /* when */
	char progress[256]; /* how far a file is that is being written, in the last line while it is free; "": none is */
	bool choices;   /* it is what a line that is typed could become, and no fault of it */
	bool brief;     /* it has one line, and is cut if that is too narrow: it covers no row */
};

/* A file for another program (app_export.c). */
struct app_export {
	int kind;                   /* enum file_kind */
	uint32_t threads;           /* a selection */
	char path[PROMPT_SIZE];     /* as it was typed, */
	char proposed[PROMPT_SIZE]; /* and what stood there before; "": nothing */
};

/* Values that belong to an effect. */
struct app_wanted {
	char turn[APP_TEXT];
	int theme;
	char record[PROMPT_SIZE];          /* as it was typed, */
	char record_proposed[PROMPT_SIZE]; /* and what stood there before; "": nothing */
	char source[4096]; /* file of a zone, as the program says it, */
	uint32_t source_line; /* and the line; 0: not known */
	struct app_export export;
};

/* Where things were drawn, for the mouse and for what there is room for (app_draw.c). */
struct app_screen {
	uint32_t width; /* cells; 0: it was not drawn yet */
	struct area graph;
	int body; /* lines between the tabs and the status */
	struct presses footer, about, tabs; /* what a click presses: keys; and views, as 1 + enum view_kind */
	bool graph_focused; /* the frame graph has the keys */
};

/* A drag in the frame graph, or in the strips (app_mouse.c, app_strips.c). */
struct app_drag {
	uint64_t frame; /* where it began in the frame graph; 0: nowhere */
	uint64_t to;    /* where it is */
	bool in_strips; /* it began there, */
	int64_t moment; /* then */
	int64_t to_moment; /* and came to here */
	bool moved;
	bool in_view; /* it began in the open view, */
	int x;        /* and came to this column of the screen */
};

struct app {
	struct track tracks[TRACKS_MOST];
	unsigned track_count, focus; /* at least one */
	struct track *at;            /* the one in focus, which the table, the banner and the status are of */
	struct app_together together;
	struct view *views[VIEWS];
	enum view_kind view;             /* open */
	enum view_kind came_from[VIEWS]; /* of the call graph and of guests: where the way back leads */
	bool output_open;                /* the pane of what the program prints */
	bool starts;                     /* the program was started for this screen */
	bool stale;                      /* views are to be made anew before they are drawn; */
	bool aged;                       /* there are new data, which can wait a little */
	bool settled;                    /* the last refresh sorted the rows exactly */
	double made;                     /* when that was done, or when the cursor was moved in them */
	struct app_choice choice;
	struct app_style style;
	struct app_why why;
	struct app_freeze freeze;
	struct app_pins pins;
	struct app_search search;
	struct app_ask ask;
	struct guide guide;
	struct app_said said;
	struct app_wanted wanted;
	struct app_screen screen;
	struct app_drag drag;
	line_source *source; /* texts of lines; NULL, at first: they are not shown */
	void *source_context;
	double closed; /* when q, or Esc, closed something */
	double now; /* seconds of a clock that only goes forward */
};

struct app_options {
	enum view_kind view;
	const char *zone, *thread, *filter, *target, *measure; /* NULL: not said */
	int sort;          /* column of the view; VIEW_OWN_SORT */
	enum average_slot average;
	enum unit unit;
	int precision;
	double budget_ms;
	enum worst_order worst;
	double freeze_ms; /* pauses on the first frame over it; 0: not */
	bool spread, bottom_up, why_by_zone, waits_by_size, ascii, mouse;
	bool less_overhead;
	bool log_axis;
	bool starts; /* the program was started for this screen */
};

/* False: out of memory. */
bool app_init(struct app *a, const struct app_options *o);
void app_fini(struct app *a);

/* One more program to be looked at beside the first, before anything is attached; TRACKS_MOST of them at most.
 * The frame graph becomes a strip of each. Pausing pauses all. False: out of memory, or these are too many. */
bool app_add_track(struct app *a, const char *target);
/* Track i is in focus from now on. */
void app_focus(struct app *a, unsigned i);
/* Throws away what is paused. */
void app_go_live(struct app *a);

/* Attaches a profile that was read for the first time to a track, of which the first is 0. The view, its zone
 * and order stay. */
void app_attach(struct app *a, unsigned track, const struct profile *p);
void app_detach(struct app *a, unsigned track);
/* The profile has grown. */
void app_data(struct app *a, unsigned track);
/* The state of what is followed, and for WAITING what for (else "" or why it is over). */
void app_state(struct app *a, unsigned track, enum scene_state state, const char *waiting);
/* Whether it is read from a file. */
void app_is_file(struct app *a, unsigned track, bool is_file);
/* How the program that was started ended. */
void app_ending(struct app *a, unsigned track, const char *ending);
/* Whether the caller is to read the open stacks of a track now, and give them to app_take_stacks. They are wanted once
 * when the screen was paused, once when the view of stacks was opened, and as long as this view is open at each look at
 * the program (`at_look`). */
bool app_wants_stacks(const struct app *a, unsigned track, bool at_look);
void app_take_stacks(struct app *a, unsigned track, struct open_stacks *stacks); /* which the app owns; NULL: none */

/* Whether the caller is to read the end of what a track's program prints, and
 * give it to app_take_output: at each look as long as its pane is open. */
bool app_wants_output(const struct app *a, unsigned track, bool at_look);
/* The app owns `t` then. NULL: `why` says why there is none, and the pane closes. */
void app_take_output(struct app *a, unsigned track, struct output_tail *t, const char *why);

/* Says something in the last line. */
void app_say(struct app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for what nobody asked for: it is cut to one line, so that it never covers rows. */
void app_mention(struct app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says in the last line how far something is that goes on, until this is called
 * with "". Esc cancels it meanwhile (EFFECT_CANCEL). */
void app_progress(struct app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A key or the mouse, `now` in seconds. Returns effects. */
unsigned app_event(struct app *a, const struct term_event *e, double now);

/* Answers to EFFECT_REGIONS: one list; `shown` is a line for the user, safe to show. */
void app_regions_begin(struct app *a);
void app_region(struct app *a, const char *name, const char *shown);
void app_regions_end(struct app *a);

/* Draws everything; makes views anew where that is due. */
void app_draw(struct app *a, struct canvas *c, double now);

/* Something that takes longer than a key may: a piece of it. True: there is more, and what is drawn
 * may change. */
bool app_work(struct app *a);

#endif

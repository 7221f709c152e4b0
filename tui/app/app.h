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

#include "model/base.h"
#include "tui/canvas.h"
#include "tui/commands.h"
#include "tui/guide.h"
#include "tui/picker.h"
#include "tui/prompt.h"
#include "tui/scene.h"
#include "tui/strips.h"
#include "tui/term.h"
#include "tui/times.h"
#include "tui/view.h"

enum effect {
	EFFECT_NONE = 0,
	EFFECT_DRAW = 1 << 0,
	EFFECT_QUIT = 1 << 1,
	EFFECT_REDRAW = 1 << 2,  /* write all of the screen anew */
	EFFECT_COLOURS = 1 << 3, /* one step fewer */
	EFFECT_MOUSE = 1 << 4,   /* on or off, as app->mouse says */
	EFFECT_REGIONS = 1 << 5, /* wants the list of regions: app_region, then app_regions_end */
	EFFECT_THEME = 1 << 7,   /* the next one */
	EFFECT_SAVE = 1 << 8,    /* wants the settings saved */
	EFFECT_TURN = 1 << 6,    /* wants to look at app->turn */
	EFFECT_THEME_SET = 1 << 12,   /* app->theme */
	EFFECT_EDIT = 1 << 9,         /* wants app->source in the editor */
	EFFECT_COPY_ROW = 1 << 10,    /* wants the row of the cursor copied */
	EFFECT_COPY_SCREEN = 1 << 11, /* wants all that is shown copied */
};

/* Whose time is shown, kept by what a user means: it outlives the program. */
enum thread_choice { CHOOSE_MARKING, CHOOSE_ALL, CHOOSE_NAME, CHOOSE_THREAD };

/* Pausing by itself on a frame that took too long (app_freeze.c). */
struct app_freeze {
	bool armed;
	double ms;       /* over which; 0: over the budget */
	uint64_t seen;   /* newest frame that was looked at */
	uint64_t found;  /* frame that was over it; 0: none yet */
	double found_at; /* when */
};

#define APP_TEXT 256
#define APP_WAITING 1536

/* What opens over the views and takes the keys. */
enum overlay { OVERLAY_NONE, OVERLAY_PROMPT, OVERLAY_PICKER, OVERLAY_LETTER };

#define LINES_KEPT 16

/* Lines that were typed behind `:`, the newest first. */
struct line_history {
	char texts[LINES_KEPT][PROMPT_SIZE];
	int count;
	int at; /* which is looked at, from 1; 0: none */
};

#define TRACKS_MOST 8

/* One of several programs that are looked at: what the app has of it while another one is in focus. Of the one
 * that is, the app itself has it, and its track rests. */
struct track {
	struct times times;
	struct path path;
	bool paused_run;
	struct open_stacks *stacks;
	const struct profile *stacks_of;
	enum base_kind base;
	char base_letter;
	enum scene_state state;
	char target[APP_TEXT], waiting[APP_WAITING], ending[APP_TEXT];
	struct frame_stats stats;
	double stats_made;
	const struct figure_unit *title_unit;
};

struct app {
	struct times times;
	struct view *views[VIEWS];
	enum view_kind view;             /* open */
	enum view_kind came_from[VIEWS]; /* of the call graph and of guests: where the way back leads */
	/* what is looked at */
	enum thread_choice thread;
	uint64_t thread_id;
	char thread_name[APP_TEXT]; /* of CHOOSE_NAME and CHOOSE_THREAD */
	bool spread;
	bool less_overhead; /* times are without what measuring costs */
	enum average_slot average;
	bool paused_run; /* paused: the whole run instead of the frame */
	struct path path; /* path focus; length 0: none */
	const char *zone; /* a zone to open the call graph of as soon as it is there; NULL: none */
	/* what the chosen frame is set against */
	bool comparing;
	bool asked_why; /* by d or D, in this pause: d ends it */
	enum base_kind base;
	char base_letter;    /* the mark that it was; 0: none */
	char base_name[16];
	const struct profile *base_of; /* the copy in which base_number is the one of base_kind; NULL: none */
	enum base_kind base_kind;
	uint64_t base_newest, base_number;
	/* how */
	enum unit unit;
	int precision;
	char filters[VIEWS][PROMPT_SIZE]; /* the views of zones have that of the first: app_filter_of */
	char searched[PROMPT_SIZE];
	struct pattern search;
	double budget_ms; /* 0: none */
	struct app_freeze freeze;
	bool ascii, mouse;
	bool ascii_only; /* the terminal's characters are not UTF-8, or the user wants it so */
	struct pins pins;
	char *pin_names[PINS_MOST]; /* as shown; owned */
	bool areas; /* pins are told apart by areas of colour: whoever runs it knows */
	struct open_stacks *stacks; /* read last; NULL: none were */
	const struct profile *stacks_of; /* the copy at whose making they were read; NULL: live */
	/* the process */
	enum scene_state state; /* of what is followed; PAUSED comes of times */
	char target[APP_TEXT], waiting[APP_WAITING], ending[APP_TEXT];
	struct frame_stats stats;
	double stats_made; /* time of them; below 0: never */
	const struct figure_unit *title_unit; /* that suited their median last; NULL: none did yet */
	/* the others */
	struct track tracks[TRACKS_MOST];
	unsigned track_count, focus; /* at least one; which of them all of the above is of */
	struct strips strips;        /* what the frame graph is where there are several */
	int64_t moment;              /* that is shown in all of them; MOMENT_NONE: live */
	uint64_t moment_frame;       /* the frame in focus whose moment that is */
	bool paused_all, paused_focus; /* all are; the one in focus was when that was looked at last */
	unsigned went_round;         /* the one in focus when the graphs got the keys */
	/* what is open over it */
	enum overlay overlay;
	enum command asked; /* what prompt, picker or letter are for */
	struct prompt prompt;
	struct line_history lines;
	struct picker picker;
	struct guide guide;
	bool graph_focused; /* the frame graph has the keys */
	char message[512];  /* said in the last line until the next key, or for a while; "" */
	double said;        /* when */
	char turn[APP_TEXT];
	int theme; /* that is wanted */
	char source[4096]; /* file of a zone, as the program says it, */
	uint32_t source_line; /* and the line; 0: not known */
	char before[PROMPT_SIZE]; /* what a prompt changes, as it was */
	uint64_t cursor_before;
	char **regions; /* names of the picker's items */
	uint32_t region_count, region_capacity;
	/* the screen */
	uint32_t width; /* cells; 0: it was not drawn yet */
	double now; /* seconds of a clock that only goes forward */
	bool stale; /* views are to be made anew before they are drawn */
	struct area graph_area, tabs_area;
	int tab_ends[VIEWS]; /* in tabs_area */
	uint64_t drag_from; /* frame where a drag in the frame graph began; 0: none */
	bool dragged;
	bool dragging; /* in the strips, from drag_moment */
	int64_t drag_moment;
};

struct app_options {
	enum view_kind view;
	const char *zone, *thread, *filter, *target; /* NULL: not said */
	int sort;          /* column of the view; VIEW_OWN_SORT */
	enum average_slot average;
	enum unit unit;
	int precision;
	double budget_ms;
	double freeze_ms; /* pauses on the first frame over it; 0: not */
	bool spread, ascii, mouse;
	bool less_overhead;
};

/* False: out of memory. */
bool app_init(struct app *a, const struct app_options *o);
void app_fini(struct app *a);

/* Another profile, read for the first time; the view, its zone and order stay. */
void app_attach(struct app *a, const struct profile *p);
void app_detach(struct app *a);
/* Throws away what is paused. */
void app_go_live(struct app *a);
/* The profile has grown. */
void app_data(struct app *a);
/* The state of what is followed, and for WAITING what for (else "" or why it is over). */
void app_state(struct app *a, enum scene_state state, const char *waiting);
/* Whether open stacks are to be read now, which app_take_stacks gets: once when it was paused or the view
 * of them opened, and while that is open at each look at the program. */
bool app_wants_stacks(const struct app *a, bool at_look);
void app_take_stacks(struct app *a, struct open_stacks *stacks); /* which the app owns; NULL: none */
/* How the program that was started ended. */
void app_ending(struct app *a, const char *ending);
/* One more program to be looked at beside the first, before anything is attached; TRACKS_MOST of them at most.
 * The table, the banner and the status are of the one in focus, which is the first; the frame graph
 * becomes a strip of each. Pausing pauses all. False: out of memory, or these are too many. */
bool app_add_track(struct app *a, const char *target);

/* What the functions above do, for track i. */
void app_track_attach(struct app *a, unsigned i, const struct profile *p);
void app_track_detach(struct app *a, unsigned i);
void app_track_data(struct app *a, unsigned i);
void app_track_state(struct app *a, unsigned i, enum scene_state state, const char *waiting);
struct singles *app_track_singles(struct app *a, unsigned i); /* owned by the app */
bool app_track_wants_stacks(const struct app *a, unsigned i, bool at_look);
void app_track_take_stacks(struct app *a, unsigned i, struct open_stacks *stacks);
void app_track_ending(struct app *a, unsigned i, const char *ending);

/* Track i is in focus from now on. */
void app_focus(struct app *a, unsigned i);

/* Says something in the last line. */
void app_say(struct app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

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

/* SPDX-License-Identifier: MIT */
/*
 * proftop_screen: the live screen: what is followed, the app and the terminal, in one loop.
 *
 * A turn of the loop takes what was typed, looks at the program when that is due, does a piece of
 * what takes long, and draws what has changed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/region/live_list.h"
#include "model/base/text.h"
#include "proftop/messages.h"
#include "proftop/output.h"
#include "proftop/proftop.h"
#include "proftop/proftop_hands.h"
#include "proftop/proftop_screen.h"
#include "proftop/source_text.h"
#include "proftop/stop.h"
#include "proftop/wait.h"
#include "tui/app/app.h"
#include "tui/term/term_rescue.h"

#define SIGNAL_BASE 128

#define LONGEST_WAIT_S 60.0 /* for a key, at a time */
#define READING_S 0.01 /* from one look to the next at what is being read, and is waited for */
#define EXPORTING_S 0.1 /* from one look to the next at a file that is being written */
#define TYPED_S 0.05 /* so long what is typed may hold up the screen */

struct screen {
	const struct options *o;
	struct app app;
	struct programs programs;
	struct canvas canvas;
	struct launch launch;
	struct looks looks;
	bool started;      /* a program, behind `--` */
	double next_look;
	unsigned effects;
	int status;        /* with which it ends */
	const char *gave_up; /* why nothing can be looked at; NULL: not so */
	bool over;
	bool closed; /* the terminal is gone, or a signal ended it: nobody waits */
	struct export_screen export;
};

/* The list to choose from */

/* Whether this is the region of an earlier run, which was renamed NAME~1 when a new run took its name. */
static bool is_before(const char *name)
{
	size_t length = strlen(name);

	return length > 2 && !strcmp(name + length - 2, "~1");
}

static bool add_region(const struct live_region *r, void *context)
{
	struct screen *s = context;
	struct app *app = &s->app;
	char *name = name_safe(r->name, app->style.ascii);
	char *command = name_safe(r->command, app->style.ascii);
	char shown[512];

	if (r->state == LIVE_IS_LIVE || r->state == LIVE_IS_DEAD) {
		snprintf(shown, sizeof(shown), "%-7s %7lld  %s%*s  %s%s%s", live_state_name(r),
			 (long long)r->pid, name ? name : "?", picker_pad(name ? name : "?"), "", command ? command : "",
			 is_before(r->name) ? "   (previous run)" : "",
			 programs_show(&s->programs, r->name) ? "   (viewed)" : "");
		app_region(app, r->name, shown);
	}
	free(command);
	free(name);
	return true;
}

static void list_regions(struct screen *s)
{
	app_regions_begin(&s->app);
	live_list(source_flags(s->o), add_region, s);
	app_regions_end(&s->app);
}

/* What the app wants done outside */

/* Puts the home folder in place of the ~ of "~/file", as a shell does, if the result fits. */
static void expand_home(char *file, size_t size)
{
	const char *home = getenv("HOME");
	size_t length = strlen(file), more = home ? strlen(home) : 0;

	if (strncmp(file, "~/", 2) != 0 || !home || *home != '/' || more + length > size)
		return;
	memmove(file + more, file + 1, length); /* the end of the text too */
	memcpy(file, home, more);
}

/* Every name of a file that can be typed comes through here. */
static void expand_typed(struct app_wanted *w, unsigned effects)
{
	if (effects & EFFECT_TURN)
		expand_home(w->turn, sizeof(w->turn));
	if (effects & EFFECT_RECORD)
		expand_home(w->record, sizeof(w->record));
	if (effects & EFFECT_EXPORT)
		expand_home(w->export.path, sizeof(w->export.path));
}

static void turn_to(struct screen *s)
{
	programs_turn(&s->programs, s->app.wanted.turn);
	s->next_look = 0;
}

static void resize_screen(struct screen *s);
static void look_when_due(struct screen *s);

static void go_on(void *context)
{
	look_when_due(context);
}

/* A copy has what the app shows now, even if keys came faster than it was drawn. */
static void hand_over(struct screen *s, unsigned effects)
{
	if (effects & EFFECT_EDIT) {
		hands_edit(&s->app, go_on, s);
		resize_screen(s);
	}
	if (effects & EFFECT_EXPORT)
		export_screen_begin(&s->export, &s->app, s->programs.each[s->app.focus].follow.source);
	if (effects & EFFECT_CANCEL)
		export_screen_cancel(&s->export);
	if (!(effects & (EFFECT_COPY_ROW | EFFECT_COPY_SCREEN)))
		return;
	app_draw(&s->app, &s->canvas, wait_now());
	hands_copy(&s->app, &s->canvas, effects & EFFECT_COPY_ROW);
}

/* Looks at the programs. If nothing can be looked at, it notes why, and the screen ends. */
static void look_at_programs(struct screen *s)
{
	if (programs_look(&s->programs) && s->app.ask.overlay == OVERLAY_NONE)
		list_regions(s);
	s->gave_up = programs_give_up(&s->programs, &s->status);
	s->over |= s->gave_up != NULL;
	programs_read_stacks(&s->programs, true);
	programs_read_output(&s->programs, true);
	s->effects |= EFFECT_DRAW;
}

static void take_effects(struct screen *s)
{
	unsigned effects = s->effects;

	expand_typed(&s->app.wanted, effects);
	if (effects & EFFECT_QUIT)
		s->over = true;
	if (effects & EFFECT_REDRAW)
		term_redraw();
	if (effects & EFFECT_COLOURS)
		looks_fewer_colours(&s->looks, &s->app);
	if (effects & EFFECT_THEME)
		looks_next_theme(&s->looks, &s->app);
	if (effects & EFFECT_THEME_SET)
		looks_set_theme(&s->looks, &s->app, s->app.wanted.theme);
	if (effects & EFFECT_SAVE)
		looks_save(&s->looks, s->o, &s->app);
	if (effects & EFFECT_MOUSE)
		term_set_mouse(s->app.style.mouse);
	if (effects & EFFECT_REGIONS)
		list_regions(s);
	if (effects & EFFECT_TURN)
		turn_to(s);
	if (effects & EFFECT_RECORD)
		programs_record(&s->programs, s->app.wanted.record);
	hand_over(s, effects);
	s->effects = effects & EFFECT_DRAW;
}

static void resize_screen(struct screen *s)
{
	int width, height;

	term_size(&width, &height);
	if (width != s->canvas.width || height != s->canvas.height)
		canvas_resize(&s->canvas, width, height);
}

/* Takes events of the terminal that are not for the app. */
static void take_terminal(struct screen *s, const struct term_event *e)
{
	if (e->kind == TERM_CLOSED) {
		s->closed = true;
		s->status = e->signal ? SIGNAL_BASE + e->signal : EXIT_DONE;
		s->over = true;
	} else if (e->kind == TERM_RESIZE || e->kind == TERM_RESUMED) {
		resize_screen(s);
	}
}

static void take_event(struct screen *s, const struct term_event *e)
{
	take_terminal(s, e);
	if (s->closed)
		return;
	s->effects |= app_event(&s->app, e, wait_now());
	take_effects(s);
	if (programs_read_stacks(&s->programs, false) | programs_read_output(&s->programs, false))
		s->effects |= EFFECT_DRAW;
}

/* Keys that have come by now are taken before anything is drawn. */
static void take_events(struct screen *s, int timeout_ms)
{
	struct term_event e = term_next(timeout_ms, -1);
	double until = wait_now() + TYPED_S;

	for (; e.kind != TERM_NOTHING && !s->over; e = term_next(0, -1)) {
		take_event(s, &e);
		if (wait_now() > until)
			break;
	}
}

/* The program that was started */

static void look_at_program(struct screen *s)
{
	char how[64];

	if (!s->programs.running || !launch_poll(&s->launch))
		return;
	s->programs.running = false;
	launch_how(&s->launch, how, sizeof(how));
	app_ending(&s->app, 0, how);
	if (launch_exit_status(&s->launch) != 0 && launch_wrote(&s->launch))
		app_mention(&s->app, "%s %s; \" shows what it printed", s->o->app[0], how);
	s->effects |= EFFECT_DRAW;
}

static bool start_program(struct screen *s)
{
	char *const *argv = s->o->app;

	if (!launch_start(&s->launch, s->o->app, LAUNCH_APART, s->o->sample)) {
		say("cannot run %s: %s", argv[0], strerror(s->launch.error));
		s->status = status_of_launch(&s->launch);
		return false;
	}
	app_mention(&s->app, "? Help   output of %s %s %s", argv[0], s->app.style.ascii ? "->" : "→", s->launch.output);
	return true;
}

/* Ends the program that was started here, if there is one: it does not outlive the screen. */
static void end_program(struct screen *s)
{
	if (!s->started)
		return;
	launch_end(&s->launch, s->closed);
	if (launch_wrote(&s->launch))
		say("the output of %s is in %s", s->o->app[0], s->launch.output);
	remove_region(&s->launch);
}

static int remaining_ms(const struct screen *s)
{
	double left = s->next_look - wait_now();

	if (left > LONGEST_WAIT_S)
		left = LONGEST_WAIT_S;
	if (left > EXPORTING_S && export_screen_runs(&s->export))
		left = EXPORTING_S;
	return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

/* `proftop: game_loop` */
static void show_title(const struct screen *s)
{
	const struct profile *p = times_profile(&s->app.at->times);
	const char *slash = p ? strrchr(p->process.program, '/') : NULL;
	char *name = p ? name_safe(slash ? slash + 1 : p->process.program, s->app.style.ascii) : NULL, title[TERM_TITLE_MOST];

	if (name && snprintf(title, sizeof(title), "proftop: %s", name) < (int)sizeof(title))
		term_set_title(title);
	free(name);
}

static void draw_screen(struct screen *s)
{
	if (!(s->effects & EFFECT_DRAW))
		return;
	s->effects = EFFECT_NONE;
	app_draw(&s->app, &s->canvas, wait_now());
	show_title(s);
	term_show(&s->canvas);
}

static void look_when_due(struct screen *s)
{
	s->app.now = wait_now();
	if (s->app.now < s->next_look)
		return;
	look_at_program(s);
	look_at_programs(s);
	s->next_look = wait_now() + (programs_are_read(&s->programs) ? READING_S : s->o->redraw_s);
}

static void run_screen(struct screen *s)
{
	bool more = false;

	resize_screen(s);
	while (!s->over) {
		look_when_due(s);
		if (export_screen_look(&s->export))
			s->effects |= EFFECT_DRAW;
		draw_screen(s);
		take_events(s, more ? 0 : remaining_ms(s));
		draw_screen(s);
		more = app_work(&s->app);
		if (s->app.stale)
			s->effects |= EFFECT_DRAW;
	}
}

/* Beginning and end */

static int sort_column(const struct options *o)
{
	if (!o->sort)
		return VIEW_OWN_SORT;
	return o->view == OPTION_VIEW_COUNTERS ? view_counters_sort(o->sort) : (int)report_column(o->sort);
}

static struct app_options app_options(const struct options *o)
{
	return (struct app_options){
		.view = looks_view(o->view), .zone = o->zone, .thread = o->thread,
		.filter = o->filter, .target = o->app ? o->app[0] : o->target,
		.sort = sort_column(o),
		.average = o->average < 0 ? AVERAGE_FAST : (enum average_slot)o->average,
		.unit = (enum unit)o->unit, .precision = (int)o->precision,
		.budget_ms = o->budget_ms, .freeze_ms = o->over_ms, .spread = o->spread, .measure = o->measure,
		.why_by_zone = o->by == BY_ZONE, .bottom_up = o->bottom_up,
		.waits_by_size = o->waits == WAITS_BY_SIZE, .worst = (enum worst_order)o->worst,
		.ascii = o->ascii || !output_utf8(), .mouse = !o->no_mouse,
		.less_overhead = o->subtract, .log_axis = o->log_axis,
		.starts = o->app != NULL,
	};
}

/* Starts the program behind `--`, and what is followed is its region. */
static bool begin_screen(struct screen *s)
{
	if (s->o->app && !(s->started = start_program(s)))
		return false;
	if (programs_open(&s->programs, &s->app, s->o, s->o->app ? &s->launch : NULL))
		return true;
	s->status = say_no_memory();
	return false;
}

/* Why nothing could be looked at is said now that the terminal is back and the text stays. */
static void say_farewell(struct screen *s)
{
	if (s->gave_up)
		say("%s", s->gave_up);
}

/* From here on these signals wait: one more would leave the started program and its region behind. */
static void hold_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void finish_screen(struct screen *s)
{
	export_screen_end(&s->export);
	end_program(s);
	app_fini(&s->app);
	programs_close(&s->programs);
	canvas_fini(&s->canvas);
}

int screen_show(const struct options *o)
{
	struct screen s = { .o = o, .status = EXIT_DONE,
			    .looks = { o->colour, o->theme } };
	struct app_options options = app_options(o);
	struct term_options terminal = { .colours = o->colour == COLOUR_AUTO ? -1 : output_colours(o),
					 .theme = o->theme, .mouse = !o->no_mouse, .title = !o->no_title,
					 .ascii = options.ascii };
	char why[WHY_SIZE];

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		say("the screen needs a terminal. Print a report: proftop report");
		return EXIT_USAGE;
	}
	if (!app_init(&s.app, &options))
		return say_no_memory();
	s.app.now = wait_now(); /* app_say notes the time */
	s.app.source_context = source_texts_new();
	s.app.source = s.app.source_context ? source_texts_line : NULL;
	if (begin_screen(&s)) {
		if (o->notice)
			app_say(&s.app, "%s", o->notice);
		rescue_also(stop_remove);
		if (term_open(&terminal, why, sizeof(why))) {
			looks_tell(&s.app);
			run_screen(&s);
			hold_signals();
			term_close();
			say_farewell(&s);
		} else {
			say("%s", why);
			s.status = EXIT_FAILED;
		}
	}
	source_texts_free(s.app.source_context);
	finish_screen(&s);
	return s.status;
}

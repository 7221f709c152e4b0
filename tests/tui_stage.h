/* SPDX-License-Identifier: MIT */
/*
 * tui_stage: the app of the live screen with a small game to look at, without terminal or process:
 * keys in, lines of text out.
 *
 *   update                     ray is called by ai and by physics; walk calls itself. The thread
 *     ai -> ray                main marks the frames; two threads called pool run jobs.
 *     physics -> ray
 *     walk -> walk -> leaf
 *   draw
 */
#ifndef TESTS_TUI_STAGE_H
#define TESTS_TUI_STAGE_H

#include "tests/model_dsl.h"
#include "tests/tui_lines.h"

#include "tui/app/app_inside.h"

#define STAGE_ENTER '\r'
#define STAGE_ESCAPE 27

struct stage {
	struct profile *p;
	struct app app;
	struct canvas c;
	unsigned effects; /* of what was done last */
};

/* Self times in ms of the zones that differ from frame to frame; the others have 1 each. */
struct stage_frame {
	int ai, physics, draw;
};

static inline void stage_frame(struct profile *p, uint64_t number, struct stage_frame f)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "frame %llu %d000000\n"
		 "main . 1000000 0\n"
		 "main update@loop.c:10 1000000 1 1000000\n"
		 "main update@loop.c:10/ai@ai.c:20 %d000000 2 900000\n"
		 "main update@loop.c:10/ai@ai.c:20/ray 1000000 10 100000\n"
		 "main update@loop.c:10/physics %d000000 1 900000\n"
		 "main update@loop.c:10/physics/ray 1000000 5 100000\n"
		 "main update@loop.c:10/walk 1000000 1 800000\n"
		 "main update@loop.c:10/walk/walk 1000000 1 800000\n"
		 "main update@loop.c:10/walk/walk/leaf 1000000 1 800000\n"
		 "main draw %d000000 1 700000\n"
		 "7 job 2000000 1 2000000\n"
		 "8 job 3000000 1 3000000\n",
		 (unsigned long long)number, f.ai + f.physics + f.draw + 7, f.ai, f.physics, f.draw);
	dsl_grow(p, text);
}

/* The game, with frames 1 to `frames`. */
static inline struct profile *stage_game(uint64_t frames)
{
	struct profile *p = profile_new();

	assert_non_null(p);
	assert_int_equal(profile_add_thread(p, 1, 0, "main"), 0);
	assert_int_equal(profile_add_thread(p, 7, 0, "pool"), 1);
	assert_int_equal(profile_add_thread(p, 8, 0, "pool"), 2);
	p->threads[0].marking = true;
	assert_true(profile_text(&p->process.program, "/opt/game"));
	assert_true(profile_text(&p->process.source, "demo"));
	p->process.pid = 4711;
	p->process.silent_ns = -1;
	for (uint64_t n = 1; n <= frames; n++)
		stage_frame(p, n, (struct stage_frame){ 3, 2, 4 });
	return p;
}

static inline struct app_options stage_options(void)
{
	return (struct app_options){ .sort = VIEW_OWN_SORT, .average = AVERAGE_NOW, .precision = -1,
				     .mouse = true };
}

static inline void stage_draw(struct stage *t)
{
	app_draw(&t->app, &t->c, t->app.now);
}

/* Nothing is attached yet. */
static inline void stage_open(struct stage *t, const struct app_options *o, int width, int height)
{
	*t = (struct stage){ 0 };
	assert_true(app_init(&t->app, o));
	lines_begin(&t->c, width, height, o->ascii);
	t->app.now = 100;
	app_state(&t->app, 0, SCENE_WAITING, "there is no region 'demo' yet");
	stage_draw(t);
}

static inline void stage_attach(struct stage *t, struct profile *p)
{
	t->p = p;
	app_attach(&t->app, 0, p);
	app_state(&t->app, 0, SCENE_LIVE, "");
	stage_draw(t);
}

/* The profile goes, as that of a program that started anew does. */
static inline void stage_detach(struct stage *t)
{
	app_detach(&t->app, 0);
	app_state(&t->app, 0, SCENE_WAITING, "it ended");
	profile_free(t->p);
	t->p = NULL;
	stage_draw(t);
}

/* 80 x 24, with so many frames. */
static inline void stage_begin(struct stage *t, uint64_t frames)
{
	struct app_options o = stage_options();

	stage_open(t, &o, 80, 24);
	stage_attach(t, stage_game(frames));
}

static inline void stage_end(struct stage *t)
{
	app_fini(&t->app);
	profile_free(t->p);
	canvas_fini(&t->c);
}

/* There is more in the profile, and so much later that it is shown. */
static inline void stage_data(struct stage *t)
{
	t->app.now += 0.5;
	app_data(&t->app, 0);
	stage_draw(t);
}

/* The next frame has ended. */
static inline void stage_grow(struct stage *t, struct stage_frame f)
{
	stage_frame(t->p, t->p->frames[t->p->frame_count - 1].number + 1, f);
	stage_data(t);
}

/* A key whose outcome nobody has seen when the next one comes. */
static inline void stage_unseen(struct stage *t, uint32_t key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	t->effects = app_event(&t->app, &e, t->app.now + 0.01);
}

static inline void stage_press(struct stage *t, uint32_t key)
{
	stage_unseen(t, key);
	stage_draw(t);
}

static inline void stage_type(struct stage *t, const char *keys)
{
	for (; *keys; keys++)
		stage_press(t, (unsigned char)*keys);
}

/* As a terminal with bracketed paste sends it. */
static inline void stage_paste(struct stage *t, const char *text)
{
	struct term_event e = { .kind = TERM_PASTE };

	do {
		e.key = (unsigned char)*text;
		t->effects = app_event(&t->app, &e, t->app.now + 0.01);
	} while (*text++);
	stage_draw(t);
}

static inline void stage_mouse(struct stage *t, enum term_button button, enum term_action action,
			       int x, int y)
{
	struct term_event e = { .kind = TERM_MOUSE, .button = button, .action = action, .x = x,
				.y = y };

	t->effects = app_event(&t->app, &e, t->app.now + 0.01);
	stage_draw(t);
}

static inline void stage_click(struct stage *t, int x, int y)
{
	stage_mouse(t, BUTTON_LEFT, MOUSE_PRESS, x, y);
	stage_mouse(t, BUTTON_LEFT, MOUSE_RELEASE, x, y);
}

/* What is seen */

static inline const char *stage_cursor(const struct stage *t)
{
	const struct report_row *row = table_row(&app_view(&t->app)->table);

	return row ? row->name : "";
}

static inline uint32_t stage_at(const struct stage *t)
{
	return app_view(&t->app)->table.at;
}

/* The rows' names, a blank between two. */
static inline const char *stage_rows(const struct stage *t)
{
	static char text[1024];
	const struct table *table = &app_view(&t->app)->table;

	*text = '\0';
	for (uint32_t i = 0; i < table_count(table); i++) {
		size_t at = strlen(text);

		snprintf(text + at, sizeof(text) - at, "%s%s", at ? " " : "",
			 table_report(table)->sections[0].rows[i].name);
	}
	return text;
}

static inline bool stage_shows(struct stage *t, const char *what)
{
	char *text = lines_text(&t->c);
	bool found = strstr(text, what);

	free(text);
	return found;
}

static inline void stage_expect(struct stage *t, const char *what)
{
	char *text = lines_text(&t->c);

	if (!strstr(text, what)) {
		fputs(text, stderr); /* fail_msg has no room for all of it */
		fail_msg("there is no '%s'", what);
	}
	free(text);
}

/* The place where a text begins; false: it is nowhere. Cells, as long as lines are of narrow characters. */
static inline bool stage_find(struct stage *t, const char *what, int *x, int *y)
{
	size_t length = strlen(what);

	*x = *y = 0;
	for (; *y < t->c.height; ++*y)
		for (*x = 0; *x + (int)length <= t->c.width; ++*x) {
			size_t i = 0;

			while (i < length && canvas_cell(&t->c, *x + (int)i, *y)->codes[0] ==
						     (unsigned char)what[i])
				i++;
			if (i == length)
				return true;
		}
	return false;
}

/* The cursor is put on a row with the keys that a user has. */
static inline void stage_go(struct stage *t, const char *name)
{
	stage_press(t, TERM_HOME);
	for (uint32_t i = table_count(&app_view(&t->app)->table); i-- > 0;) {
		if (!strcmp(stage_cursor(t), name))
			return;
		stage_press(t, TERM_DOWN);
	}
	assert_string_equal(stage_cursor(t), name);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * proftop_run: proftop on a terminal, for the tests of the live screen.
 */
#ifndef TESTS_PROFTOP_RUN_H
#define TESTS_PROFTOP_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/game_region.h"
#include "tests/screen.h"

#define ARGUMENTS 12

/* As sent by the terminal that terminfo calls xterm-256color, in the mode that proftop asks for. */
#define KEY_UP        "\033OA"
#define KEY_DOWN      "\033OB"
#define KEY_RIGHT     "\033OC"
#define KEY_LEFT      "\033OD"
#define KEY_HOME      "\033OH"
#define KEY_END       "\033OF"
#define KEY_PAGE_UP   "\033[5~"
#define KEY_PAGE_DOWN "\033[6~"
#define KEY_REDRAW    "\014"

/* The name of a game's region on the screen, whatever it is called in this run. */
#define SHOWN_NAME "gamedemox-run"

struct proftop {
	int columns, rows;
	const char *locale, *term;
	const char *const *environment;
	const char *arguments[ARGUMENTS];
};

static inline struct screen *proftop_start(const struct proftop *p)
{
	static char file[1024];
	const char *argv[ARGUMENTS + 2] = { file }, *top = getenv("top_builddir");

	snprintf(file, sizeof(file), "%s/proftop/proftop", top ? top : ".");
	for (int i = 0; i < ARGUMENTS && p->arguments[i]; i++)
		argv[i + 1] = p->arguments[i];
	return screen_start(&(struct screen_start){ .argv = argv, .columns = p->columns, .rows = p->rows,
						    .locale = p->locale, .term = p->term,
						    .environment = p->environment });
}

/* On a game; with `p` for what else is wanted. */
static inline struct screen *proftop_on(const struct game *g, struct proftop p)
{
	struct screen *s;
	int i = 0;

	while (p.arguments[i])
		i++;
	p.arguments[i] = g->b.name;
	s = proftop_start(&p);
	screen_rename(s, g->b.name, SHOWN_NAME);
	screen_until(s, "lost 15");
	return s;
}

/* Checks that proftop wrote nothing indecent, left when asked to, and left the terminal as it was. */
static inline void proftop_leave(struct screen *s)
{
	int status;

	screen_type(s, "Q");
	status = screen_end(s);
	if (status)
		fail_msg("it ended with %d; its screen:\n%s", status, screen_text(s));
	screen_check_bytes(s);
	assert_false(screen_is_alternate(s));
	assert_int_equal(screen_mouse_mode(s), 0);
	screen_free(s);
}

/* Where a text begins on the screen; false: it is not there. Its line has to be ASCII. */
static inline bool screen_find(struct screen *s, const char *text, int *x, int *y)
{
	const char *all = screen_text(s), *at = strstr(all, text);

	if (!at)
		return false;
	*x = *y = 0;
	for (; all < at; all++) {
		*x = *all == '\n' ? 0 : *x + 1;
		*y += *all == '\n';
	}
	return true;
}

static inline void screen_click(struct screen *s, const char *text)
{
	int x = 0, y = 0;

	screen_until(s, text);
	assert_true(screen_find(s, text, &x, &y));
	screen_mouse(s, 0, false, x, y);
	screen_mouse(s, 0, true, x, y);
}

static inline int game_setup(void **state)
{
	struct game *g = malloc(sizeof(*g));

	if (!g)
		return -1;
	game_begin(g, 'x');
	*state = g;
	return 0;
}

static inline int game_teardown(void **state)
{
	game_end(*state);
	free(*state);
	return 0;
}

/* For a whole program: what a test that failed has left is removed. */
static inline int game_remove_all(void **state)
{
	char path[64], name[GAME_NAME_SIZE];

	(void)state;
	for (const char *tag = "xy"; *tag; tag++) {
		game_name(name, *tag);
		snprintf(path, sizeof(path), "%s/%s", REGION_DIRECTORY, name);
		unlink(path);
	}
	return 0;
}

/* One game for all tests of a program, none of which changes it: for a whole program instead of game_setup. */
static inline struct game *game_of_all(void)
{
	static struct game game;

	return &game;
}

static inline int game_begin_all(void **state)
{
	(void)state;
	game_begin(game_of_all(), 'x');
	return 0;
}

static inline int game_end_all(void **state)
{
	game_end(game_of_all());
	return game_remove_all(state);
}

#endif

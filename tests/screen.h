/* SPDX-License-Identifier: MIT */
/*
 * screen: a program on a terminal that a test looks at and types on.
 *
 * The terminal is an emulator (libvterm) on a pty. It answers no question that the program may ask it.
 * All that the program writes is kept. Waiting is bounded: a test fails, with the screen printed, when
 * what it waits for has not come in some seconds; it never waits for time alone.
 *
 *   struct screen *s = screen_start(&(struct screen_start){ .argv = argv, .columns = 80, .rows = 24 });
 *   screen_until(s, "LIVE");
 *   screen_type(s, "p");
 *   screen_golden(s, "paused");
 *   screen_type(s, "q");
 *   assert_int_equal(screen_end(s), 0);
 *   screen_free(s);
 */
#ifndef TESTS_SCREEN_H
#define TESTS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct screen;

struct screen_start {
	const char *const *argv;        /* argv[0] is the file */
	const char *const *environment; /* NAME=value, added to what every test has; ends with NULL */
	int columns, rows;              /* 0: 80x24 */
	const char *term;               /* NULL: xterm-256color; "": TERM is not set */
	const char *locale;             /* NULL: C.UTF-8 */
};

/* The program gets PATH, HOME, the sanitizers' options, TERM and LC_ALL, no settings of the user, and nothing
 * else. */
struct screen *screen_start(const struct screen_start *start);

/* Ends the program if it still runs. */
void screen_free(struct screen *s);

pid_t screen_pid(const struct screen *s);
int screen_fd(const struct screen *s); /* the pty's other side */

/* Its exit status, 128 + n for signal n; waits for it. */
int screen_end(struct screen *s);
int screen_end_unread(struct screen *s); /* the same, while nobody reads what it writes */

/* Input. Mouse codes as in SGR reports (0 left button, 32 + 0 drag, 64 and 65 the wheel), from 0. */
void screen_type(struct screen *s, const char *keys);
void screen_type_bytes(struct screen *s, const void *bytes, size_t count);
bool screen_pastes(struct screen *s); /* bracketed paste is on */
void screen_paste(struct screen *s, const char *text); /* comes as keys do where it is off */
void screen_mouse(struct screen *s, int code, bool release, int x, int y);
void screen_resize(struct screen *s, int columns, int rows);

/* The terminal is gone. Only screen_end and screen_free are left. */
void screen_hang_up(struct screen *s);

/* Reads what comes for so long. */
void screen_pump(struct screen *s, int ms);

/* Waits until the text is on the screen, or is not; for a line, until it stands there in full. */
void screen_until(struct screen *s, const char *text);
void screen_until_gone(struct screen *s, const char *text);
void screen_until_true(struct screen *s, bool (*holds)(struct screen *s, void *context), void *context);

/* Waits until nothing has come for so long. */
void screen_until_quiet(struct screen *s, int ms);

/* The lines, without blanks at their ends. Until the next call. */
const char *screen_text(struct screen *s);
bool screen_shows(struct screen *s, const char *text);

/* From now on the text says `shown`, of the same length, where the screen says `name`. Both are borrowed. Of two
 * names at most. */
void screen_rename(struct screen *s, const char *name, const char *shown);

/* The lines with a letter for each cell, `.` for one without attributes; then what the letters mean. */
const char *screen_colours(struct screen *s);

void screen_cursor(struct screen *s, int *x, int *y, bool *visible);
bool screen_is_alternate(struct screen *s);
int screen_mouse_mode(struct screen *s); /* 0 none, 1 clicks, 2 drags, 3 all motion */

/* The bytes written since the start, or since screen_forget. */
const char *screen_bytes(struct screen *s, size_t *length);
void screen_forget(struct screen *s);

/* Fails unless all that was written is text and the sequences that a screen is made of: no C1
 * controls, no titles, no questions, nothing that a name may have smuggled in. */
void screen_check_bytes(struct screen *s);

/* The screen, colours too, is that of tests/screens/NAME.screen. With UPDATE_SCREENS=1 in the
 * environment that file is written instead. */
void screen_golden(struct screen *s, const char *name);

#endif

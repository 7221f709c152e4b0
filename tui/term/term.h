/* SPDX-License-Identifier: MIT */
/*
 * term: the terminal: keys in, cells out. The only file that knows curses.
 *
 * term_open takes the terminal, term_close gives it back as it was, whatever happened in between: on
 * every way out, signals that end the process and a crash of it among them, the terminal is
 * restored. Suspending (^Z) and resizing are events like keys.
 *
 * One terminal a process; all functions belong to the thread that opened it.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "tui/cells/canvas.h"

enum term_event_kind {
	TERM_NOTHING, /* the time is over */
	TERM_KEY,
	TERM_PASTE, /* a character of pasted text, which may be a control character; key 0: end of the text */
	TERM_MOUSE,
	TERM_RESIZE,  /* term_size says how large it is now */
	TERM_RESUMED, /* after a suspension: everything was drawn anew */
	TERM_CLOSED,  /* the terminal is gone, or a signal asks to end: `signal`, 0 for an end of file */
};

/* Characters are code points, and control characters as they are: */
#define TERM_TAB '\t'
#define TERM_ENTER '\r'
#define TERM_ESCAPE 27
#define TERM_CONTROL(letter) ((letter) & 0x1f)

/* Beside them: */
enum term_key {
	KEY_FIRST_SPECIAL = 0x200000, /* above all code points */
	TERM_UP, TERM_DOWN, TERM_LEFT, TERM_RIGHT, TERM_PAGE_UP, TERM_PAGE_DOWN, TERM_HOME, TERM_END,
	TERM_BACKSPACE, TERM_DELETE, TERM_BACK_TAB, TERM_F1,
	TERM_SHIFT_LEFT, TERM_SHIFT_RIGHT, TERM_CONTROL_LEFT, TERM_CONTROL_RIGHT,
};

enum term_button { BUTTON_NONE, BUTTON_LEFT, BUTTON_MIDDLE, BUTTON_RIGHT, WHEEL_UP, WHEEL_DOWN };
enum term_action { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE };

struct term_event {
	enum term_event_kind kind;
	uint32_t key;
	enum term_button button;
	enum term_action action;
	int x, y; /* of the mouse */
	int signal;
};

struct term_options {
	int colours;      /* 0, 8, 16, 256; -1: as the terminal has it, none with NO_COLOR */
	int theme;        /* enum theme_kind */
	bool mouse;
	bool title; /* term_set_title may change the terminal's title */
	bool ascii;
};

/* On stdin and stdout. False: `why` (of at least 256 bytes) says why it cannot, and what to do. */
bool term_open(const struct term_options *o, char *why, size_t why_size);
void term_close(void);

/* The colours that are in use: 0, 8, 16 or 256. */
int term_colours(void);
void term_set_colours(int colours); /* no more than the terminal has */
void term_set_theme(int theme); /* enum theme_kind */
void term_set_mouse(bool on);

/* The title of the terminal's window (OSC 2), of text that is safe to show (name_safe). The terminal has its own title back
 * when it is closed, lent or suspended, if it can save it. Longer titles are left out, and so are all of terminals that do not
 * know titles. */
#define TERM_TITLE_MOST 256
void term_set_title(const char *title);

/* True if the theme and depth in use have colours. */
bool term_has_hues(void);

/* True if the theme and depth in use show pins as areas of colour. */
bool term_has_areas(void);

/* The size of the terminal, 1x1 at least. */
void term_size(int *width, int *height);

/* Shows a canvas: writes only what is not there already. Its size may differ from the terminal's
 * in the middle of a resize; what is outside is left out. */
void term_show(const struct canvas *c);

/* All of the screen is written at the next show, whatever is there. */
void term_redraw(void);

/* The next event; waits for it for `timeout_ms` at most (0: not at all), or until `fd` (-1: none)
 * can be read. */
struct term_event term_next(int timeout_ms, int fd);

/* Gives the terminal to a program, and takes it again when that has ended; `meanwhile` is called some fifty times
 * a second. Returns its status as waitpid gives it; -1: it could not be started, and *error (an errno) is why.
 * What was shown is shown again; the size may be another one. */
int term_lend(char *const *argv, void (*meanwhile)(void *context), void *context, int *error);

/* Writes a text for the terminal's clipboard (OSC 52), of at most TERM_CLIP_MOST bytes. False: the terminal is
 * one that has none, as far as its name says, or the text is too long. */
#define TERM_CLIP_MOST 56000
bool term_clip(const char *text, size_t length);

/* The name and version of the library that draws. */
const char *term_library(void);

#endif

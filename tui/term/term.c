/* SPDX-License-Identifier: MIT */
/*
 * term: curses draws; what the terminal sends is read here, because curses cannot tell that a
 * terminal is gone from a pause. term_input makes keys of it, term_signal has the signals, and
 * term_rescue gives the terminal back when term_close does not come to it.
 */
#include <config.h>

#include "tui/term/term.h"

#include <curses.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "model/base/text.h"
#include "tui/term/term_inside.h"
#include "tui/term/spawn.h"
#include "tui/term/term_rescue.h"
#include "tui/cells/theme.h"

#define WIDTH_MOST 2000 /* what a terminal claims beyond that is not believed */
#define HEIGHT_MOST 1000
#define FLOOD_MS 50 /* how much longer than its timeout term_next may read bytes that make no event */
#define PAIRS 128 /* of foreground and background; a theme has some dozens */

static const char mouse_on[] = "\033[?1002h\033[?1006h";
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l"; /* bracketed paste */
static const char title_push[] = "\033[22;2t", title_pop[] = "\033[23;2t"; /* XTWINOPS */
static const char mouse_off[] = "\033[?1006l\033[?1002l";

struct pair {
	short foreground, background;
};

/* One terminal a process. */
static struct {
	SCREEN *screen;
	enum theme_kind theme;
	int most_colours; /* of the terminal */
	enum theme_depth depth;
	struct pair pairs[PAIRS]; /* curses' number is one more than the index */
	int pair_count;
	bool ascii;
	bool has_mouse, mouse;
	bool has_paste;
	int width, height;
	int claimed_width, claimed_height; /* what it says of itself */
	struct cell *shown; /* what curses has been given; NULL: nothing */
	int cursor_x, cursor_y;
	bool cursor_shown;
	bool redraw;
	struct input input;
	bool has_title, pushes_title; /* it takes OSC 2; its title has to be saved, because smcup does not save it */
	char title[TERM_TITLE_MOST];
	bool ended; /* the terminal is gone */
} term;

static const struct cell blank = { .codes = { ' ' }, .width = 1 };

/* Sequences of our own; errors show when the terminal is read. */
static void send_bytes(const char *bytes)
{
	size_t at = 0, length = strlen(bytes);
	ssize_t n;

	while (at < length) {
		n = write(STDOUT_FILENO, bytes + at, length - at);
		if (n > 0)
			at += (size_t)n;
		else if (errno != EINTR)
			return;
	}
}

bool term_clip(const char *text, size_t length)
{
	const char *name = getenv("TERM");
	char *sequence;

	if (!name || !clip_is_known(name) || length > TERM_CLIP_MOST)
		return false;
	sequence = clip_sequence(text, length);
	if (!sequence)
		return false;
	send_bytes(sequence);
	free(sequence);
	return true;
}

/* Its string in terminfo, or NULL. */
static const char *capability_of(const char *name)
{
	char *text = tigetstr((char *)name);

	return text == (char *)-1 ? NULL : text;
}

/* Colours */

static int pair_of(int foreground, int background)
{
	struct pair *p;

	for (int i = 0; i < term.pair_count; i++)
		if (term.pairs[i].foreground == foreground && term.pairs[i].background == background)
			return i + 1;
	if (term.pair_count == PAIRS || term.pair_count + 1 >= COLOR_PAIRS)
		return 0;
	p = &term.pairs[term.pair_count++];
	*p = (struct pair){ (short)foreground, (short)background };
	init_pair((short)term.pair_count, p->foreground, p->background);
	return term.pair_count;
}

static attr_t attributes_of(uint8_t attributes)
{
	return (attributes & LOOK_BOLD ? A_BOLD : 0) | (attributes & LOOK_DIM ? A_DIM : 0) |
	       (attributes & LOOK_UNDERLINE ? A_UNDERLINE : 0) |
	       (attributes & LOOK_REVERSE ? A_REVERSE : 0);
}

/* Where colours are given in red, green and blue, only the first eight are those of the palette. */
static void start_colours(void)
{
	term.most_colours = 0;
	if (!has_colors() || start_color() == ERR || use_default_colors() == ERR)
		return;
	term.most_colours = tigetflag((char *)"RGB") > 0 ? 8 : COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS;
	if (term.most_colours < 8)
		term.most_colours = 0;
}

int term_colours(void)
{
	static const int colours[DEPTHS] = { 0, 8, 16, 256 };

	return colours[term.depth];
}

/* The cells are the same, their looks are not: all are given to curses again. */
static void forget_shown(void)
{
	size_t count = (size_t)term.width * (size_t)term.height;

	for (size_t i = 0; term.shown && i < count; i++)
		term.shown[i].width = UINT8_MAX;
}

/* Pairs are numbered anew, so that no number of themes and depths uses them up; what stands on the screen
 * with the old ones is written again. */
static void set_looks(enum theme_kind theme, enum theme_depth depth, bool anew)
{
	if (anew || theme != term.theme || depth != term.depth) {
		term.pair_count = 0;
		term.redraw = true;
	}
	term.theme = theme;
	term.depth = depth;
	forget_shown();
}

void term_set_colours(int colours)
{
	set_looks(term.theme, theme_depth(colours < term.most_colours ? colours : term.most_colours), false);
}

void term_set_theme(int theme)
{
	set_looks((enum theme_kind)theme, term.depth, false);
}

bool term_has_hues(void)
{
	return term.theme != THEME_MONO && term.depth != DEPTH_MONO;
}

bool term_has_areas(void)
{
	return theme_has_areas(term.theme, term.depth);
}

static int wanted_colours(int asked)
{
	const char *no = getenv("NO_COLOR");

	if (asked >= 0)
		return asked;
	return no && *no ? 0 : term.most_colours;
}

/* Size */

static int clamp_cell(int value, int most)
{
	return value < 1 ? 1 : value > most ? most : value;
}

/* The size by the kernel; if the kernel does not know it, by terminfo. */
static void ask_size(int *width, int *height)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		size.ws_col = size.ws_row = 0;
	*width = clamp_cell(size.ws_col ? size.ws_col : tigetnum((char *)"cols"), WIDTH_MOST);
	*height = clamp_cell(size.ws_row ? size.ws_row : tigetnum((char *)"lines"), HEIGHT_MOST);
}

/* Nobody knows what the terminal made of the old screen: all is drawn anew. */
static void take_size(void)
{
	ask_size(&term.claimed_width, &term.claimed_height);
	resize_term(term.claimed_height, term.claimed_width);
	getmaxyx(stdscr, term.height, term.width);
	erase();
	free(term.shown);
	term.shown = NULL;
	term.redraw = true;
}

void term_size(int *width, int *height)
{
	*width = term.width;
	*height = term.height;
}

/* Showing */

/* A character as curses gets it; where its library disagrees about the width, a mark instead, so that
 * nothing behind it moves. */
static void set_text(wchar_t *text, const struct cell *cell)
{
	bool plain = cell->codes[0] < 0x80;
	int count = 0;

	text[0] = (wchar_t)cell->codes[0];
	if (!plain && (term.ascii || wcwidth(text[0]) != cell->width))
		text[0] = '?';
	for (count = 1; count < CELL_CODES && cell->codes[count] && !term.ascii; count++) {
		text[count] = (wchar_t)cell->codes[count];
		if (wcwidth(text[count]))
			break;
	}
	text[count] = 0;
}

static void give_cell(int x, int y, const struct cell *cell)
{
	struct paint look = theme_look(term.theme, term.depth, cell);
	int pair = term.depth == DEPTH_MONO ? 0 : pair_of(look.foreground, look.background);
	wchar_t text[CELL_CODES + 1];
	cchar_t c;

	set_text(text, cell);
	if (cell->width == 2 && text[0] == '?') { /* its right half */
		setcchar(&c, L" ", attributes_of(look.attributes), (short)pair, NULL);
		mvadd_wch(y, x + 1, &c);
	}
	setcchar(&c, text, attributes_of(look.attributes), (short)pair, NULL);
	mvadd_wch(y, x, &c); /* in the last cell it says ERR, having written it */
}

static bool make_shown(void)
{
	size_t count = (size_t)term.width * (size_t)term.height;

	if (!term.shown) {
		term.shown = malloc(count * sizeof(*term.shown));
		forget_shown();
	}
	return term.shown != NULL;
}

/* The cell of the canvas; blank where it has none, or half of one at the edge. */
static const struct cell *wanted_cell(const struct canvas *c, int x, int y)
{
	const struct cell *cell;

	if (x >= c->width || y >= c->height)
		return &blank;
	cell = &c->cells[(size_t)y * (size_t)c->width + (size_t)x];
	return cell->width == 2 && x + 1 >= term.width ? &blank : cell;
}

static bool show_line(const struct canvas *c, int y)
{
	struct cell *shown = &term.shown[(size_t)y * (size_t)term.width];
	bool changed = false;

	if (c->width == term.width && y < c->height &&
	    !memcmp(shown, &c->cells[(size_t)y * (size_t)c->width], (size_t)c->width * sizeof(*shown)))
		return false;
	for (int x = 0; x < term.width; x++) {
		const struct cell *cell = wanted_cell(c, x, y);

		if (!memcmp(&shown[x], cell, sizeof(*cell)))
			continue;
		if (cell->width)
			give_cell(x, y, cell);
		shown[x] = *cell;
		changed = true;
	}
	return changed;
}

/* It stands there also while it cannot be seen: screen readers and multiplexers follow it. */
static bool move_cursor(const struct canvas *c)
{
	int x = c->cursor_x < term.width ? c->cursor_x : term.width - 1;
	int y = c->cursor_y < term.height ? c->cursor_y : term.height - 1;
	bool changed = x != term.cursor_x || y != term.cursor_y || c->cursor_shown != term.cursor_shown;

	if (c->cursor_shown != term.cursor_shown)
		curs_set(c->cursor_shown);
	term.cursor_x = x;
	term.cursor_y = y;
	term.cursor_shown = c->cursor_shown;
	return changed;
}

void term_show(const struct canvas *c)
{
	bool changed = term.redraw;

	if (term.ended || !make_shown())
		return;
	for (int y = 0; y < term.height; y++)
		changed |= show_line(c, y);
	changed |= move_cursor(c);
	if (!changed)
		return;
	if (term.redraw)
		clearok(curscr, TRUE);
	term.redraw = false;
	move(term.cursor_y, term.cursor_x);
	refresh();
}

void term_redraw(void)
{
	term.redraw = true;
}

void term_set_mouse(bool on)
{
	on = on && term.has_mouse;
	if (on != term.mouse)
		send_bytes(on ? mouse_on : mouse_off);
	term.mouse = on;
}

/* Opening */

/* A terminal that cannot do that cannot have a screen. */
static const char *const needed[] = { "cup", "clear" };

static bool can_draw(void)
{
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!capability_of(needed[i]))
			return false;
	return tigetflag((char *)"hc") <= 0;
}

/* TERM comes from outside. */
static void say_why(char *why, size_t why_size, const char *format)
{
	const char *name = getenv("TERM");
	char *safe = name_escape_ascii(name ? name : "", name ? strnlen(name, 40) : 0);

	snprintf(why, why_size, format, safe ? safe : "");
	free(safe);
}

/* Whether terminfo knows the terminal, and it is one for a screen. */
static bool check_terminal(char *why, size_t why_size)
{
	const char *name = getenv("TERM");
	int found = 1;
	bool known, usable;

	if (!name || !*name) {
		say_why(why, why_size, "TERM is not set, so proftop does not know how to draw. Set it (TERM=xterm "
		                       "proftop), or print a report (proftop report)%s");
		return false;
	}
	known = setupterm(NULL, STDOUT_FILENO, &found) == OK;
	usable = known && can_draw();
	if (cur_term)
		del_curterm(cur_term);
	if (!known && found == -1)
		say_why(why, why_size, "the terminal descriptions (terminfo) are missing, also that of '%s'. "
		                       "Install ncurses-base, or print a report (proftop report)");
	else if (!known && found == 0)
		say_why(why, why_size, "terminfo does not know the terminal '%s'. Set TERM to a known one "
		                       "(TERM=xterm proftop), or print a report (proftop report)");
	else if (!usable)
		say_why(why, why_size, "the terminal '%s' (TERM) cannot position text. Set TERM if it is wrong "
		                       "(TERM=xterm proftop), or print a report (proftop report)");
	return usable;
}

static void learn_keys(void)
{
	static const struct {
		const char *name;
		uint32_t key;
	} keys[] = {
		{ "kcuu1", TERM_UP },     { "kcud1", TERM_DOWN },     { "kcub1", TERM_LEFT },
		{ "kcuf1", TERM_RIGHT },  { "kpp", TERM_PAGE_UP },    { "knp", TERM_PAGE_DOWN },
		{ "khome", TERM_HOME },   { "kend", TERM_END },       { "kbs", TERM_BACKSPACE },
		{ "kdch1", TERM_DELETE }, { "kcbt", TERM_BACK_TAB },  { "kf1", TERM_F1 },
	};

	term.input = (struct input){ 0 };
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		input_add_key(&term.input, capability_of(keys[i].name), keys[i].key);
}

/* The sequences that leave the screen, for when curses cannot. If there is no other screen to go back to, the
 * shell goes on in the last line. */
static void prepare_rescue(void)
{
	static const char *const names[] = { "sgr0", "op", "rmkx", "rmcup", "cnorm" };

	if (term.has_mouse)
		rescue_add(mouse_off);
	if (term.has_paste)
		rescue_add(paste_off);
	if (term.pushes_title)
		rescue_add(title_pop);
	if (!capability_of("rmcup")) {
		rescue_add(tiparm(capability_of("cup"), HEIGHT_MOST - 1, 0));
		rescue_add("\r\n");
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		rescue_add(capability_of(names[i]));
}

/* Keys are read here, never by curses: it would look for them while it draws. */
static void set_modes(void)
{
	cbreak();
	noecho();
	nonl();
	rescue_take_modes();
	def_prog_mode();
	keypad(stdscr, TRUE); /* so that it sends its keys as terminfo says */
	typeahead(-1);
	curs_set(0);
}

/* curses takes a screen that it has never come back to for none at all, as if a program used nothing of it
 * but its moves of the cursor: it writes each of them out at once. A redraw would be hundreds of calls. */
static void enter_again(void)
{
	endwin();
	refresh();
}

/* Linux's console has a mouse through gpm alone, whatever its description says. */
static bool knows_mouse(void)
{
	return (capability_of("kmous") || capability_of("XM")) && strncmp(getenv("TERM"), "linux", 5);
}

/* A terminal that moves its cursor with CSI ignores a mode that it does not know. */
static bool knows_paste(void)
{
	return !strncmp(capability_of("cup"), "\033[", 2);
}

/* Terminals like xterm, which terminfo marks with XT. Screen and tmux show the title of each window and pass it on. */
static bool knows_title(void)
{
	static const char *const like_xterm[] = { "xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "kitty" };
	const char *name = getenv("TERM");

	if (tigetflag("XT") > 0)
		return true;
	for (size_t i = 0; name && i < sizeof(like_xterm) / sizeof(*like_xterm); i++)
		if (!strncmp(name, like_xterm[i], strlen(like_xterm[i])))
			return true;
	return false;
}

static void send_title(void)
{
	send_bytes("\033]2;");
	send_bytes(term.title);
	send_bytes("\007");
}

void term_set_title(const char *title)
{
	if (!term.has_title || strlen(title) >= TERM_TITLE_MOST || !strcmp(title, term.title))
		return;
	if (term.pushes_title && !*term.title)
		send_bytes(title_push);
	strcpy(term.title, title);
	send_title();
}

/* False: there is none to be had. */
static bool new_screen(void)
{
	struct winsize size = { 0 };

	use_env(FALSE); /* the terminal's size is what the terminal says, not LINES and COLUMNS */
	/* curses takes any size, and has no memory for it, or takes it for a negative one: take_size() says how large it is */
	use_tioctl(ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || (size.ws_col <= WIDTH_MOST && size.ws_row <= HEIGHT_MOST));
	term.screen = newterm(NULL, stdout, stdin);
	if (term.screen)
		signals_retake(); /* curses has its own */
	return term.screen != NULL;
}

static void start_screen(void)
{
	rescue_arm();
	set_modes();
	enter_again();
	if (term.has_paste)
		send_bytes(paste_on);
	start_colours();
	take_size();
}

static void start_curses(const struct term_options *o)
{
	term.theme = (enum theme_kind)o->theme;
	term.ascii = o->ascii;
	term.has_mouse = knows_mouse();
	term.has_paste = knows_paste();
	term.has_title = o->title && knows_title();
	term.pushes_title = term.has_title && (!capability_of("smcup") || !strstr(capability_of("smcup"), "[22;"));
	learn_keys();
	prepare_rescue();
	start_screen();
	term_set_colours(wanted_colours(o->colours));
	term_set_mouse(o->mouse);
}

bool term_open(const struct term_options *o, char *why, size_t why_size)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		snprintf(why, why_size, "the screen needs a terminal on stdin and stdout. Print a report instead "
		                        "(proftop report)");
		return false;
	}
	if (!check_terminal(why, why_size))
		return false;
	memset(&term, 0, sizeof(term));
	if (!rescue_begin(STDOUT_FILENO) || !signals_take()) {
		snprintf(why, why_size, "the terminal cannot be set up: %s", strerror(errno));
		rescue_end();
		return false;
	}
	if (!new_screen()) {
		signals_return();
		rescue_end();
		say_why(why, why_size, "curses cannot use the terminal '%s' (TERM). Set TERM if it is wrong "
		                       "(TERM=xterm proftop), or print a report (proftop report)");
		return false;
	}
	start_curses(o);
	return true;
}

/* Leaving and coming back */

static void leave_screen(void)
{
	if (term.mouse)
		send_bytes(mouse_off);
	if (term.has_paste)
		send_bytes(paste_off);
	if (term.pushes_title && *term.title)
		send_bytes(title_pop);
	endwin();
	rescue_restore_modes();
	rescue_disarm();
}

void term_close(void)
{
	if (!term.screen)
		return;
	move(LINES - 1, 0); /* where the prompt will stand, if the screen stays */
	clrtoeol();
	refresh();
	leave_screen();
	delscreen(term.screen);
	free(term.shown);
	signals_return();
	rescue_end();
	memset(&term, 0, sizeof(term));
}

/* Takes the terminal again, in whatever state it is, and shows what was there: on a screen that is new. One
 * that had colours resets the terminal's palette (OSC 104) when it comes back, though nothing here ever changes
 * it, and not every terminal knows what that is. */
static void come_back(void)
{
	delscreen(term.screen);
	if (!new_screen()) {
		term.ended = true;
		return;
	}
	start_screen();
	set_looks(term.theme, term.depth, true);
	curs_set(term.cursor_shown);
	if (term.mouse)
		send_bytes(mouse_on);
	if (term.pushes_title && *term.title)
		send_bytes(title_push);
	if (*term.title)
		send_title();
}

int term_lend(char *const *argv, void (*meanwhile)(void *context), void *context, int *error)
{
	int status;

	leave_screen();
	signals_lend();
	status = lend_run(argv, meanwhile, context, error);
	signals_continued(); /* it was stopped, and that is over */
	come_back();
	return status;
}

/* Events */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool came_back(void)
{
	bool suspended = signals_suspended();

	if (!suspended && !signals_continued())
		return false;
	leave_screen(); /* also after a stop that could not be caught: who knows what was done meanwhile */
	if (suspended)
		signals_stop();
	signals_continued();
	come_back();
	return true;
}

/* Turns signals into events. One that ends proftop comes first, and again and again. */
static bool signal_event(struct term_event *e)
{
	int width, height;

	signals_clear();
	if (signals_ending() || term.ended) {
		*e = (struct term_event){ .kind = TERM_CLOSED, .signal = signals_ending() };
		return true;
	}
	if (came_back()) {
		e->kind = TERM_RESUMED;
		return true;
	}
	ask_size(&width, &height);
	if (!signals_resized() && width == term.claimed_width && height == term.claimed_height)
		return false;
	take_size();
	e->kind = TERM_RESIZE;
	return true;
}

/* Everything but a pause and a signal is the end: no byte from a terminal is the end of the file. */
static void read_input(void)
{
	char bytes[INPUT_SIZE];
	ssize_t n = read(STDIN_FILENO, bytes, input_room(&term.input));

	if (n > 0) {
		input_feed(&term.input, bytes, (size_t)n, now_ms());
	} else if (!n || (errno != EINTR && errno != EAGAIN)) {
		term.ended = true;
		signals_hurry();
	}
}

enum { WAIT_INPUT, WAIT_SIGNAL, WAIT_OTHER, WAITS };
enum { CAME_INPUT = 1, CAME_SIGNAL = 2, CAME_OTHER = 4 };

/* Waits at most `most_ms` for input, and reads what the terminal sent. Returns
 * the set of what came. After an interruption the terminal may have sent
 * something, so CAME_INPUT is set, too. */
static unsigned wait_input(int64_t most_ms, int fd)
{
	struct pollfd p[WAITS] = {
		[WAIT_INPUT] = { .fd = STDIN_FILENO, .events = POLLIN },
		[WAIT_SIGNAL] = { .fd = signals_fd(), .events = POLLIN },
		[WAIT_OTHER] = { .fd = fd, .events = POLLIN },
	};

	if (poll(p, WAITS, most_ms < 0 ? 0 : most_ms > INT_MAX ? INT_MAX : (int)most_ms) < 0)
		return CAME_INPUT | CAME_SIGNAL;
	if (p[WAIT_INPUT].revents)
		read_input();
	return (p[WAIT_INPUT].revents ? CAME_INPUT : 0) | (p[WAIT_SIGNAL].revents ? CAME_SIGNAL : 0) |
	       (p[WAIT_OTHER].revents ? CAME_OTHER : 0);
}

/* While bytes come that make no event, it reads for up to FLOOD_MS longer than
 * its timeout. The silence ends at the time before the poll that found nothing. */
struct term_event term_next(int timeout_ms, int fd)
{
	struct term_event e = { .kind = TERM_NOTHING };
	int64_t now = now_ms(), end = now + timeout_ms, silence = 0, until;
	bool over = false;
	unsigned came;

	while (!signal_event(&e) && !input_next(&term.input, silence, &e) && !over) {
		until = input_decides_ms(&term.input);
		now = now_ms();
		came = wait_input((until < end ? until : end) - now, fd);
		silence = came & CAME_INPUT ? 0 : now - term.input.fed_ms;
		over = came & CAME_OTHER || now >= end + (came ? FLOOD_MS : 0);
	}
	/* Ctrl-C and Ctrl-Z of kitty's protocol, which the kernel does not see */
	if (e.kind == TERM_KEY && (e.key == 3 || e.key == 26))
		raise(e.key == 3 ? SIGINT : SIGTSTP);
	return e;
}

const char *term_library(void)
{
	return curses_version();
}

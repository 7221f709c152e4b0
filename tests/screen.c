/* SPDX-License-Identifier: MIT */
#include "tests/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <vterm.h>

#include "model/base/text.h"

#define PATIENCE_MS 20000 /* then what is waited for will not come */
#define NAMES 2
#define STYLES 62
#define ENVIRONMENT 32

struct style {
	VTermScreenCellAttrs attributes;
	VTermColor fg, bg;
};

struct screen {
	pid_t pid;
	int fd; /* -1: hung up */
	bool ended;
	int status;
	VTerm *vt;
	VTermScreen *cells;
	int columns, rows;
	bool visible, alternate;
	int mouse, cursor_x, cursor_y;
	char *bytes;
	size_t length, room, forgotten;
	size_t fed; /* of them, to the emulator */
	size_t answered; /* bytes */
	char *text, *colours;
	struct {
		const char *name, *shown; /* in the text the second stands for the first */
	} names[NAMES];
	int name_count;
	struct style styles[STYLES];
	int style_count;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* cmocka's own print_error has room for a kilobyte. */
__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

/* The emulator */

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct screen *s = user;

	if (property == VTERM_PROP_CURSORVISIBLE)
		s->visible = value->boolean;
	else if (property == VTERM_PROP_ALTSCREEN)
		s->alternate = value->boolean;
	else if (property == VTERM_PROP_MOUSE)
		s->mouse = value->number;
	return 1;
}

static int on_cursor(VTermPos position, VTermPos before, int visible, void *user)
{
	struct screen *s = user;

	(void)before;
	(void)visible;
	s->cursor_x = position.col;
	s->cursor_y = position.row;
	return 1;
}

/* The bytes that the emulator would send are only counted. */
static void answer_nothing(const char *bytes, size_t length, void *user)
{
	struct screen *s = user;

	(void)bytes;
	s->answered += length;
}

/* The emulator cannot stand a wide character where there is one column, and that is what a program
 * writes that does not know yet how narrow its terminal has become. */
static int emulated(int size)
{
	return size < 4 ? 4 : size;
}

static void make_emulator(struct screen *s)
{
	static const VTermScreenCallbacks callbacks = { .settermprop = on_property, .movecursor = on_cursor };

	s->vt = vterm_new(emulated(s->rows), emulated(s->columns));
	vterm_set_utf8(s->vt, 1);
	vterm_output_set_callback(s->vt, answer_nothing, s);
	s->cells = vterm_obtain_screen(s->vt);
	vterm_screen_set_callbacks(s->cells, &callbacks, s);
	vterm_screen_enable_altscreen(s->cells, 1);
	vterm_screen_reset(s->cells, 1);
	s->visible = true;
}

/* The program */

static const char *variable(const char *name, const char *value)
{
	char *text;

	assert_true(asprintf(&text, "%s=%s", name, value) > 0);
	return text;
}

/* A variable that the test sets counts. */
static bool is_given(const struct screen_start *start, const char *name)
{
	size_t length = strlen(name);

	for (int i = 0; start->environment && start->environment[i]; i++)
		if (!strncmp(start->environment[i], name, length) && start->environment[i][length] == '=')
			return true;
	return false;
}

static void make_environment(const char **out, const struct screen_start *start)
{
	static const char *const passed[] = { "PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS",
					      "LSAN_OPTIONS", "top_srcdir", "top_builddir" };
	int n = 0;

	/* The test's own first: of two with one name the first counts. */
	for (; start->environment && start->environment[n] && n < ENVIRONMENT / 2; n++)
		out[n] = start->environment[n];
	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++)
		if (getenv(passed[i]) && !is_given(start, passed[i]))
			out[n++] = variable(passed[i], getenv(passed[i]));
	if (!start->term || *start->term)
		out[n++] = variable("TERM", start->term ? start->term : "xterm-256color");
	if (!is_given(start, "XDG_CONFIG_HOME")) /* the settings of whoever runs the tests are not the test's */
		out[n++] = "XDG_CONFIG_HOME=/dev/null";
	if (!is_given(start, "XDG_CACHE_HOME"))
		out[n++] = "XDG_CACHE_HOME=/dev/null";
	out[n++] = variable("LC_ALL", start->locale ? start->locale : "C.UTF-8");
	out[n] = NULL;
}

/* In the child: the pty becomes its terminal. */
static void run(const char *pty, const struct screen_start *start)
{
	const char *environment[ENVIRONMENT];
	int fd;

	make_environment(environment, start);
	setsid();
	fd = open(pty, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(126);
	if (fd > 2)
		close(fd);
	execve(start->argv[0], (char *const *)start->argv, (char *const *)environment);
	_exit(127);
}

static void set_size(struct screen *s)
{
	struct winsize size = { .ws_col = (unsigned short)s->columns, .ws_row = (unsigned short)s->rows };

	assert_int_equal(ioctl(s->fd, TIOCSWINSZ, &size), 0);
}

struct screen *screen_start(const struct screen_start *start)
{
	struct screen *s = calloc(1, sizeof(*s));
	char pty[64];

	assert_non_null(s);
	s->columns = start->columns ? start->columns : 80;
	s->rows = start->rows ? start->rows : 24;
	s->fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(s->fd >= 0 && !grantpt(s->fd) && !unlockpt(s->fd));
	assert_int_equal(ptsname_r(s->fd, pty, sizeof(pty)), 0);
	set_size(s);
	make_emulator(s);
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (!s->pid)
		run(pty, start);
	return s;
}

pid_t screen_pid(const struct screen *s)
{
	return s->pid;
}

int screen_fd(const struct screen *s)
{
	return s->fd;
}

static bool reap(struct screen *s)
{
	int status;

	if (!s->ended && waitpid(s->pid, &status, WNOHANG) == s->pid) {
		s->ended = true;
		s->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	return s->ended;
}

/* Output */

static void keep(struct screen *s, const char *bytes, size_t count)
{
	if (s->length + count > s->room) {
		s->room = (s->length + count) * 2;
		s->bytes = realloc(s->bytes, s->room);
		assert_non_null(s->bytes);
	}
	memcpy(s->bytes + s->length, bytes, count);
	s->length += count;
}

/* The bytes of `ESC [ n b` at a place, which repeats the character before it; 0: something else is there, SIZE_MAX:
 * that cannot be told yet. */
static size_t repetition(const char *at, size_t left, int *times)
{
	size_t i = 2;

	if (left < 2)
		return SIZE_MAX;
	if (at[1] != '[')
		return 0;
	for (*times = 0; i < left && at[i] >= '0' && at[i] <= '9'; i++)
		*times = *times > 1000 ? *times : *times * 10 + at[i] - '0';
	return i == left ? SIZE_MAX : at[i] == 'b' ? i + 1 : 0;
}

/* libvterm wraps too early behind a repetition that ends before the last column: it gets the characters instead. */
static void feed(struct screen *s)
{
	while (s->fed < s->length) {
		const char *at = s->bytes + s->fed, *escape = memchr(at, '\033', s->length - s->fed);
		size_t before = escape ? (size_t)(escape - at) : s->length - s->fed, size;
		int times = 0;

		vterm_input_write(s->vt, at, before);
		s->fed += before;
		if (!escape)
			return;
		size = repetition(escape, s->length - s->fed, &times);
		if (size == SIZE_MAX)
			return;
		for (int i = 0; size && s->fed && i < times; i++)
			vterm_input_write(s->vt, escape - 1, 1);
		if (!size)
			vterm_input_write(s->vt, escape, size = 1);
		s->fed += size;
	}
}

/* Whether something came within that time. */
static bool pump(struct screen *s, int ms)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	char bytes[4096];
	ssize_t n = 0;

	if (poll(&p, 1, ms) > 0 && s->fd >= 0)
		n = read(s->fd, bytes, sizeof(bytes));
	if (n > 0) {
		keep(s, bytes, (size_t)n);
		feed(s);
		return true;
	}
	if (p.revents & POLLHUP) /* nobody has the pty open: it says so without waiting */
		poll(NULL, 0, ms < 10 ? ms : 10);
	return false;
}

void screen_pump(struct screen *s, int ms)
{
	int64_t end = now_ms() + ms, left;

	while ((left = end - now_ms()) > 0)
		pump(s, (int)left);
}

static int end(struct screen *s, bool reads)
{
	int64_t end = now_ms() + PATIENCE_MS;

	while (!reap(s) && now_ms() < end) {
		if (!reads || s->fd < 0)
			poll(NULL, 0, 5);
		else
			pump(s, 10);
	}
	while (s->fd >= 0 && pump(s, 0))
		;
	if (!s->ended) {
		complain("the program does not end; its screen:\n%s", screen_text(s));
		fail();
	}
	return s->status;
}

int screen_end(struct screen *s)
{
	return end(s, true);
}

int screen_end_unread(struct screen *s)
{
	return end(s, false);
}

void screen_free(struct screen *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (!reap(s)) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, NULL, 0);
	}
	vterm_free(s->vt);
	free(s->bytes);
	free(s->text);
	free(s->colours);
	free(s);
}

/* Input */

void screen_type_bytes(struct screen *s, const void *bytes, size_t count)
{
	const char *at = bytes;

	while (count) {
		ssize_t n = write(s->fd, at, count);

		assert_true(n > 0);
		at += n;
		count -= (size_t)n;
	}
}

void screen_type(struct screen *s, const char *keys)
{
	screen_type_bytes(s, keys, strlen(keys));
}

bool screen_pastes(struct screen *s)
{
	size_t before = s->answered;

	feed(s);
	vterm_keyboard_start_paste(s->vt);
	return s->answered > before;
}

void screen_paste(struct screen *s, const char *text)
{
	bool bracketed = screen_pastes(s);

	screen_type(s, bracketed ? "\033[200~" : "");
	screen_type(s, text);
	screen_type(s, bracketed ? "\033[201~" : "");
}

void screen_mouse(struct screen *s, int code, bool release, int x, int y)
{
	char report[64];

	snprintf(report, sizeof(report), "\033[<%d;%d;%d%c", code, x + 1, y + 1, release ? 'm' : 'M');
	screen_type(s, report);
}

void screen_resize(struct screen *s, int columns, int rows)
{
	s->columns = columns;
	s->rows = rows;
	vterm_set_size(s->vt, emulated(rows), emulated(columns));
	set_size(s);
}

void screen_hang_up(struct screen *s)
{
	close(s->fd);
	s->fd = -1;
}

/* What is seen */

static VTermScreenCell cell_at(struct screen *s, int x, int y)
{
	VTermScreenCell cell = { 0 };

	vterm_screen_get_cell(s->cells, (VTermPos){ .row = y, .col = x }, &cell);
	return cell;
}

static void put_code(FILE *out, uint32_t code)
{
	if (code < 0x80)
		fprintf(out, "%c", (int)code);
	else if (code < 0x800)
		fprintf(out, "%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 0x3F)));
	else if (code < 0x10000)
		fprintf(out, "%c%c%c", (int)(0xE0 | code >> 12), (int)(0x80 | (code >> 6 & 0x3F)),
			(int)(0x80 | (code & 0x3F)));
	else
		fprintf(out, "%c%c%c%c", (int)(0xF0 | code >> 18), (int)(0x80 | (code >> 12 & 0x3F)),
			(int)(0x80 | (code >> 6 & 0x3F)), (int)(0x80 | (code & 0x3F)));
}

static bool is_blank(const VTermScreenCell *cell)
{
	return !cell->chars[0] || cell->chars[0] == ' ';
}

static void put_line(struct screen *s, FILE *out, int y)
{
	int blanks = 0;

	for (int x = 0; x < s->columns; x++) {
		VTermScreenCell cell = cell_at(s, x, y);

		if (cell.chars[0] == UINT32_MAX) /* the right half of a wide character */
			continue;
		if (is_blank(&cell)) {
			blanks++;
			continue;
		}
		fprintf(out, "%*s", blanks, "");
		blanks = 0;
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			put_code(out, cell.chars[i]);
	}
	fputc('\n', out);
}

void screen_rename(struct screen *s, const char *name, const char *shown)
{
	assert_int_equal(strlen(name), strlen(shown));
	assert_true(s->name_count < NAMES);
	s->names[s->name_count].name = name;
	s->names[s->name_count++].shown = shown;
}

static void rename_all(struct screen *s)
{
	for (int i = 0; i < s->name_count; i++)
		for (char *at = s->text; (at = strstr(at, s->names[i].name));)
			memcpy(at, s->names[i].shown, strlen(s->names[i].shown));
}

const char *screen_text(struct screen *s)
{
	size_t size;
	FILE *out;

	free(s->text);
	out = open_memstream(&s->text, &size);
	assert_non_null(out);
	for (int y = 0; y < s->rows; y++)
		put_line(s, out, y);
	fclose(out);
	rename_all(s);
	return s->text;
}

bool screen_shows(struct screen *s, const char *text)
{
	return strstr(screen_text(s), text) != NULL;
}

/* Colours */

static bool same_colour(VTermColor a, VTermColor b)
{
	return vterm_color_is_equal(&a, &b);
}

static bool same_style(const struct style *a, const struct style *b)
{
	return a->attributes.bold == b->attributes.bold && a->attributes.underline == b->attributes.underline &&
	       a->attributes.reverse == b->attributes.reverse && same_colour(a->fg, b->fg) &&
	       same_colour(a->bg, b->bg);
}

static bool is_plain(const struct style *style)
{
	return !style->attributes.bold && !style->attributes.underline && !style->attributes.reverse &&
	       VTERM_COLOR_IS_DEFAULT_FG(&style->fg) && VTERM_COLOR_IS_DEFAULT_BG(&style->bg);
}

static char letter_of_index(int index)
{
	return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[index];
}

static char letter_of(struct screen *s, const VTermScreenCell *cell)
{
	struct style style = { .attributes = cell->attrs, .fg = cell->fg, .bg = cell->bg };
	int i;

	/* A blank looks the same whatever colour its text would have. */
	if (is_blank(cell) && !style.attributes.reverse && !style.attributes.underline &&
	    VTERM_COLOR_IS_DEFAULT_BG(&style.bg))
		return '.';
	if (is_plain(&style))
		return '.';
	for (i = 0; i < s->style_count && !same_style(&s->styles[i], &style); i++)
		;
	if (i == STYLES)
		return '?';
	s->styles[i] = style;
	s->style_count += i == s->style_count;
	return letter_of_index(i);
}

static void put_letters(struct screen *s, FILE *out, int y)
{
	int plain = 0;

	for (int x = 0; x < s->columns; x++) {
		VTermScreenCell cell = cell_at(s, x, y);
		char letter;

		if (cell.chars[0] == UINT32_MAX) /* it looks like its left half, whatever it was before */
			cell = cell_at(s, x - 1, y);
		letter = letter_of(s, &cell);
		if (letter == '.') {
			plain++;
			continue;
		}
		for (; plain; plain--)
			fputc('.', out);
		fputc(letter, out);
	}
	fputc('\n', out);
}

static void put_colour(FILE *out, const char *which, const VTermColor *c, bool is_default)
{
	if (is_default)
		return;
	if (VTERM_COLOR_IS_INDEXED(c))
		fprintf(out, " %s %d", which, c->indexed.idx);
	else
		fprintf(out, " %s #%02x%02x%02x", which, c->rgb.red, c->rgb.green, c->rgb.blue);
}

static void put_legend(FILE *out, int index, const struct style *style)
{
	fprintf(out, "%c", letter_of_index(index));
	put_colour(out, "fg", &style->fg, VTERM_COLOR_IS_DEFAULT_FG(&style->fg));
	put_colour(out, "bg", &style->bg, VTERM_COLOR_IS_DEFAULT_BG(&style->bg));
	fprintf(out, "%s%s%s\n", style->attributes.bold ? " bold" : "",
		style->attributes.underline ? " underline" : "", style->attributes.reverse ? " reverse" : "");
}

const char *screen_colours(struct screen *s)
{
	size_t size;
	FILE *out;

	free(s->colours);
	out = open_memstream(&s->colours, &size);
	assert_non_null(out);
	s->style_count = 0;
	for (int y = 0; y < s->rows; y++)
		put_letters(s, out, y);
	for (int i = 0; i < s->style_count; i++)
		put_legend(out, i, &s->styles[i]);
	fclose(out);
	return s->colours;
}

void screen_cursor(struct screen *s, int *x, int *y, bool *visible)
{
	*x = s->cursor_x;
	*y = s->cursor_y;
	*visible = s->visible;
}

bool screen_is_alternate(struct screen *s)
{
	return s->alternate;
}

int screen_mouse_mode(struct screen *s)
{
	return s->mouse;
}

/* Waiting */

void screen_until_true(struct screen *s, bool (*holds)(struct screen *s, void *context), void *context)
{
	int64_t end = now_ms() + PATIENCE_MS;

	while (!holds(s, context)) {
		if (now_ms() > end || (!pump(s, 20) && reap(s) && !pump(s, 0) && !holds(s, context))) {
			complain("%s; its screen:\n%s", s->ended ? "the program has ended" :
				    "what was waited for has not come", screen_text(s));
			fail();
		}
	}
}

static bool shows(struct screen *s, void *text)
{
	return screen_shows(s, text);
}

static bool shows_not(struct screen *s, void *text)
{
	return !screen_shows(s, text);
}

void screen_until(struct screen *s, const char *text)
{
	if (!screen_shows(s, text))
		screen_until_true(s, shows, (void *)text);
}

void screen_until_gone(struct screen *s, const char *text)
{
	screen_until_true(s, shows_not, (void *)text);
}

void screen_until_quiet(struct screen *s, int ms)
{
	int64_t end = now_ms() + PATIENCE_MS, quiet = now_ms() + ms;

	while (now_ms() < quiet) {
		if (pump(s, ms))
			quiet = now_ms() + ms;
		if (now_ms() > end)
			fail_msg("the program never stops writing");
	}
}

/* Bytes */

const char *screen_bytes(struct screen *s, size_t *length)
{
	*length = s->length - s->forgotten;
	return s->bytes ? s->bytes + s->forgotten : "";
}

void screen_forget(struct screen *s)
{
	s->forgotten = s->length;
}

/* The sequences of terminfo's terminals: move, erase, insert, delete, scroll, attributes. */
static bool allowed_csi(const char *parameters, size_t length, char final)
{
	static const char *const modes[] = { "?1",    "?25",   "?12",	"?12;25", "?7", "?47",
					     "?1049", "?1002", "?1006", "?2004", "4",	  "34" };

	if (final == 't') /* the title is kept on a stack while the other screen is shown */
		return !strncmp(parameters, "22;0;0", length) || !strncmp(parameters, "23;0;0", length) ||
		       !strncmp(parameters, "22;2", length) || !strncmp(parameters, "23;2", length);
	if (final == 'c' && *parameters == '?') /* the cursor of Linux's console; without `?` a question */
		return true;
	if (final != 'h' && final != 'l')
		return final >= '@' && strchr("mHGdABCDJKXP@LMSTbr", final) && strspn(parameters, "0123456789;") >= length;
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (strlen(modes[i]) == length && !strncmp(parameters, modes[i], length))
			return true;
	return false;
}

/* OSC 2: a title, of printable text. */
static size_t allowed_title(const char *at, size_t left)
{
	size_t length = strlen("\033]2;");

	while (length < left && (unsigned char)at[length] >= ' ' && at[length] != 0x7F)
		length++;
	return length < left && at[length] == '\007' ? length + 1 : 0;
}

/* The bytes of a sequence that is allowed; 0: it is not. */
static size_t allowed_escape(const char *at, size_t left)
{
	size_t length = 0;

	if (left < 2 || !at[1]) /* strchr finds the end, too */
		return 0;
	if (strchr("()", at[1]))
		return left > 2 && at[2] && strchr("B0", at[2]) ? 3 : 0;
	if (strchr("78=>M", at[1]))
		return 2;
	if (left > 4 && !strncmp(at, "\033]2;", 4))
		return allowed_title(at, left);
	if (at[1] != '[')
		return 0;
	while (2 + length < left && at[2 + length] >= 0x20 && at[2 + length] <= 0x3F)
		length++;
	return 2 + length < left && allowed_csi(at + 2, length, at[2 + length]) ? length + 3 : 0;
}

static size_t allowed(const char *at, size_t left)
{
	uint32_t code = 0;
	size_t length;

	if (*at == '\033')
		return allowed_escape(at, left);
	length = utf8_decode(at, left, &code);
	if (code < 0x20)
		return code && strchr("\r\n\b\t\017", (int)code) ? 1 : 0;
	return code >= 0x7F && code < 0xA0 ? 0 : length;
}

static void print_bytes(const char *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		complain(at[i] >= 0x20 && at[i] < 0x7F ? "%c" : "\\x%02X", (unsigned char)at[i]);
	complain("\n");
}

void screen_check_bytes(struct screen *s)
{
	size_t length, n;
	const char *bytes = screen_bytes(s, &length);

	for (size_t at = 0; at < length; at += n) {
		n = allowed(bytes + at, length - at);
		if (!n) {
			complain("at byte %zu of the output: ", at);
			print_bytes(bytes + at, length - at < 40 ? length - at : 40);
			fail();
		}
	}
}

/* Screens in files */

static char *describe(struct screen *s)
{
	char *text;
	int n = asprintf(&text, "%dx%d\n%s-- colours\n%s", s->columns, s->rows, screen_text(s),
			 screen_colours(s));

	assert_true(n > 0);
	return text;
}

static char *golden_path(const char *name)
{
	const char *top = getenv("top_srcdir");
	char *path;

	assert_true(asprintf(&path, "%s/tests/screens/%s.screen", top ? top : "..", name) > 0);
	return path;
}

static char *read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (in) {
		if (getdelim(&text, &size, '\0', in) < 0) {
			free(text);
			text = NULL;
		}
		fclose(in);
	}
	return text ? text : strdup("");
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (!out || fputs(text, out) < 0 || fclose(out))
		fail_msg("%s cannot be written: %s", path, strerror(errno));
}

static bool looks_like(struct screen *s, const char *expected)
{
	char *now = describe(s);
	bool same = !strcmp(now, expected);

	free(now);
	return same;
}

/* As long as it still draws, it may become that. */
static bool becomes(struct screen *s, const char *expected)
{
	int64_t end = now_ms() + PATIENCE_MS;
	int64_t quiet = now_ms() + 2000;

	while (!looks_like(s, expected)) {
		if (pump(s, 50))
			quiet = now_ms() + 2000;
		else if (now_ms() > quiet)
			return false;
		if (now_ms() > end)
			return false;
	}
	return true;
}

void screen_golden(struct screen *s, const char *name)
{
	char *path = golden_path(name), *expected = read_file(path);

	if (getenv("UPDATE_SCREENS")) {
		char *now;

		screen_until_quiet(s, 500);
		now = describe(s);
		write_file(path, now);
		free(now);
	} else if (!becomes(s, expected)) {
		complain("%s should be:\n%s\nbut is:\n%s", path, expected, describe(s));
		fail();
	}
	free(path);
	free(expected);
}

/* SPDX-License-Identifier: MIT */
/* overlay.c: a program that draws its own profile, in a corner of its own screen.
 *
 *   PROF_SHM=overlay ./overlay [KEYS]
 *
 * Some lights fly about; above them stands what they cost, as libprofview has it:
 * titles, rows with their heat as colours, and the lengths of the frames, with the
 * share of the zone under the cursor.  It is drawn with plain ANSI sequences; a
 * game would draw the same rows with its own text.  What the overlay costs is a
 * zone, too, and so to be seen.
 *
 *   up, down    the cursor         enter, right  into the call graph of its zone
 *   u           to its caller      backspace, left  back
 *   1 2 3 4     self, hierarchical, call graph, tree
 *   p           pause, live        [ ]  a frame back, on     a  the average
 *   8           the flame graph of what is looked at, over the last lines; again: off
 *   6           the timeline of the newest frames, or of the one that is paused
 *   h j k l     the pointer in these, which says what is under it
 *   + -         less or more time around the pointer     w  flame graph without waits, with them
 *   o           overlay on, off    q  quit
 *
 * Without a terminal it runs for some frames, prints one picture and exits; KEYS are pressed at first.
 */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <prof.h>
#include <profview.h>

enum { WIDTH_MOST = 240, HEIGHT_MOST = 80, LIGHTS = 60, PICTURE_FRAMES = 90 };
enum { PANEL_WIDTH = 58, PANEL_ROWS = 9, BARS = 48, BAR_HEIGHT = 4, NAME_WIDTH = 22 };
enum { STRIP_ROWS = 4, STRIP_FRAMES_MOST = 16, ZOOM_MOST = 16, CALLS_MOST = 50000 };
enum { UPDATES_A_SECOND = 10, FRAMES_A_SECOND = 60 };
enum colour { DIM = 90, PLAIN = 37, GREEN = 32, YELLOW = 33, BRIGHT = 93, WHITE = 97, CYAN = 36 };

/* The screen: a character and its colour a cell. */

static struct screen {
	int width, height;
	bool tty;
	char text[HEIGHT_MOST][WIDTH_MOST];
	unsigned char colour[HEIGHT_MOST][WIDTH_MOST];
} screen = { .width = 80, .height = 24 };

static void put(int x, int y, enum colour colour, char c)
{
	if (x < 0 || y < 0 || x >= screen.width || y >= screen.height)
		return;
	screen.text[y][x] = c;
	screen.colour[y][x] = (unsigned char)colour;
}

static void put_text(int x, int y, int width, enum colour colour, const char *text)
{
	for (int i = 0; i < width && text[i]; i++)
		put(x + i, y, colour, text[i]);
}

static void clear(void)
{
	memset(screen.text, ' ', sizeof screen.text);
	memset(screen.colour, PLAIN, sizeof screen.colour);
}

static void show_line(int y)
{
	int end = screen.width, colour = 0;

	while (end && screen.text[y][end - 1] == ' ')
		end--;
	if (screen.tty)
		printf("\033[%d;1H", y + 1);
	for (int x = 0; x < end; x++) {
		if (screen.tty && screen.colour[y][x] != colour)
			printf("\033[%dm", colour = screen.colour[y][x]);
		putchar(screen.text[y][x]);
	}
	fputs(screen.tty ? "\033[0m\033[K" : "\n", stdout);
}

static void show(void)
{
	Prof(show);

	for (int y = 0; y < screen.height; y++)
		show_line(y);
	fflush(stdout);
}

/* The lights */

static struct light {
	double x, y, dx, dy;
} lights[LIGHTS];

static double chance(void)
{
	return (double)rand() / RAND_MAX;
}

static void lights_begin(void)
{
	srand(7);
	for (int i = 0; i < LIGHTS; i++)
		lights[i] = (struct light){ chance(), chance(), chance() * 0.02 - 0.01,
					    chance() * 0.02 - 0.01 };
}

static void fly(struct light *l)
{
	l->x += l->dx;
	l->y += l->dy;
	if (l->x < 0 || l->x > 1)
		l->dx = -l->dx;
	if (l->y < 0 || l->y > 1)
		l->dy = -l->dy;
}

/* Those that come near to one another turn away. */
static void keep_apart(struct light *a, const struct light *b)
{
	Prof(keep_apart);

	if (hypot(a->x - b->x, a->y - b->y) < 0.02)
		a->dx += (a->x - b->x) * 0.01;
}

static void update(void)
{
	Prof(update);

	for (int i = 0; i < LIGHTS; i++) {
		fly(&lights[i]);
		for (int j = 0; j < LIGHTS; j++)
			if (j != i)
				keep_apart(&lights[i], &lights[j]);
	}
}

static double light_at(double x, double y)
{
	double sum = 0;

	Prof(light_at);
	for (int i = 0; i < LIGHTS; i++) {
		double dx = lights[i].x - x, dy = lights[i].y - y;

		sum += 0.0006 / (dx * dx + dy * dy + 0.0006);
	}
	return sum;
}

static void draw(void)
{
	static const char shades[] = " .:-=+*#@";

	Prof(draw);
	for (int y = 0; y < screen.height; y++)
		for (int x = 0; x < screen.width; x++) {
			double light = light_at((double)x / screen.width, (double)y / screen.height);
			int shade = (int)(light * 8);

			put(x, y, CYAN, shades[shade > 8 ? 8 : shade]);
		}
}

/* The overlay */

struct overlay {
	Prof_view *view; /* NULL: why says why */
	char why[160];
	bool hidden;
	enum Prof_view_average average;
	unsigned top; /* first row in sight */
	int x, y;     /* where it is written next */
	int boxes;    /* the key of what stands over the last lines: '6', '8', or 0 */
	int point_x, point_y;
	unsigned frames, zoom; /* in the timeline; how often halved */
	bool no_waits;
};

static void line(struct overlay *o, enum colour colour, const char *text)
{
	for (int i = 0; i < PANEL_WIDTH; i++)
		put(o->x + i, o->y, PLAIN, ' ');
	put_text(o->x + 1, o->y++, PANEL_WIDTH - 2, colour, text);
}

static enum colour heat_colour(double heat)
{
	return heat < 0.2 ? GREEN : heat < 0.5 ? YELLOW : heat < 0.8 ? BRIGHT : WHITE;
}

/* The fields of the title, as many to a line as fit. */
static void draw_titles(struct overlay *o)
{
	char text[PANEL_WIDTH] = "";
	const char *field;

	for (unsigned i = 0; (field = Prof_view_title(o->view, i)); i++) {
		if (*text && strlen(text) + strlen(field) + 3 > sizeof text) {
			line(o, PLAIN, text);
			*text = '\0';
		}
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? "  " : "", field);
	}
	line(o, PLAIN, text);
}

/* `ZONE` and the first three columns; there may be more. */
static void draw_columns(struct overlay *o)
{
	struct Prof_view_column column;
	char text[PANEL_WIDTH + 1];
	int length = snprintf(text, sizeof text, "  %-*s", NAME_WIDTH, "ZONE");

	for (unsigned i = 0; i < 3 && Prof_view_column(o->view, i, &column); i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %9.9s%c", column.title,
				   column.sorted ? '*' : ' ');
	line(o, DIM, text);
}

static void draw_row(struct overlay *o, const struct Prof_view_row *row)
{
	char text[PANEL_WIDTH + 1];
	int indent = (int)(row->indent < 10 ? row->indent : 10), length;

	length = snprintf(text, sizeof text, "%c%*s%c%-*.*s", row->highlight ? '>' : ' ', indent, "",
			  row->mark, NAME_WIDTH - indent, NAME_WIDTH - indent, row->name);
	for (unsigned i = 0; i < 3 && i < row->count; i++)
		length += snprintf(text + length, sizeof text - (size_t)length, " %9.9s ",
				   row->values[i].text);
	line(o, row->waiting || row->role == Prof_view_NO_ZONE ? DIM : heat_colour(row->heat), text);
}

static void draw_rows(struct overlay *o)
{
	unsigned cursor = Prof_view_get_cursor(o->view);
	struct Prof_view_row row;

	if (cursor < o->top)
		o->top = cursor;
	if (cursor >= o->top + PANEL_ROWS)
		o->top = cursor - PANEL_ROWS + 1;
	for (unsigned i = 0; i < PANEL_ROWS && Prof_view_row(o->view, o->top + i, &row); i++)
		draw_row(o, &row);
	if (!Prof_view_rows(o->view))
		line(o, DIM, Prof_view_why(o->view));
}

/* A bar a frame; what of it is in the zone of the cursor is bright. */
static void draw_bar(const struct overlay *o, int x, const struct Prof_view_frame *frame, int64_t zone,
		     int64_t longest)
{
	int height = (int)(frame->ticks * BAR_HEIGHT / longest);
	int part = (int)((zone * BAR_HEIGHT + longest / 2) / longest);

	for (int i = 0; i <= height && i < BAR_HEIGHT; i++)
		put(x, o->y + BAR_HEIGHT - 1 - i, i < part ? YELLOW : GREEN, i < part ? '#' : '|');
	if (frame->flags & Prof_view_CHOSEN)
		put(x, o->y + BAR_HEIGHT, WHITE, '^');
}

static void draw_frames(struct overlay *o)
{
	struct Prof_view_frame frames[BARS];
	int64_t zone[BARS], longest = 1;
	unsigned count = Prof_view_frames(o->view, frames, BARS);
	unsigned known = Prof_view_series(o->view, NULL, 0, zone, BARS);

	for (unsigned i = 0; i < count; i++)
		if (frames[i].ticks > longest)
			longest = frames[i].ticks;
	for (int i = 0; i <= BAR_HEIGHT; i++)
		line(o, PLAIN, "");
	o->y -= BAR_HEIGHT + 1;
	for (unsigned i = 0; i < count; i++)
		draw_bar(o, o->x + 1 + (int)i, &frames[i], i < known ? zone[i] : 0, longest);
}

/* Boxes, over the last lines of the screen: a title, some rows, and what is under the pointer */

static char fill_of(const struct Prof_view_box *box)
{
	switch (box->kind) {
	case Prof_view_BOX_MERGED:
		return box->covered < 1.0 / 3 ? '.' : box->covered < 2.0 / 3 ? ':' : '#';
	case Prof_view_BOX_UNKNOWN:
		return '?';
	case Prof_view_BOX_AWAY:
		return '~';
	case Prof_view_BOX:
		return '-';
	default:
		return ' ';
	}
}

/* `[update--]`, in the zone's colour, where it has an edge of its own; a game would fill a rectangle. */
static void draw_box(int y, const struct Prof_view_axis *axis, const struct Prof_view_box *box)
{
	static const enum colour hues[Prof_view_HUES] = { CYAN, YELLOW, GREEN, 31, 35, 34 };
	bool is_box = box->kind == Prof_view_BOX, waits = box->flags & Prof_view_WAITING;
	enum colour colour = is_box && !waits ? hues[box->hue] : DIM;
	int x = (int)box->x, end = x + (int)box->width;

	for (int i = x; i < end; i++)
		put(i, y, colour, fill_of(box));
	if (is_box && box->begin >= axis->from)
		put(x++, y, colour, '[');
	if (is_box && box->end <= axis->to && end - x > 2)
		put(--end, y, colour, ']');
	if (is_box)
		put_text(x, y, end - x, colour, box->name);
}

/* One row of either; a lane's where there are lanes. */
static void draw_row_of_boxes(struct overlay *o, int lane, unsigned depth, const struct Prof_view_axis *axis, int y)
{
	struct Prof_view_box boxes[WIDTH_MOST];
	unsigned count = lane < 0 ? Prof_view_flame_row(o->view, depth, axis, boxes)
				  : Prof_view_lane_row(o->view, (unsigned)lane, depth, axis, boxes);

	for (unsigned i = 0; i < count; i++)
		draw_box(y, axis, &boxes[i]);
}

static void say_pointed(struct overlay *o, int lane, unsigned depth, const struct Prof_view_axis *axis, int y)
{
	struct Prof_view_lane thread = { .name = "" };
	struct Prof_view_box box;
	unsigned x = (unsigned)o->point_x;
	char text[WIDTH_MOST];
	int length;

	if (lane < 0 ? !Prof_view_flame_at(o->view, depth, axis, x, &box)
		     : !Prof_view_lane_at(o->view, (unsigned)lane, depth, axis, x, &box))
		return;
	if (lane >= 0)
		Prof_view_lane(o->view, (unsigned)lane, &thread);
	if (box.kind == Prof_view_BOX_UNKNOWN)
		box.name = "not known";
	else if (box.kind == Prof_view_BOX_AWAY)
		box.name = "the thread is not there";
	else if (box.kind == Prof_view_BOX_IDLE)
		box.name = "in no zone";
	length = snprintf(text, sizeof text, " %s%s%s", thread.name, *thread.name ? ": " : "", box.name);
	if (box.kind == Prof_view_BOX_MERGED)
		length += snprintf(text + length, sizeof text - (size_t)length, ", the first of %u,", box.count);
	snprintf(text + length, sizeof text - (size_t)length, " %.3f ms, self %.3f%s", box.ns / 1e6, box.self_ns / 1e6,
		 box.flags & Prof_view_RUNNING ? ", still open" : "");
	put_text(0, y, screen.width, WHITE, text);
}

/* The frames that it shows: paused the one, live the newest; zoomed, a part of them, in which what is under the
 * pointer stays there. */
static struct Prof_view_axis timeline_axis(struct overlay *o)
{
	struct Prof_view_frame frames[BARS];
	unsigned wanted = Prof_view_get_frame(o->view) ? BARS : o->frames, count;
	struct Prof_view_axis axis = { .columns = (unsigned)screen.width };

	count = Prof_view_frames(o->view, frames, wanted);
	for (unsigned i = 0; i < count; i++) {
		if (wanted == BARS && !(frames[i].flags & Prof_view_CHOSEN))
			continue;
		axis.from = axis.to ? axis.from : frames[i].begin;
		axis.to = frames[i].begin + frames[i].ticks;
	}
	for (unsigned i = 0; i < o->zoom; i++) {
		int64_t half = (axis.to - axis.from) / 2;

		axis.from += half * o->point_x / screen.width;
		axis.to = axis.from + half;
	}
	return axis;
}

/* Which lane and depth the row `at` is, over all lanes. False: there are not so many. */
static bool find_row(struct overlay *o, const struct Prof_view_axis *axis, unsigned at, int *lane, unsigned *depth)
{
	struct Prof_view_lane found;

	for (*lane = 0; Prof_view_lane(o->view, (unsigned)*lane, &found); ++*lane) {
		unsigned rows = Prof_view_lane_rows(o->view, (unsigned)*lane, axis);

		rows = rows ? rows : 1;
		*depth = at;
		if (at < rows)
			return true;
		at -= rows;
	}
	return false;
}

static void draw_timeline(struct overlay *o, int y)
{
	struct Prof_view_axis axis = timeline_axis(o);
	struct Prof_view_calls calls;
	int lane, first = o->point_y < STRIP_ROWS ? 0 : o->point_y - STRIP_ROWS + 1;
	unsigned depth;

	if (Prof_view_calls(o->view, &calls) != Prof_view_OK)
		put_text(0, y, screen.width, DIM, Prof_view_why(o->view));
	else
		put_text(0, y, screen.width, DIM, " single calls, a lane a thread");
	for (int i = 0; i < STRIP_ROWS && find_row(o, &axis, (unsigned)(first + i), &lane, &depth); i++)
		draw_row_of_boxes(o, lane, depth, &axis, y + 1 + i);
	if (find_row(o, &axis, (unsigned)o->point_y, &lane, &depth))
		say_pointed(o, lane, depth, &axis, y + 1 + STRIP_ROWS);
}

static void draw_flame(struct overlay *o, int y)
{
	struct Prof_view_axis axis = { .columns = (unsigned)screen.width };
	struct Prof_view_flame flame;
	unsigned first = o->point_y < STRIP_ROWS ? 0 : (unsigned)o->point_y - STRIP_ROWS + 1;

	if (Prof_view_flame(o->view, &flame) != Prof_view_OK)
		put_text(0, y, screen.width, DIM, Prof_view_why(o->view));
	else
		put_text(0, y, screen.width, DIM, " each zone under its caller, as wide as its time");
	axis.to = flame.whole;
	for (unsigned i = 0; i < STRIP_ROWS; i++)
		draw_row_of_boxes(o, -1, first + i, &axis, y + 1 + (int)i);
	say_pointed(o, -1, (unsigned)o->point_y, &axis, y + 1 + STRIP_ROWS);
}

static void draw_strip(struct overlay *o)
{
	int y = screen.height - STRIP_ROWS - 2, row = o->point_y < STRIP_ROWS ? o->point_y : STRIP_ROWS - 1;

	o->point_x = o->point_x < screen.width ? o->point_x : screen.width - 1;
	for (int i = 0; i < STRIP_ROWS + 2; i++)
		for (int x = 0; x < screen.width; x++)
			put(x, y + i, PLAIN, ' ');
	if (o->boxes == '8')
		draw_flame(o, y);
	else
		draw_timeline(o, y);
	if (screen.tty)
		put(o->point_x, y + 1 + row, WHITE, 'X');
}

static void overlay_draw(struct overlay *o)
{
	Prof(overlay);

	if (o->hidden)
		return;
	o->x = screen.width - PANEL_WIDTH;
	o->y = 0;
	for (const char *at = o->why; !o->view && *at; at += strnlen(at, PANEL_WIDTH - 2))
		line(o, WHITE, at);
	if (!o->view)
		return;
	draw_titles(o);
	draw_columns(o);
	draw_rows(o);
	draw_frames(o);
	if (o->boxes)
		draw_strip(o);
}

static void overlay_update(struct overlay *o)
{
	enum Prof_view_result result;

	Prof(overlay_update);
	if (!o->view)
		o->view = Prof_view_open(NULL, 0, &result, o->why, sizeof o->why);
	if (!o->view)
		return;
	Prof_view_set_format(o->view, Prof_view_AUTO, -1, 1);
	Prof_view_set_calls(o->view, CALLS_MOST);
	Prof_view_set_flame_waits(o->view, !o->no_waits);
	Prof_view_update(o->view);
}

static void next_average(struct overlay *o)
{
	o->average = o->average == Prof_view_RUN ? Prof_view_NOW : (enum Prof_view_average)(o->average + 1);
	Prof_view_set_average(o->view, o->average);
}

static bool strip_key(struct overlay *o, int key)
{
	if (key == '6' || key == '8') {
		o->boxes = o->boxes == key ? 0 : key;
		o->point_y = 0;
	} else if (key == 'h' || key == 'l') {
		o->point_x += key == 'l' ? 1 : o->point_x ? -1 : 0;
	} else if (key == 'j' || key == 'k') {
		o->point_y += key == 'j' ? 1 : o->point_y ? -1 : 0;
	} else if (key == 'w') {
		o->no_waits = !o->no_waits;
	} else if (key == '+' && o->frames > 1) {
		o->frames /= 2;
	} else if (key == '+' || (key == '-' && o->zoom)) {
		o->zoom += key == '-' ? -1u : o->zoom < ZOOM_MOST;
	} else if (key == '-') {
		o->frames *= o->frames < STRIP_FRAMES_MOST ? 2 : 1;
	} else {
		return false;
	}
	return true;
}

/* What a key does; those of the arrows are A to D, with 128 added. False: quit. */
static bool overlay_key(struct overlay *o, int key)
{
	if (key == 'q' || key == 3)
		return false;
	if (key == 'o')
		o->hidden = !o->hidden;
	if (strip_key(o, key) || !o->view)
		return true;
	if (key == 128 + 'A' || key == 128 + 'B')
		Prof_view_move_cursor(o->view, key == 128 + 'A' ? -1 : 1);
	else if (key == '\r' || key == 128 + 'C')
		Prof_view_select(o->view);
	else if (key == 127 || key == 8 || key == 128 + 'D')
		Prof_view_back(o->view);
	else if (key == 'u')
		Prof_view_select_parent(o->view);
	else if (key >= '1' && key <= '4')
		Prof_view_set_mode(o->view, (enum Prof_view_mode)(key - '1'));
	else if (key == 'p')
		Prof_view_set_frame(o->view, Prof_view_get_frame(o->view) ? 0 : 1);
	else if (key == '[' || key == ']')
		Prof_view_move_frame(o->view, key == '[' ? -1 : 1);
	else if (key == 'a')
		next_average(o);
	return true;
}

/* The terminal */

static struct termios cooked;
static volatile sig_atomic_t stopped;

static void stop(int unused)
{
	(void)unused;
	stopped = 1;
}

static void restore(void)
{
	if (screen.tty)
		fputs("\033[0m\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
}

static void begin_terminal(void)
{
	struct termios raw;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &cooked) != 0)
		return;
	raw = cooked;
	cfmakeraw(&raw);
	raw.c_cc[VMIN] = raw.c_cc[VTIME] = 0;
	screen.tty = true;
	atexit(restore);
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	fputs("\033[?1049h\033[?25l", stdout);
}

static void measure(void)
{
	struct winsize size;

	if (!screen.tty || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row)
		return;
	screen.width = size.ws_col < WIDTH_MOST ? size.ws_col : WIDTH_MOST;
	screen.height = size.ws_row < HEIGHT_MOST ? size.ws_row : HEIGHT_MOST;
}

/* The next key, 0: there is none. */
static int read_key(void)
{
	unsigned char bytes[3];
	ssize_t got = screen.tty ? read(STDIN_FILENO, bytes, 1) : 0;

	if (got != 1)
		return 0;
	if (bytes[0] != 27)
		return bytes[0];
	got = read(STDIN_FILENO, bytes + 1, 2);
	return got == 2 && (bytes[1] == '[' || bytes[1] == 'O') ? 128 + bytes[2] : 27;
}

static void wait_for_frame(void)
{
	static struct timespec next;
	struct timespec rest = { .tv_nsec = 1000000 };

	Prof_Wait(wait_for_frame)
	if (!screen.tty) {
		nanosleep(&rest, NULL);
	} else {
		if (!next.tv_sec)
			clock_gettime(CLOCK_MONOTONIC, &next);
		next.tv_nsec += 1000000000 / FRAMES_A_SECOND;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	Prof_End
}

static bool handle_keys(struct overlay *o)
{
	int key;

	while ((key = read_key()))
		if (!overlay_key(o, key))
			return false;
	return !stopped;
}

static void play_frame(struct overlay *o, int frame)
{
	measure();
	clear();
	update();
	draw();
	if (frame % (FRAMES_A_SECOND / UPDATES_A_SECOND) == 0)
		overlay_update(o);
	overlay_draw(o);
	if (screen.tty || frame == PICTURE_FRAMES)
		show();
	wait_for_frame();
	Prof_update(1);
}

int main(int argc, char **argv)
{
	struct overlay o = { .average = Prof_view_FAST, .frames = 2 };

	Prof_Thread("main");
	begin_terminal();
	lights_begin();
	for (const char *key = argc > 1 ? argv[1] : ""; *key; key++)
		overlay_key(&o, *key);
	for (int frame = 1; handle_keys(&o); frame++) {
		play_frame(&o, frame);
		if (!screen.tty && frame == PICTURE_FRAMES)
			break;
	}
	Prof_view_close(o.view);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a terminal as events: whole, in pieces, and broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tui/term/term_inside.h"

static struct input fresh(void)
{
	struct input in = { 0 };

	input_add_key(&in, "\033OA", TERM_UP);
	input_add_key(&in, "\033[[A", TERM_F1);
	input_add_key(&in, "\033\001x", TERM_END);
	input_add_key(&in, NULL, TERM_HOME);
	input_add_key(&in, "\b", TERM_BACKSPACE);
	input_add_key(&in, "\033a sequence that is far too long", TERM_HOME);
	return in;
}

/* An event in a few characters. */
static void put_event(char *out, size_t size, const struct term_event *e)
{
	size_t at = strlen(out);

	if (e->kind == TERM_PASTE)
		snprintf(out + at, size - at, "p%u ", e->key);
	else if (e->kind == TERM_MOUSE)
		snprintf(out + at, size - at, "%c%c%d,%d ", "nlmrud"[e->button], "PDR"[e->action], e->x, e->y);
	else if (e->key >= KEY_FIRST_SPECIAL)
		snprintf(out + at, size - at, "+%u ", e->key - KEY_FIRST_SPECIAL);
	else
		snprintf(out + at, size - at, "%u ", e->key);
}

#define AGES 10000 /* ms: a silence after which nothing is waited for any more */

static void take_all(struct input *in, int64_t silence_ms, char *out, size_t size)
{
	struct term_event e;

	while (input_next(in, silence_ms, &e))
		put_event(out, size, &e);
}

/* The events of bytes that come at once, and then a pause. */
static const char *events(const char *bytes, size_t length)
{
	static char text[4096];
	struct input in = fresh();

	text[0] = '\0';
	input_feed(&in, bytes, length, 0);
	take_all(&in, 0, text, sizeof(text));
	take_all(&in, AGES, text, sizeof(text));
	assert_int_equal(in.count, 0);
	assert_true(input_decides_ms(&in) == INT64_MAX);
	return text;
}

#define EVENTS(bytes) events(bytes, sizeof(bytes) - 1)
#define UP "+1 "

static void characters(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("aZ~"), "97 90 126 ");
	assert_string_equal(EVENTS("\t\r\n\003"), "9 13 10 3 ");
	assert_string_equal(EVENTS("\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80"), "233 26085 128512 ");
	assert_string_equal(EVENTS("\b\x7f"), "+9 +9 ");
}

static void bytes_that_are_none_are_dropped(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\0a"), "97 ");
	assert_string_equal(EVENTS("\xff\x80\xc3" "a"), "97 ");
	assert_string_equal(EVENTS("\xe6\x97" "b\xf5" "c"), "98 99 ");
	assert_string_equal(EVENTS("\xed\xa0\x80" "a\xc0\x80"), "97 ");
}

static void keys(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[A\033OA\033[1;5A"), UP UP UP);
	assert_string_equal(EVENTS("\033[5~\033[6~\033[H\033[F\033[1~\033[4~\033[3~\033[Z"),
			    "+5 +6 +7 +8 +7 +8 +10 +11 ");
	assert_string_equal(EVENTS("\033OP\033[11~\033[[A"), "+12 +12 +12 ");
	assert_string_equal(EVENTS("\033\001x"), "+8 ");
}

/* As xterm and as rxvt has them: the modifiers as a number, or letters of their own. */
static void arrows_with_shift_and_control(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[1;2D\033[1;2C\033[1;5D\033[1;5C"), "+13 +14 +15 +16 ");
	assert_string_equal(EVENTS("\033[d\033[c\033Od\033Oc"), "+13 +14 +15 +16 ");
	assert_string_equal(EVENTS("\033[1;6D\033[1;3D\033[1;2A\033[1;1C"), "+15 +3 " UP "+4 ");
	assert_string_equal(EVENTS("\033[1;2ca\033[0cb"), "97 98 ");
}

static void escape_is_a_key_when_nothing_follows(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033"), "27 ");
	assert_string_equal(EVENTS("\033\033"), "27 27 ");
	assert_string_equal(EVENTS("\033\033[A"), "27 " UP);
}

/* Escape would leave the program. */
static void a_key_with_alt_is_nobodys(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033ja\033q\033~b\033\r"), "97 98 27 13 ");
	assert_string_equal(EVENTS("\033\x7f" "a\033\b\033 b"), "97 98 ");
	assert_string_equal(EVENTS("\033\xc3\xa9" "a\033\xe6\x97\xa5" "b\033\xc3" "c\033\xc3"), "97 98 99 ");
	assert_string_equal(EVENTS("\033["), "");
	assert_string_equal(EVENTS("\033O"), "");
	assert_string_equal(EVENTS("\033]"), "");
}

static void sequences_nobody_knows_are_dropped_whole(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[2~a\033[?1;2cb\033[>0;276;0cc"), "97 98 99 ");
	assert_string_equal(EVENTS("\033[Id\033[Oe\033[24~\033OSf\033[[Bg"), "100 101 102 103 ");
	assert_string_equal(EVENTS("\033[1;2\033[A"), UP);
	assert_string_equal(EVENTS("\033[1;2\ra"), "13 97 ");
	assert_string_equal(EVENTS("\033O\ra"), "13 97 ");
	assert_string_equal(EVENTS("\033[99999999999~a"), "97 ");
}

static void the_mouse_counts_from_0(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[<0;1;1M\033[<32;5;6M\033[<0;300;200m"), "lP0,0 lD4,5 lR299,199 ");
	assert_string_equal(EVENTS("\033[<1;1;1M\033[<2;1;1M"), "mP0,0 rP0,0 ");
	assert_string_equal(EVENTS("\033[<64;2;3M\033[<65;2;3M\033[<66;2;3M"), "uP1,2 dP1,2 ");
	assert_string_equal(EVENTS("\033[<16;2;3M"), "lP1,2 "); /* with Ctrl */
}

static void broken_reports_of_the_mouse_are_dropped(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[<0;0;1M\033[<0;1M\033[<M\033[<;;M\033[<0;1;1;1M"), "");
	assert_string_equal(EVENTS("\033[<-1;1;1M\033[<35;1;1M\033[<128;1;1Ma"), "97 ");
	assert_string_equal(EVENTS("\033[<999999;1;1M\033[<0;4294967297;1Mb"), "98 ");
}

static void old_reports_of_the_mouse(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[M !!\033[M#\"\"a"), "lP0,0 lR1,1 97 ");
	assert_string_equal(EVENTS("\033[M#!!"), ""); /* nothing was held */
	assert_string_equal(EVENTS("\033[M`!!"), "uP0,0 ");
	assert_string_equal(EVENTS("\033[M\001!!b"), "98 ");
}

/* However the bytes are cut, as long as no Esc stands alone for a while. */
static void pieces_make_no_difference(void **state)
{
	static const char bytes[] = "a\033[A\033[<0;12;13M\xe6\x97\xa5\033OA\033[M !!\033[5~\033[1;9zq";
	static const char expected[] = "97 " UP "lP11,12 26085 " UP "lP0,0 +5 113 ";

	(void)state;
	assert_string_equal(EVENTS(bytes), expected);
	for (size_t cut = 1; cut < 8; cut++) {
		struct input in = fresh();
		char text[256] = "";

		for (size_t at = 0; at < sizeof(bytes) - 1; at += cut) {
			size_t left = sizeof(bytes) - 1 - at;

			input_feed(&in, bytes + at, left < cut ? left : cut, 0);
			take_all(&in, 0, text, sizeof(text));
		}
		assert_string_equal(text, expected);
	}
}

static void a_sequence_without_end_is_swallowed(void **state)
{
	struct input in = fresh();
	char text[256] = "";

	(void)state;
	input_feed(&in, "\033[", 2, 0);
	for (int i = 0; i < 1000; i++) {
		assert_true(input_room(&in) > 0);
		input_feed(&in, "1", 1, 0);
		take_all(&in, 0, text, sizeof(text));
	}
	input_feed(&in, "ma", 2, 0);
	take_all(&in, 0, text, sizeof(text));
	assert_string_equal(text, "97 ");
}

/* Sequences and strings that reach a terminal's input, and are no keys. */
#define STRING(bytes) { bytes, sizeof(bytes) - 1 }

static const struct {
	const char *bytes;
	size_t length;
} no_keys[] = {
	/* answers about colours, the clipboard, the title, with either end */
	STRING("\033]11;rgb:1e1e/1e1e/2e2e\033\\"), STRING("\033]4;7;rgb:ff/q/q\007"), STRING("\033]52;c;cXFxcQ==\007"),
	STRING("\033]lqqq\033\\"), STRING("\033]LQ\xe2\x80\x9cq\xe2\x80\x9d\033\\"), STRING("\033]\033\\"),
	/* about settings, the version, the terminal's number and its
	 * capabilities, sixel; user keys */
	STRING("\033P1$r2 q\033\\"), STRING("\033P>|XTerm(q)\033\\"), STRING("\033P!|7E565445\033\\"),
	STRING("\033P1+r544e=71\033\\"), STRING("\033P0q#0\007q\033\\"), STRING("\033P\xc2\x9b q\033\\"),
	/* kitty's pictures; privacy messages; strings */
	STRING("\033_Gi=31;OK\033\\"), STRING("\033_q\007q\033\\"), STRING("\033^q\033\\"), STRING("\033Xq\033\\"),
	/* the same with C1 controls, as bytes and as UTF-8; in text of theirs
	 * their bytes are letters */
	STRING("\x9d" "11;rgb:q\x9c"), STRING("\x90" "1$r2 q\x9c"), STRING("\x9f" "Gq\033\\"), STRING("\x9eq\x9c"),
	STRING("\x98q\x9c"), STRING("\xc2\x9d" "11;q\xc2\x9c"), STRING("\x9d" "0;\xe4\xbd\x9cq\xe4\x9c\x9cq\x9c"),
	STRING("\x9b?1;2c"), STRING("\xc2\x9b" "5q"), STRING("\x8fq"), STRING("\x9b" "24;80R"),
	/* broken off */
	STRING("\033]11;q\030"), STRING("\033Pq\032"), STRING("\033]0;q\033]11;q\007"), STRING("\033]0;q\033[5n"),
	/* what the terminal is and where its cursor stands; modes, sizes,
	 * colours, focus */
	STRING("\033[?62;22c"), STRING("\033[>41;354;0c"), STRING("\033[0n"), STRING("\033[12;40R"), STRING("\033[?1;1R"),
	STRING("\033[2;1;1;120;120;1;0x"), STRING("\033[?2026;2$y"), STRING("\033[4;2$y"), STRING("\033[8;24;80t"),
	STRING("\033[4;600;800t"), STRING("\033[?997;1n"), STRING("\033[I"), STRING("\033[O"), STRING("\033[?1u"),
	/* keys as xterm's modifyOtherKeys has them, with Alt, and keys that are
	 * let go */
	STRING("\033[113;3u"), STRING("\033[113:81;2:3;113u"), STRING("\033[27;5;113~"), STRING("\033[57363u"),
	STRING("\033[1;1:3A"), STRING("\033[5;1:3~"), STRING("\033[57441;2:3u"),
	/* function keys of rxvt, Konsole, the consoles of Linux and the BSDs */
	STRING("\033[24~"), STRING("\033[3$"), STRING("\033[23^"), STRING("\033[23@"), STRING("\033O2P"), STRING("\033O1;5Q"),
	STRING("\033[[B"), STRING("\033Oq"), STRING("\033[1 A"), STRING("\033[99;99;99A"),
	/* the mouse as urxvt and xterm's locator report it, and as X10 does
	 * without a button */
	STRING("\033[35;12;13M"), STRING("\033[1;2;3;4&w"), STRING("\033[Mc!!"), STRING("\033[<35;12;13M"),
	/* no UTF-8 */
	STRING("\xff"), STRING("\xc0\x80"), STRING("\xed\xa0\x80"), STRING("\xf5\x80\x80\x80"), STRING("\x80"),
	STRING("\xc2\x85"),
};

#define NO_KEYS (sizeof(no_keys) / sizeof(*no_keys))

static void assert_events(const char *expected, const char *text, const char *bytes, size_t length)
{
	if (!strcmp(text, expected))
		return;
	for (size_t i = 0; i < length; i++)
		fprintf(stderr, "%02x ", (unsigned char)bytes[i]);
	fprintf(stderr, "\n");
	assert_string_equal(text, expected);
}

/* Feeds bytes in three pieces, with silence between them, which is shorter than
 * what ends a sequence; a lone Esc would be the key. */
static void assert_cut(const char *bytes, size_t length, size_t first, size_t second, int64_t silence_ms)
{
	size_t ends[] = { first, second, length }, at = 0;
	struct input in = fresh();
	char text[256] = "";

	for (int i = 0; i < 3; at = ends[i++]) {
		bool lone;

		input_feed(&in, bytes + at, ends[i] - at, 100 * i);
		take_all(&in, 0, text, sizeof(text));
		lone = in.mode == INPUT_READS && in.count == 1 && *in.bytes == '\033';
		take_all(&in, lone ? 0 : silence_ms, text, sizeof(text));
	}
	assert_events("113 ", text, bytes, length);
}

/* A program that crashed may have left the terminal in kitty's protocol. */
static void keys_of_kitty_are_keys(void **state)
{
	static const char keys[] = "\033[113u\033[27u\033[13;1:1u\033[113:81;2u", controls[] = "\033[99;5u\033[122;5u";

	(void)state;
	assert_string_equal(events(keys, strlen(keys)), "113 27 13 81 ");
	assert_string_equal(events(controls, strlen(controls)), "3 26 "); /* Ctrl-C, Ctrl-Z */
}

static void what_is_no_key_does_nothing(void **state)
{
	char bytes[128];

	(void)state;
	for (size_t i = 0; i < NO_KEYS; i++) {
		size_t length = no_keys[i].length + 1;

		memcpy(bytes, no_keys[i].bytes, length - 1);
		bytes[length - 1] = 'q';
		assert_events("113 ", events(bytes, length), bytes, length);
		for (size_t first = 0; first < length; first++)
			for (size_t second = first; second < length; second++) {
				assert_cut(bytes, length, first, second, 0);
				assert_cut(bytes, length, first, second, 400);
			}
	}
}

/* Several sequences follow each other, in pieces of any size. */
static void whatever_comes_behind_what(void **state)
{
	unsigned value = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct input in = fresh();
		char bytes[256], text[256] = "";
		size_t length = 0, at = 0;

		for (int i = 0; i < 4; i++) {
			value = value * 1103515245 + 12345;
			memcpy(bytes + length, no_keys[(value >> 16) % NO_KEYS].bytes, no_keys[(value >> 16) % NO_KEYS].length);
			length += no_keys[(value >> 16) % NO_KEYS].length;
			bytes[length++] = 'q';
		}
		while (at < length) {
			size_t piece;

			value = value * 1103515245 + 12345;
			piece = 1 + (value >> 16) % 9;
			piece = piece < length - at ? piece : length - at;
			input_feed(&in, bytes + at, piece, 0);
			take_all(&in, 0, text, sizeof(text));
			at += piece;
		}
		assert_events("113 113 113 113 ", text, bytes, length);
	}
}

/* Alt and a letter that introduces a string, or an answer the end of which got
 * lost. */
static void a_string_without_end_ends_in_silence(void **state)
{
	struct input in = fresh();
	char text[256] = "";

	(void)state;
	input_feed(&in, "\033]", 2, 1000);
	take_all(&in, 0, text, sizeof(text));
	assert_int_equal(input_decides_ms(&in), 1500);
	take_all(&in, 499, text, sizeof(text));
	input_feed(&in, "11;", 3, 1499);
	take_all(&in, 0, text, sizeof(text));
	assert_int_equal(input_decides_ms(&in), 1999);
	take_all(&in, 500, text, sizeof(text));
	assert_true(input_decides_ms(&in) == INT64_MAX);
	input_feed(&in, "q", 1, 1999);
	take_all(&in, 0, text, sizeof(text));
	assert_string_equal(text, "113 ");
}

/* Keys that are pressed one after the other do not go on for ever as a
 * string. */
static void a_long_string_ends_at_a_short_pause(void **state)
{
	struct input in = fresh();
	char text[256] = "";
	int64_t now = 0;

	(void)state;
	input_feed(&in, "\033P", 2, now);
	for (; !*text; now += 100) {
		take_all(&in, 100, text, sizeof(text));
		input_feed(&in, "j", 1, now);
		take_all(&in, 0, text, sizeof(text));
		assert_true(now <= 2200);
	}
	assert_true(now >= 2000);
}

/* The answer of a slow line comes in pieces, for as long as it takes. */
static void a_long_string_of_pieces_goes_on(void **state)
{
	struct input in = fresh();
	char text[256] = "";

	(void)state;
	input_feed(&in, "\033]52;c;", 7, 0);
	for (int64_t now = 40; now < 4000; now += 40) {
		take_all(&in, 40, text, sizeof(text));
		input_feed(&in, "QQjj", 4, now);
		take_all(&in, 0, text, sizeof(text));
	}
	input_feed(&in, "\007q", 2, 4000);
	take_all(&in, 0, text, sizeof(text));
	assert_string_equal(text, "113 ");
}

/* A string without an end and without a pause is not stored. */
static void a_flood_is_swallowed(void **state)
{
	struct input in = fresh();
	char text[256] = "";

	(void)state;
	input_feed(&in, "\033_", 2, 0);
	for (int i = 0; i < 100000; i++) {
		input_feed(&in, "0123456789abcdef\xe6\x97\xa5", 19, i);
		take_all(&in, 0, text, sizeof(text));
		assert_int_equal(in.count, 0);
	}
	assert_string_equal(text, "");
}

/* Pasted text has no keys; what looks like sequences in it is text or
 * nothing. */
static void pasted_text_is_no_keys(void **state)
{
	static const char bytes[] = "a\033[200~q\xe6\x97\xa5\r\n\t\033[A\033]q\x9b\xc2\x9b\x7f\x03\033\033[201~b";
	static const char expected[] = "97 p113 p26085 p13 p10 p9 p27 p91 p65 p27 p93 p113 p127 p3 p27 p0 98 ";

	(void)state;
	assert_string_equal(EVENTS(bytes), expected);
	assert_string_equal(EVENTS("\x9b" "200~q\x9b" "201~b"), "p113 p0 98 ");
	assert_string_equal(EVENTS("\033[201~b"), "98 ");
	for (size_t first = 0; first < sizeof(bytes); first++)
		for (size_t second = first; second < sizeof(bytes); second++) {
			struct input in = fresh();
			char text[256] = "";

			input_feed(&in, bytes, first, 0);
			take_all(&in, 0, text, sizeof(text));
			input_feed(&in, bytes + first, second - first, 0);
			take_all(&in, 0, text, sizeof(text));
			input_feed(&in, bytes + second, sizeof(bytes) - 1 - second, 0);
			take_all(&in, 0, text, sizeof(text));
			assert_string_equal(text, expected);
		}
}

/* A pasted text may be as long as a file: no more is delivered than a prompt
 * takes, and its end is found. */
static void a_flood_is_not_pasted(void **state)
{
	struct input in = fresh();
	struct term_event e;
	char text[256] = "";
	int pasted = 0;

	(void)state;
	for (int round = 0; round < 2; round++) {
		input_feed(&in, "\033[200~", 6, 0);
		for (int i = 0; i < 10000; i++) {
			input_feed(&in, "0123456789", 10, 0);
			while (input_next(&in, 0, &e))
				pasted++;
		}
		input_feed(&in, "\033[201~q", 7, 0);
		take_all(&in, 0, text, sizeof(text));
	}
	assert_int_equal(pasted, 2 * INPUT_PASTED);
	assert_string_equal(text, "p0 113 p0 113 ");
}

/* A paste that stalls is not taken for keys at once; one without an end does
 * not take the keyboard away. */
static void a_paste_without_end_ends_in_silence(void **state)
{
	struct input in = fresh();
	char text[256] = "";

	(void)state;
	input_feed(&in, "\033[200~q", 7, 0);
	take_all(&in, 0, text, sizeof(text));
	take_all(&in, 1999, text, sizeof(text));
	assert_string_equal(text, "p113 ");
	take_all(&in, 2000, text, sizeof(text));
	input_feed(&in, "q", 1, 2000);
	take_all(&in, 0, text, sizeof(text));
	assert_string_equal(text, "p113 p0 113 ");
}

/* There is always room for more once the events are taken, whatever was sent. */
static void noise_never_fills_it(void **state)
{
	struct input in = fresh();
	unsigned value = 7;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct term_event e;
		char byte;

		value = value * 1103515245 + 12345;
		byte = (char)(value >> 16);
		if (value >> 28 < 6)
			byte = "\033[O<M]"[value >> 28];
		assert_true(input_room(&in) > 0);
		input_feed(&in, &byte, 1, i);
		while (input_next(&in, value >> 20 & 1 ? value >> 21 & 1023 : 0, &e))
			assert_true(e.kind == TERM_KEY || e.kind == TERM_MOUSE || e.kind == TERM_PASTE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters),
		cmocka_unit_test(bytes_that_are_none_are_dropped),
		cmocka_unit_test(keys),
		cmocka_unit_test(arrows_with_shift_and_control),
		cmocka_unit_test(escape_is_a_key_when_nothing_follows),
		cmocka_unit_test(a_key_with_alt_is_nobodys),
		cmocka_unit_test(sequences_nobody_knows_are_dropped_whole),
		cmocka_unit_test(the_mouse_counts_from_0),
		cmocka_unit_test(broken_reports_of_the_mouse_are_dropped),
		cmocka_unit_test(old_reports_of_the_mouse),
		cmocka_unit_test(pieces_make_no_difference),
		cmocka_unit_test(a_sequence_without_end_is_swallowed),
		cmocka_unit_test(keys_of_kitty_are_keys),
		cmocka_unit_test(what_is_no_key_does_nothing),
		cmocka_unit_test(whatever_comes_behind_what),
		cmocka_unit_test(a_string_without_end_ends_in_silence),
		cmocka_unit_test(a_long_string_ends_at_a_short_pause),
		cmocka_unit_test(a_long_string_of_pieces_goes_on),
		cmocka_unit_test(a_flood_is_swallowed),
		cmocka_unit_test(pasted_text_is_no_keys),
		cmocka_unit_test(a_flood_is_not_pasted),
		cmocka_unit_test(a_paste_without_end_ends_in_silence),
		cmocka_unit_test(noise_never_fills_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

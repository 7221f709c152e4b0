/* SPDX-License-Identifier: MIT */
/*
 * What a terminal sends, as events: whole, in pieces, and broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tui/term/term_input.h"

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

	if (e->kind == TERM_MOUSE)
		snprintf(out + at, size - at, "%c%c%d,%d ", "nlmrud"[e->button], "PDR"[e->action], e->x, e->y);
	else if (e->key >= KEY_FIRST_SPECIAL)
		snprintf(out + at, size - at, "+%u ", e->key - KEY_FIRST_SPECIAL);
	else
		snprintf(out + at, size - at, "%u ", e->key);
}

static void take_all(struct input *in, bool quiet, char *out, size_t size)
{
	struct term_event e;

	while (input_next(in, quiet, &e))
		put_event(out, size, &e);
}

/* The events of bytes that come at once, and then a pause. */
static const char *events(const char *bytes, size_t length)
{
	static char text[4096];
	struct input in = fresh();

	text[0] = '\0';
	input_feed(&in, bytes, length);
	take_all(&in, false, text, sizeof(text));
	while (input_is_open(&in))
		take_all(&in, true, text, sizeof(text));
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
	assert_string_equal(EVENTS("\xc2\x9b" "5"), "53 ");
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
	assert_string_equal(EVENTS("\033["), "27 91 ");
	assert_string_equal(EVENTS("\033O"), "27 79 ");
	assert_string_equal(EVENTS("\033\033[A"), "27 " UP);
}

/* Escape would leave the program. */
static void a_key_with_alt_is_nobodys(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033ja\033q\033~b\033\r"), "97 98 27 13 ");
	assert_string_equal(EVENTS("\033\x7f" "a\033\b\033 b"), "97 98 ");
	assert_string_equal(EVENTS("\033\xc3\xa9" "a\033\xe6\x97\xa5" "b\033\xc3" "c\033\xc3"), "97 98 99 ");
}

static void sequences_nobody_knows_are_dropped_whole(void **state)
{
	(void)state;
	assert_string_equal(EVENTS("\033[200~a\033[?1;2cb\033[>0;276;0cc"), "97 98 99 ");
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

			input_feed(&in, bytes + at, left < cut ? left : cut);
			take_all(&in, false, text, sizeof(text));
		}
		assert_string_equal(text, expected);
	}
}

static void a_sequence_without_end_is_swallowed(void **state)
{
	struct input in = fresh();
	char text[256] = "";

	(void)state;
	input_feed(&in, "\033[", 2);
	for (int i = 0; i < 1000; i++) {
		assert_true(input_room(&in) > 0);
		input_feed(&in, "1", 1);
		take_all(&in, false, text, sizeof(text));
	}
	input_feed(&in, "ma", 2);
	take_all(&in, false, text, sizeof(text));
	assert_string_equal(text, "97 ");
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
			byte = "\033[O<M;"[value >> 28];
		assert_true(input_room(&in) > 0);
		input_feed(&in, &byte, 1);
		while (input_next(&in, false, &e))
			assert_true(e.kind == TERM_KEY || e.kind == TERM_MOUSE);
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
		cmocka_unit_test(noise_never_fills_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

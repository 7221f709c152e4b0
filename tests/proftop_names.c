/* SPDX-License-Identifier: MIT */
/*
 * proftop_names: names of every byte there is, as zones, counters, events, notes, threads and frames of a
 * program: no byte of them steers a terminal or breaks a document, whatever prints them, and each name can be
 * had back from what was printed.
 *
 * The program is this one with an argument. Byte 0 ends a name, so the bytes are those from 1 to 255, each in a name
 * of its own, and sequences that terminals know.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>


#include "libprof/prof.h"
#include "tests/json_read.h"
#include "tests/proftop_run.h"

static const char *const sequences[] = {
	"\033[2J\033]0;title\007",      /* clears the screen, sets the title */
	"\033P$q\"p\033\\",             /* asks, so that the terminal types an answer */
	"\033]52;c;eA==\007",           /* writes to the clipboard */
	"\xc2\x9b" "31mred\x9b" "0m",   /* C1, as UTF-8 and as a byte */
	"\xe2\x80\xae" "desrever",      /* from right to left */
	"\xe2\x81\xa6isolated",
	"a\xcc\x81\xcc\x81\xcc\x81",    /* marks above marks */
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", /* joined emoji */
	"\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xf5\x80\x80\x80", /* what UTF-8 forbids */
	"\xe2\x80\xa8line\xe2\x80\xa9", /* ends of a line and of a paragraph */
	"</script>,\"'\\x41;=cmd|' /C x'!A0",
	"%s%n\\",
};
#define SEQUENCES (sizeof(sequences) / sizeof(*sequences))
#define NAMES     (255 + SEQUENCES)

/* Name `index`; with its number in front, so that all differ. */
static void make_name(char out[64], size_t index)
{
	if (index < 255)
		snprintf(out, 64, "%zu<%c>", index, (char)(index + 1));
	else
		snprintf(out, 64, "%zu<%s>", index, sequences[index - 255]);
}

/* The program */

static void *named_thread(void *text)
{
	Prof_Thread(text);
	Prof_Begin(in_thread)
	Prof_End
	return NULL;
}

static int program(void)
{
	static char names[NAMES][64];
	pthread_t thread;

	for (size_t i = 0; i < NAMES; i++) {
		make_name(names[i], i);
		Prof_Frame_Begin(names[i])
		Prof_Enter(Prof_Zone(names[i]));
		Prof_Event_Of(Prof_Zone(names[i]));
		Prof_Set(Prof_Counter(names[i]), 1);
		Prof_Note("%s", names[i]);
		Prof_Leave();
		Prof_Frame_End
	}
	for (size_t i = 255; i < NAMES; i++)
		if (pthread_create(&thread, NULL, named_thread, names[i]) == 0)
			pthread_join(thread, NULL);
	Prof_Thread(names[255]);
	Prof_Enter(Prof_Zone(names[256])); /* open when it dies */
	return raise(SIGKILL);
}

/* The test */

static char region[64], path[80];

static int make_region(void **state)
{
	int status;
	pid_t child;

	(void)state;
	snprintf(region, sizeof(region), "prof-names-%ld", (long)getpid());
	snprintf(path, sizeof(path), "/dev/shm/%s", region);
	child = fork();
	if (!child) {
		setenv("PROF_SHM", region, 1);
		execl("/proc/self/exe", "proftop_names", "program", (char *)NULL);
		_exit(127);
	}
	return waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || access(path, R_OK);
}

static int remove_region(void **state)
{
	(void)state;
	return unlink(path);
}

/* The output of proftop. To be freed. */
static char *printed(const char *options, const char *locale, size_t *length)
{
	const char *top = getenv("top_builddir");
	char command[512], *text = NULL;
	size_t size = 0;
	FILE *in, *out = open_memstream(&text, &size);

	snprintf(command, sizeof(command), "LC_ALL=%s %s/proftop/proftop %s %s", locale, top ? top : ".", options, region);
	in = popen(command, "r");
	assert_non_null(in);
	for (int c; (c = getc(in)) != EOF;)
		putc(c, out);
	if (pclose(in))
		fail_msg("%s failed", command);
	fclose(out);
	*length = size;
	return text;
}

/* Whether the character at `text` is one that no output has: a control other than the end of a line, what is not
 * UTF-8, what turns the direction or breaks a line. */
static bool is_foul(const unsigned char *text)
{
	static const char *const unwanted[] = { "\xc2\x80", "\xc2\x9b", "\xe2\x80\x8d", "\xe2\x80\xa8", "\xe2\x80\xa9",
						"\xe2\x80\xae", "\xe2\x81\xa6", "\xed\xa0\x80", "\xc0\xaf" };

	if ((*text < ' ' && *text != '\n') || *text == 0x7f || *text == 0xff || *text == 0xf5)
		return true;
	for (size_t i = 0; i < sizeof(unwanted) / sizeof(*unwanted); i++)
		if (!strncmp((const char *)text, unwanted[i], strlen(unwanted[i])))
			return true;
	return false;
}

/* The bytes that `shown` stands for: \xHH, \\ and, of JSON, what its reader has left of them. In place. */
static void recover(char *shown)
{
	char *to = shown;

	for (const char *from = shown; *from; to++) {
		unsigned byte;

		if (from[0] == '\\' && from[1] == '\\') {
			*to = '\\';
			from += 2;
		} else if (from[0] == '\\' && sscanf(from + 1, "x%2X", &byte) == 1) {
			*to = (char)byte;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static void expect_clean(const char *what, const char *locale, const char *text, size_t length)
{
	bool ascii = !strcmp(locale, "C");

	assert_int_equal(strlen(text), length); /* no byte 0 */
	for (size_t at = 0; at < length; at++)
		if (is_foul((const unsigned char *)text + at) || (ascii && (unsigned char)text[at] >= 0x80))
			fail_msg("%s in %s has byte %02x at %zu: %.60s", what, locale, (unsigned char)text[at], at,
				 text + (at > 20 ? at - 20 : 0));
}

static void every_output_is_clean(void **state)
{
	static const char *const options[] = { "report", "report -v hier", "report -v tree", "report -v counters", "report -t each",
					       "report --csv", "report --csv -v counters", "report -v threads", "report --csv -v threads",
					       "report -j -v threads", "report -j", "stacks", "stacks -j", "stream" };
	static const char *const locales[] = { "C.UTF-8", "C" };

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		for (size_t l = 0; l < 2; l++) {
			bool document = strstr(options[i], "-j") || strstr(options[i], "csv") || strstr(options[i], "stream");
			size_t length;
			char *text = printed(options[i], locales[l], &length);

			/* Documents are UTF-8 wherever they are made. */
			expect_clean(options[i], document ? "C.UTF-8" : locales[l], text, length);
			free(text);
		}
}

/* A name goes from its number to the last > that it has. */
static void names_come_back_from_text(void **state)
{
	size_t length, found = 0;
	char *text = printed("report --csv -v self", "C", &length), expected[64];

	(void)state;
	for (size_t i = 0; i < NAMES; i++) {
		char number[16], *at, *end, shown[256];

		snprintf(number, sizeof(number), "%zu<", i);
		make_name(expected, i);
		for (at = strstr(text, number); at && at > text && at[-1] >= '0' && at[-1] <= '9';)
			at = strstr(at + 1, number);
		end = at ? strstr(at, ">") : NULL;
		if (i == '>' - 1 && end)
			end++; /* the name's own */
		if (i == 255 + 10 && end)
			end = strchr(end + 1, '>');
		if (!end || end - at >= (long)sizeof(shown) - 1)
			fail_msg("name %zu is not there", i);
		snprintf(shown, sizeof(shown), "%.*s", (int)(end - at + 1), at);
		for (char *q = shown; (q = strstr(q, "\"\"")); q++)
			memmove(q, q + 1, strlen(q)); /* CSV doubles it */
		recover(shown);
		assert_string_equal(shown, expected);
		found++;
	}
	assert_int_equal(found, NAMES);
	free(text);
}

static void names_come_back_from_json(void **state)
{
	size_t length, found = 0;
	char *text = printed("report -j", "C.UTF-8", &length), expected[64];
	yajl_val document = doc_parse(text), rows = doc_array(document, "rows");

	(void)state;
	for (size_t i = 0; i < YAJL_GET_ARRAY(rows)->len; i++) {
		yajl_val zone = doc_at(rows->u.array.values[i], "zone");
		char *shown = strdup(YAJL_IS_STRING(zone) ? zone->u.string : "");
		size_t index = strtoul(shown, NULL, 10);

		if (strchr(shown, '<') && index < NAMES) {
			recover(shown);
			make_name(expected, index);
			assert_string_equal(shown, expected);
			found++;
		}
		free(shown);
	}
	assert_int_equal(found, NAMES);
	yajl_tree_free(document);
	free(text);
}

/* Through every view, and through the whole of each list, the terminal gets nothing but text and the sequences
 * that a screen is made of. */
static void walk(const char *term, const char *locale)
{
	struct screen *s = proftop_start(&(struct proftop){ .columns = 160, .rows = 50, .term = term, .locale = locale,
							     .arguments = { region } });

	screen_until(s, "DEAD");
	for (const char *view = "12345670E"; *view; view++) {
		const char key[] = { *view, '\0' };

		screen_type(s, key);
		if (strchr("17E", *view))
			screen_until(s, "<\\x");
		for (int page = 0; page < 8; page++) {
			screen_type(s, KEY_PAGE_DOWN);
			screen_pump(s, 3);
		}
		screen_type(s, KEY_HOME);
	}
	screen_type(s, "1p");
	for (int frame = 0; frame < 60; frame++) {
		screen_type(s, "[");
		screen_pump(s, 2);
	}
	screen_until_quiet(s, 200);
	screen_type(s, "4*");
	screen_until_quiet(s, 200);
	proftop_leave(s);
}

static void no_name_steers_the_terminal(void **state)
{
	(void)state;
	walk(NULL, "C.UTF-8");
	walk(NULL, "C");
	walk("linux", "C");
	walk("vt100", "C.UTF-8");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_output_is_clean),
		cmocka_unit_test(names_come_back_from_text),
		cmocka_unit_test(names_come_back_from_json),
		cmocka_unit_test(no_name_steers_the_terminal),
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	return cmocka_run_group_tests(tests, make_region, remove_region);
}

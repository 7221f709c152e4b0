/* fuzz_settings: texts that a user gives proftop: the file of settings, a command line, what is typed to find names;
 * and names of a program made safe.
 *
 *   byte 0  which of them
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/find.h"
#include "model/base/pattern.h"
#include "model/base/text.h"
#include "tests/fuzz/fuzz.h"
#include "proftop/settings.h"

enum text { SETTINGS, ARGUMENTS, PATTERN, NAME, TARGET, TEXTS };

static void check_safe(const char *text)
{
	size_t size = strlen(text), used;
	uint32_t code;

	for (size_t at = 0; at < size; at += used) {
		used = utf8_decode(text + at, size - at, &code);
		assert(used && code_visible(code));
	}
}

/* Written anew with what it says, the text says the same, and once more it is the same text. */
static void try_settings(const char *text)
{
	struct settings_fault fault, again;
	struct options o, written;
	char *first, *second;

	options_begin(&o);
	settings_parse(&o, text, &fault);
	assert(!fault.line == !fault.why[0]);
	check_safe(fault.why);
	first = settings_text(&o, text);
	assert(first);
	options_begin(&written);
	settings_parse(&written, first, &again);
	assert(written.view == o.view && written.unit == o.unit && written.average == o.average &&
	       written.precision == o.precision && written.spread == o.spread && written.ascii == o.ascii &&
	       written.no_mouse == o.no_mouse && written.colour == o.colour && written.theme == o.theme);
	second = settings_text(&written, first);
	assert(second && !strcmp(first, second));
	free(first);
	free(second);
}

static void try_arguments(char *text)
{
	char why[512] = "", *argv[32] = { "proftop" }, *next = text;
	struct options o;
	int argc = 1;

	for (char *word; argc < 31 && (word = strsep(&next, "\n"));)
		argv[argc++] = word;
	options_begin(&o);
	if (!options_parse(&o, argc, argv, why, sizeof why))
		assert(strlen(why) > 3);
}

/* Expressions that the C library takes hours or gigabytes for are the user's own. */
static bool is_cheap(const char *text)
{
	return text[0] != '~' || (strlen(text) < 20 && !strpbrk(text, "{\\*+"));
}

static void try_pattern(const char *text)
{
	struct pattern p;
	char why[256] = "";

	if (!is_cheap(text))
		return;
	if (!pattern_init(&p, text, why, sizeof why)) {
		assert(strlen(why) > 3);
		return;
	}
	(void)pattern_matches(&p, "update");
	(void)pattern_matches(&p, "");
	(void)pattern_matches(&p, text);
	pattern_fini(&p);
}

static void try_name(const char *bytes, size_t size)
{
	char *shown = name_escape(bytes, size), *ascii = name_escape_ascii(bytes, size), *back;
	size_t used;

	assert(shown && ascii);
	check_safe(shown);
	for (const char *at = ascii; *at; at++)
		assert(*at >= ' ' && *at <= '~');
	back = name_unescape(shown);
	assert(back && (memchr(bytes, '\0', size) || (strlen(back) == size && !memcmp(back, bytes, size))));
	free(back);
	for (size_t cells = 0; cells < 8; cells++) {
		size_t clipped = text_clip(shown, cells, &used);
		assert(clipped <= strlen(shown) && used <= cells);
	}
	assert(text_width(shown) <= strlen(shown));
	free(shown);
	free(ascii);
}

static void try_target(const char *text)
{
	char out[FIND_SIZE], why[512] = "";

	if (find_region(text, out, sizeof out, why, sizeof why) == FIND_DONE)
		assert(strlen(out) < sizeof out);
	else
		assert(strlen(why) > 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = malloc(size);
	assert(text);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	switch ((enum text)(data[0] % TEXTS)) {
	case SETTINGS:
		try_settings(text);
		break;
	case ARGUMENTS:
		try_arguments(text);
		break;
	case PATTERN:
		try_pattern(text);
		break;
	case NAME:
		try_name((const char *)data + 1, size - 1);
		break;
	default:
		try_target(text);
	}
	free(text);
	return 0;
}

/* Every byte, alone and behind each of the first bytes of UTF-8, as each of the texts. */
void fuzz_systematic(fuzz_try *one)
{
	static const uint8_t before[] = { 'a', '-', '~', '\\', 0xc2, 0xe2, 0xed, 0xf0, 0xf4 };

	for (uint8_t which = 0; which < TEXTS; which++)
		for (size_t i = 0; i < sizeof before; i++)
			for (unsigned byte = 0; byte < 256; byte++) {
				uint8_t text[] = { which, before[i], (uint8_t)byte, (uint8_t)(byte ^ 0x55) };

				one(text, sizeof text, "two bytes and one more");
			}
}

/* SPDX-License-Identifier: MIT */
/*
 * term_input: the bytes that a terminal sends, as keys and as what the mouse does.
 *
 * Bytes are fed as they come, in pieces of any size; events are taken out. Whatever is no key that
 * anybody knows is dropped whole: an unknown sequence or a terminal's late answer never turns into
 * letters, which are commands. Pasted text (bracketed paste) is told apart from keys.
 *
 * Only silence tells the Esc key from the beginning of a sequence, and ends what has no end: a string
 * whose terminator got lost, Alt and a letter that introduces one. The caller measures the silence.
 */
#ifndef TUI_TERM_INPUT_H
#define TUI_TERM_INPUT_H

#include "tui/term/term.h"

#define INPUT_SIZE 256
#define INPUT_KEYS 16
#define INPUT_PASTED 4096 /* of a longer text the rest is left out: no prompt has space for it */
#define INPUT_KEY_SIZE 16
#define INPUT_ESCAPE_MS 25 /* how long a lone Esc waits for the rest of a sequence */

/* What a key sends on this terminal; beside these, what all terminals of today send is known. */
struct input_key {
	char sequence[INPUT_KEY_SIZE];
	uint32_t key;
};

enum input_mode {
	INPUT_READS,
	INPUT_SKIPS,  /* in a sequence that was longer than there is space for */
	INPUT_STRING, /* in OSC, DCS, APC, PM or SOS, the beginning of which is swallowed already */
	INPUT_PASTES, /* in pasted text */
};

struct input {
	unsigned char bytes[INPUT_SIZE];
	size_t count;
	int64_t fed_ms; /* when the last bytes were fed */
	enum input_mode mode;
	size_t pasted; /* events of this text so far */
	int64_t began_ms;    /* of a string: when its beginning was fed; */
	bool ends_with_bell; /* BEL ends it; */
	unsigned char lead;  /* the first byte of the character that it is in, or 0, */
	int left;            /* and how many bytes of that character are to come */
	struct input_key keys[INPUT_KEYS];
	size_t key_count;
	enum term_button held; /* of the mouse: old reports of a release do not say which */
};

/* A sequence of this terminal, NULL: it has none. It counts if it begins with Esc. */
void input_add_key(struct input *in, const char *sequence, uint32_t key);

/* Bytes that can be fed; more than none whenever input_next found nothing. `now_ms` comes from a clock that never
 * goes back. */
size_t input_room(const struct input *in);
void input_feed(struct input *in, const void *bytes, size_t count, int64_t now_ms);

/* The next event; false: there is none in what was fed. `silence_ms`: for so long after the last feed nothing came; 0:
 * that is not known. */
bool input_next(struct input *in, int64_t silence_ms, struct term_event *event);

/* When silence will decide what the bytes at hand are, on the clock of input_feed; INT64_MAX: nothing waits for it. */
int64_t input_decides_ms(const struct input *in);

#endif

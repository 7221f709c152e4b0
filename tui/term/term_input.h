/* SPDX-License-Identifier: MIT */
/*
 * term_input: the bytes that a terminal sends, as keys and as what the mouse does.
 *
 * Bytes are fed as they come, in pieces of any size; events are taken out. Whatever is no key that
 * anybody knows is dropped whole: an unknown sequence never turns into letters, which are commands.
 * Only time tells the Esc key from the beginning of a sequence: `quiet` says that it went by.
 */
#ifndef TUI_TERM_INPUT_H
#define TUI_TERM_INPUT_H

#include "tui/term/term.h"

#define INPUT_SIZE 256
#define INPUT_KEYS 16
#define INPUT_KEY_SIZE 16
#define INPUT_ESCAPE_MS 25 /* how long an Esc waits for the rest of a sequence */

/* What a key sends on this terminal; beside these, what all terminals of today send is known. */
struct input_key {
	char sequence[INPUT_KEY_SIZE];
	uint32_t key;
};

struct input {
	unsigned char bytes[INPUT_SIZE];
	size_t count;
	bool skipping; /* in a sequence that was longer than there is room for */
	struct input_key keys[INPUT_KEYS];
	size_t key_count;
	enum term_button held; /* of the mouse: old reports of a release do not say which */
};

/* A sequence of this terminal, NULL: it has none. It counts if it begins with Esc. */
void input_add_key(struct input *in, const char *sequence, uint32_t key);

/* Bytes that can be fed; more than none whenever input_next found nothing. */
size_t input_room(const struct input *in);
void input_feed(struct input *in, const void *bytes, size_t count);

/* The next event; false: there is none in what was fed. */
bool input_next(struct input *in, bool quiet, struct term_event *event);

/* Whether a pause would decide what the bytes at hand are. */
bool input_is_open(const struct input *in);

#endif

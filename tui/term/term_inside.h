/* SPDX-License-Identifier: MIT */
/*
 * term_inside: the terminal as its own files see it.
 *
 *   term_input.c   bytes to keys and to what the mouse does
 *   term_clip.c    a text for the clipboard
 *   term_signal.c  signals
 */
#ifndef TUI_TERM_INSIDE_H
#define TUI_TERM_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/term/term.h"

/*
 * Input. The caller feeds bytes as they come, in pieces of any size, and takes events
 * out. An unknown sequence or a late answer of the terminal is dropped whole.
 * It never turns into letters, because letters are commands. Pasted text
 * (bracketed paste) is told apart from keys.
 *
 * Only silence tells the Esc key from the beginning of a sequence. Silence also
 * ends a string whose terminator got lost, and Alt with a letter that begins a
 * string. The caller measures the silence.
 */

#define INPUT_SIZE 256
#define INPUT_KEYS 16
#define INPUT_PASTED 4096 /* characters of a paste; the rest is dropped, as no prompt has space for it */
#define INPUT_KEY_SIZE 16
#define INPUT_ESCAPE_MS 25 /* how long a lone Esc waits for the rest of a sequence */

/* A key and the bytes that it sends on this terminal, by terminfo. Sequences that all present terminals send
 * need no entry. */
struct input_key {
	char sequence[INPUT_KEY_SIZE];
	uint32_t key;
};

enum input_mode {
	INPUT_READS,
	INPUT_SKIPS,  /* in a sequence that is longer than INPUT_SIZE */
	INPUT_STRING, /* in OSC, DCS, APC, PM or SOS, behind its introducer */
	INPUT_PASTES, /* in pasted text */
};

struct input {
	unsigned char bytes[INPUT_SIZE];
	size_t count;
	int64_t fed_ms; /* when the last bytes were fed */
	enum input_mode mode;
	size_t pasted; /* events of this paste so far */
	/* In INPUT_STRING: */
	int64_t began_ms;    /* when its beginning, or several bytes at once, were fed last */
	bool ends_with_bell; /* BEL ends it, too */
	unsigned char lead;  /* first byte of an unfinished UTF-8 character; 0: none */
	int left;            /* bytes of that character that are still to come */
	struct input_key keys[INPUT_KEYS];
	size_t key_count;
	enum term_button held; /* mouse button; old reports of a release do not say which button it was */
};

/* Adds what `key` sends on this terminal. NULL, or a sequence that does not
 * begin with Esc, adds nothing. */
void input_add_key(struct input *in, const char *sequence, uint32_t key);

/* Bytes that can be fed: more than 0 if input_next found nothing. `now_ms`
 * comes from a clock that never goes back. */
size_t input_room(const struct input *in);
void input_feed(struct input *in, const void *bytes, size_t count, int64_t now_ms);

/* Takes the next event; false: the fed bytes contain none. `silence_ms`: how
 * long nothing came after the last feed; 0: not known. */
bool input_next(struct input *in, int64_t silence_ms, struct term_event *event);

/* When silence will decide what the fed bytes are, by the clock of input_feed.
 * INT64_MAX: no bytes are undecided. */
int64_t input_decides_ms(const struct input *in);

/*
 * A text for the clipboard of the terminal, as the sequence OSC 52 that xterm brought up.
 *
 * Nobody answers whether a terminal takes it, or whether its user lets it. So it is sent to all but those that
 * are known to have no clipboard, or to show what they do not understand.
 */

/* True if a terminal of this name (TERM) is sent the sequence. */
bool clip_is_known(const char *term);

/* ESC ] 52 ; c ; the text in base64 ; BEL. Caller frees; NULL: out of memory. */
char *clip_sequence(const char *text, size_t length);

/*
 * Signals to a program on a terminal, as flags and a file descriptor to wait for.
 *
 * A signal that asks to end has a deadline: if the program has not given the terminal back a moment later (it
 * may be stuck in a write to a terminal that nobody reads), it is ended by that signal. A signal that the parent
 * ignored (nohup, a shell without job control) stays ignored.
 */

#define SIGNAL_DEADLINE_MS 600

bool signals_take(void); /* false: no pipe or timer */

/* Handlers again, where somebody has replaced them since. */
void signals_retake(void);

/* Another program has the terminal: ^C and ^\\ are for that alone, and ^Z stops as if nobody had caught it.
 * signals_retake ends it. */
void signals_lend(void);

void signals_return(void);

/* Can be read when a signal has come; signals_clear empties it before the flags are read. */
int signals_fd(void);
void signals_clear(void);

/* True if the signal came since the last call. */
bool signals_resized(void);
bool signals_suspended(void);
bool signals_continued(void);

/* The signal that asks to end, for good; 0: none. */
int signals_ending(void);

/* The terminal is gone, though no signal said so: the deadline begins. */
void signals_hurry(void);

/* Stops the process as ^Z does; returns when it goes on. */
void signals_stop(void);

#endif

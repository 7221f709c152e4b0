/* SPDX-License-Identifier: MIT */
#include "tui/term/term_inside.h"

#include <string.h>

#include "model/base/text.h"

/* Sequences begin with Esc [ (CSI) and end in a letter or ~, which a number in front tells apart; a
 * few begin with Esc O (SS3). */
struct known_key {
	unsigned char final;
	int number; /* of ~ */
	uint32_t key;
};

static const struct known_key known_keys[] = {
	{ 'A', 0, TERM_UP },        { 'B', 0, TERM_DOWN },      { 'C', 0, TERM_RIGHT },
	{ 'D', 0, TERM_LEFT },      { 'H', 0, TERM_HOME },      { 'F', 0, TERM_END },
	{ 'Z', 0, TERM_BACK_TAB },  { 'P', 0, TERM_F1 },        { '~', 1, TERM_HOME },
	{ '~', 3, TERM_DELETE },    { '~', 4, TERM_END },       { '~', 5, TERM_PAGE_UP },
	{ '~', 6, TERM_PAGE_DOWN }, { '~', 7, TERM_HOME },      { '~', 8, TERM_END },
	{ '~', 11, TERM_F1 },
	{ 'd', 0, TERM_SHIFT_LEFT }, { 'c', 0, TERM_SHIFT_RIGHT }, /* rxvt */
};

/* Arrows with Shift or Ctrl have a second number: 1, + 1 for Shift, + 2 for
 * Alt, + 4 for Ctrl. In kitty's keyboard protocol a third number, after a
 * colon, is 3 if the key was released. */
#define WITH_SHIFT 1
#define WITH_ALT 2
#define WITH_CONTROL 4
#define RELEASED 3

#define BELL 7
#define CANCEL 0x18 /* CAN and SUB end a string */
#define SUBSTITUTE 0x1A
#define STRING_END 0x9C /* ST (string terminator) as one character */

static const char paste_end[] = "201~"; /* after Esc [ */

/* After such a silence an unfinished sequence is dropped, or pasted text has
 * ended. */
#define SEQUENCE_MS 500
#define PASTE_MS 2000
/* If single bytes come for longer than this, somebody types, and the string
 * ends at the first silence of INPUT_ESCAPE_MS. */
#define STRING_LONG_MS 2000

/* A key or report at the start of the bytes. */
struct token {
	size_t length; /* 0: more bytes must come */
	struct term_event event;
};

static struct token need_more(void)
{
	return (struct token){ .length = 0 };
}

static struct token drop_bytes(size_t length)
{
	return (struct token){ .length = length };
}

static struct token key_token(size_t length, uint32_t key)
{
	return (struct token){ length, { .kind = key ? TERM_KEY : TERM_NOTHING, .key = key } };
}

/* The mouse */

/* `code` as xterm counts: 1 and 2 the button, 4, 8 and 16 modifiers, 32 motion, 64 the wheel. */
static struct term_event mouse_event(struct input *in, int code, bool released, int x, int y)
{
	static const enum term_button buttons[] = { BUTTON_LEFT, BUTTON_MIDDLE, BUTTON_RIGHT, BUTTON_NONE };
	struct term_event e = { .kind = TERM_MOUSE, .x = x - 1, .y = y - 1 };
	const struct term_event nothing = { .kind = TERM_NOTHING };

	if (x < 1 || y < 1 || code >= 128)
		return nothing;
	if (code & 64) {
		e.button = code & 1 ? WHEEL_DOWN : WHEEL_UP;
		return code & 2 || released ? nothing : e;
	}
	e.button = buttons[code & 3];
	e.action = released ? MOUSE_RELEASE : code & 32 ? MOUSE_DRAG : MOUSE_PRESS;
	if (e.button == BUTTON_NONE) { /* an old report of a release, or motion without a button */
		e.button = in->held;
		e.action = MOUSE_RELEASE;
		if (code & 32 || in->held == BUTTON_NONE)
			return nothing;
	}
	in->held = e.action == MOUSE_RELEASE ? BUTTON_NONE : e.button;
	return e;
}

/* A number of at most five digits, else -1; *at moves behind it and the `;` that follows. */
static int parse_number(const unsigned char **at, const unsigned char *end)
{
	int value = 0, digits = 0;

	for (; *at < end && **at >= '0' && **at <= '9'; (*at)++, digits++)
		value = digits < 5 ? value * 10 + (**at - '0') : value;
	if (*at < end && **at == ';')
		(*at)++;
	return digits && digits <= 5 ? value : -1;
}

/* Esc [ < code ; x ; y M, or m for a release. */
static struct term_event sgr_mouse(struct input *in, size_t start, size_t length)
{
	const unsigned char *at = in->bytes + start + 1, *end = in->bytes + length - 1;
	int code = parse_number(&at, end), x = parse_number(&at, end), y = parse_number(&at, end);

	if (code < 0 || at != end)
		return (struct term_event){ .kind = TERM_NOTHING };
	return mouse_event(in, code, *end == 'm', x, y);
}

/* Sequences */

static uint32_t modified_key(uint32_t key, int modifiers)
{
	bool shift = (modifiers - 1) & WITH_SHIFT, control = (modifiers - 1) & WITH_CONTROL;

	if (modifiers < 1 || (!shift && !control) || (key != TERM_LEFT && key != TERM_RIGHT))
		return key;
	if (control)
		return key == TERM_LEFT ? TERM_CONTROL_LEFT : TERM_CONTROL_RIGHT;
	return key == TERM_LEFT ? TERM_SHIFT_LEFT : TERM_SHIFT_RIGHT;
}

static uint32_t known_key(unsigned char final, int number)
{
	for (size_t i = 0; i < sizeof(known_keys) / sizeof(*known_keys); i++)
		if (known_keys[i].final == final && (final != '~' || known_keys[i].number == number))
			return known_keys[i].key;
	return 0;
}

/* Length of the introducer of a sequence or a string: Esc and a letter, or a C1
 * control as one byte or as UTF-8. No key sends C1 controls. 0: no introducer. */
static size_t introducer_length(const struct input *in, unsigned char *letter)
{
	const unsigned char *b = in->bytes;
	size_t length = b[0] == TERM_ESCAPE || b[0] == 0xC2 ? 2 : 1;
	unsigned char last;

	if (in->count < length)
		return 0;
	last = b[length - 1];
	if (b[0] == TERM_ESCAPE) {
		*letter = last;
	} else {
		if (last < 0x80 || last > 0x9F)
			return 0;
		*letter = last - 0x40;
	}
	return memchr("[O]P_^X", *letter, 7) ? length : 0;
}

/* Bytes of a CSI sequence up to its last; 0: more bytes must come. A byte that
 * no sequence can contain breaks it off. With Shift, rxvt's keys end with `$`
 * after one number. Reports of modes have `$` after two numbers, and a letter
 * behind. */
static size_t sequence_length(const struct input *in, size_t start, bool *broken)
{
	bool number = true; /* nothing but digits so far */

	for (size_t i = start; i < in->count; i++) {
		unsigned char b = in->bytes[i];

		if (b == '$' && number && i > start)
			return i + 1;
		number = number && b >= '0' && b <= '9';
		if (b >= 0x20 && b <= 0x3F)
			continue;
		*broken = b < 0x40 || b > 0x7E;
		return *broken ? i : i + 1;
	}
	return 0;
}

static struct token open_sequence(struct input *in)
{
	if (in->count < INPUT_SIZE)
		return need_more();
	in->mode = INPUT_SKIPS;
	return drop_bytes(in->count);
}

/* The key of a sequence that ends at `end` with `final`; 0: no known key. */
static uint32_t sequence_key(const unsigned char *at, const unsigned char *end, unsigned char final)
{
	int number = parse_number(&at, end), modifiers = parse_number(&at, end), kind = 0;

	if (at < end && *at == ':') {
		at++;
		kind = parse_number(&at, end);
	}
	return at != end || kind == RELEASED ? 0 : modified_key(known_key(final, number), modifiers);
}

/* A key of kitty's protocol, which a program before may have left on: Esc [ code ; modifiers u. Each number may have further
 * ones behind colons. 0: none that has a meaning here. */
static uint32_t unicode_key(const unsigned char *at, const unsigned char *end)
{
	int code = parse_number(&at, end), modifiers = 1, kind = 0;

	while (at < end && *at != ';' && at[-1] != ';')
		at++;
	if (at < end && *at == ';')
		at++;
	if (at < end)
		modifiers = parse_number(&at, end);
	if (at < end && *at == ':') {
		at++;
		kind = parse_number(&at, end);
	}
	if (code <= 0 || modifiers < 1 || kind == RELEASED || (modifiers - 1) & WITH_ALT || (code >= 0xE000 && code <= 0xF8FF))
		return 0;
	if ((modifiers - 1) & WITH_CONTROL)
		return code >= 'a' && code <= 'z' ? (uint32_t)code & 0x1F : 0;
	if ((modifiers - 1) & WITH_SHIFT)
		return code == '\t' ? TERM_BACK_TAB : code >= 'a' && code <= 'z' ? (uint32_t)code - ' ' : (uint32_t)code;
	return code == 8 || code == 127 ? TERM_BACKSPACE : (uint32_t)code;
}

/* Esc [ M and three bytes, each 32 above its value. */
static struct token old_mouse(struct input *in, size_t start)
{
	const unsigned char *at = in->bytes + start + 1;
	struct token t = { .length = start + 4 };

	if (in->count < t.length)
		return open_sequence(in);
	if (at[0] >= 32)
		t.event = mouse_event(in, at[0] - 32, false, at[1] - 32, at[2] - 32);
	return t;
}

static struct token csi_token(struct input *in, size_t start)
{
	bool broken = false;
	size_t length = sequence_length(in, start, &broken);
	unsigned char final = length ? in->bytes[length - 1] : 0;
	bool bare = length == start + 1;

	if (!length)
		return open_sequence(in);
	if (broken)
		return drop_bytes(length);
	if (final == 'M' && bare)
		return old_mouse(in, start);
	if (final == '[' && bare) /* function keys of the Linux console: one byte more */
		return in->count < start + 2 ? open_sequence(in) : drop_bytes(start + 2);
	if (in->bytes[start] == '<' && (final == 'M' || final == 'm'))
		return (struct token){ length, sgr_mouse(in, start, length) };
	if (final == '~' && length - start == 4 && !memcmp(in->bytes + start, "200", 3)) {
		in->mode = INPUT_PASTES;
		in->pasted = 0;
		return drop_bytes(length);
	}
	if (!bare && (final == 'c' || final == 'd')) /* rxvt's keys have no number; answers of terminals have */
		return drop_bytes(length);
	if (final == 'u' && !bare && in->bytes[start] >= '0' && in->bytes[start] <= '9')
		return key_token(length, unicode_key(in->bytes + start, in->bytes + length - 1));
	return key_token(length, sequence_key(in->bytes + start, in->bytes + length - 1, final));
}

/* Esc O and a letter. With a number between them (old xterm, Konsole) it is no
 * known key. */
static struct token ss3_token(struct input *in, size_t start)
{
	size_t at = start;

	while (at < in->count && in->bytes[at] >= '0' && in->bytes[at] <= ';')
		at++;
	if (at == in->count)
		return open_sequence(in);
	if (in->bytes[at] < 0x20 || in->bytes[at] > 0x7E)
		return drop_bytes(at);
	if (at > start)
		return drop_bytes(at + 1);
	if (in->bytes[at] == 'c' || in->bytes[at] == 'd') /* rxvt */
		return key_token(at + 1, in->bytes[at] == 'd' ? TERM_CONTROL_LEFT : TERM_CONTROL_RIGHT);
	return key_token(at + 1, in->bytes[at] == '~' ? 0 : known_key(in->bytes[at], 0));
}

/* OSC, DCS, APC, PM and SOS are answers of the terminal. They are dropped up to
 * ST, OSC also up to BEL. */
static struct token begin_string(struct input *in, size_t start, unsigned char letter)
{
	in->mode = INPUT_STRING;
	in->ends_with_bell = letter == ']';
	in->began_ms = in->fed_ms;
	in->lead = 0;
	return drop_bytes(start);
}

static struct token read_introduced(struct input *in, size_t start, unsigned char letter)
{
	if (letter == '[')
		return csi_token(in, start);
	if (letter == 'O')
		return ss3_token(in, start);
	return begin_string(in, start, letter);
}

/* A key of this terminal. *begun: the bytes at hand may become one. */
static struct token own_key(const struct input *in, bool *begun)
{
	for (size_t i = 0; i < in->key_count; i++) {
		const struct input_key *k = &in->keys[i];
		size_t length = strlen(k->sequence);

		if (length <= in->count && !memcmp(k->sequence, in->bytes, length))
			return key_token(length, k->key);
		if (length > in->count && !memcmp(k->sequence, in->bytes, in->count))
			*begun = true;
	}
	return need_more();
}

static size_t character_length(unsigned char lead)
{
	return lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* Esc and what is no sequence. Alt and a key is nobody's: a character, Backspace. */
static struct token alt_token(const struct input *in, bool quiet)
{
	size_t length = character_length(in->bytes[1]);

	if (in->bytes[1] < ' ' && in->bytes[1] != '\b')
		return key_token(1, TERM_ESCAPE);
	for (size_t i = 1; i < length && i + 1 < in->count; i++)
		if ((in->bytes[i + 1] & 0xC0) != 0x80)
			return drop_bytes(i + 1);
	if (in->count > length)
		return drop_bytes(length + 1);
	return quiet ? drop_bytes(in->count) : need_more();
}

static struct token escape_token(struct input *in, bool quiet)
{
	bool begun = false;
	struct token t = own_key(in, &begun);
	unsigned char letter = 0;
	size_t start;

	if (t.length || (begun && !quiet))
		return t;
	if (in->count == 1)
		return quiet ? key_token(1, TERM_ESCAPE) : need_more();
	start = introducer_length(in, &letter);
	return start ? read_introduced(in, start, letter) : alt_token(in, quiet);
}

/* Characters */

static struct token character_token(const struct input *in)
{
	size_t wanted = character_length(in->bytes[0]), length;
	uint32_t code = 0;

	/* Whole, or already broken: the bytes that follow are no continuation. */
	for (size_t i = 1; i < wanted && i < in->count; i++)
		if ((in->bytes[i] & 0xC0) != 0x80)
			return drop_bytes(i);
	if (in->count < wanted)
		return need_more();
	length = utf8_decode((const char *)in->bytes, in->count, &code);
	return length && code >= 0xA0 ? key_token(length, code) : drop_bytes(length ? length : 1);
}

/* Drops the rest of a CSI sequence that is longer than INPUT_SIZE. */
static struct token skip_token(struct input *in)
{
	unsigned char first = in->bytes[0];

	if (first < 0x20 || first > 0x3F)
		in->mode = INPUT_READS;
	return drop_bytes(first >= 0x20 && first <= 0x7E);
}

/* ST as one byte ends the string, unless the byte is part of a UTF-8 character. */
static bool ends_string(struct input *in, unsigned char byte)
{
	bool within = in->lead && (byte & 0xC0) == 0x80;

	if (byte == STRING_END && (!within || in->lead == 0xC2))
		return true;
	in->left = within ? in->left - 1 : (int)character_length(byte) - 1;
	in->lead = !within ? byte : in->lead;
	if (!in->left)
		in->lead = 0;
	return byte == CANCEL || byte == SUBSTITUTE || (byte == BELL && in->ends_with_bell);
}

/* Drops bytes of a string up to its end. An Esc that does not begin ST ends the
 * string, and begins something else. */
static struct token string_token(struct input *in)
{
	size_t at = 0;

	while (at < in->count && in->bytes[at] != TERM_ESCAPE)
		if (ends_string(in, in->bytes[at++])) {
			in->mode = INPUT_READS;
			return drop_bytes(at);
		}
	if (at || in->count < 2)
		return drop_bytes(at);
	in->mode = INPUT_READS;
	return drop_bytes(in->bytes[1] == '\\' ? 2 : 0);
}

/* In pasted text there are no keys, and the only sequence is its end. */
static struct token paste_token(struct input *in)
{
	unsigned char letter = 0, first = in->bytes[0];
	size_t start = introducer_length(in, &letter), end = sizeof(paste_end) - 1, have = in->count - start;
	struct token t;

	if ((first == TERM_ESCAPE || first == 0xC2) && in->count == 1)
		return need_more();
	if (start && letter == '[' && !memcmp(in->bytes + start, paste_end, have < end ? have : end)) {
		if (have < end)
			return need_more();
		in->mode = INPUT_READS;
		return (struct token){ start + end, { .kind = TERM_PASTE } };
	}
	t = first >= 0x80 ? character_token(in) : key_token(1, first);
	if (t.event.kind == TERM_KEY)
		t.event.kind = in->pasted++ < INPUT_PASTED ? TERM_PASTE : TERM_NOTHING;
	return t;
}

static struct token read_token(struct input *in, bool quiet)
{
	unsigned char first = in->bytes[0], letter = 0;
	size_t start;

	if (first == TERM_ESCAPE)
		return escape_token(in, quiet);
	start = introducer_length(in, &letter);
	if (start)
		return read_introduced(in, start, letter);
	if (first == 8 || first == 127)
		return key_token(1, TERM_BACKSPACE);
	return first < 0x80 ? key_token(1, first) : character_token(in);
}

/* If the length is 0 and the mode is the same as before, more bytes must come. */
static struct token next_token(struct input *in, bool quiet)
{
	switch (in->mode) {
	case INPUT_SKIPS:
		return skip_token(in);
	case INPUT_STRING:
		return string_token(in);
	case INPUT_PASTES:
		return paste_token(in);
	case INPUT_READS:
		break;
	}
	return read_token(in, quiet);
}

/* The stream */

void input_add_key(struct input *in, const char *sequence, uint32_t key)
{
	size_t length = sequence ? strlen(sequence) : 0;

	if (length < 2 || length >= INPUT_KEY_SIZE || sequence[0] != TERM_ESCAPE || in->key_count == INPUT_KEYS)
		return;
	memcpy(in->keys[in->key_count].sequence, sequence, length + 1);
	in->keys[in->key_count++].key = key;
}

size_t input_room(const struct input *in)
{
	return INPUT_SIZE - in->count;
}

void input_feed(struct input *in, const void *bytes, size_t count, int64_t now_ms)
{
	if (count > input_room(in))
		count = input_room(in);
	memcpy(in->bytes + in->count, bytes, count);
	in->count += count;
	in->fed_ms = now_ms;
	if (count > 1)
		in->began_ms = now_ms; /* nobody types several bytes at once: the string goes on */
}

/* The silence that ends the mode. */
static int64_t mode_ms(const struct input *in)
{
	if (in->mode == INPUT_PASTES)
		return PASTE_MS;
	return in->mode == INPUT_STRING && in->fed_ms - in->began_ms >= STRING_LONG_MS ? INPUT_ESCAPE_MS : SEQUENCE_MS;
}

/* Ends a mode whose end did not come. Returns true if that makes an event. */
static bool give_up_mode(struct input *in, struct term_event *event)
{
	bool pasted = in->mode == INPUT_PASTES;

	in->mode = INPUT_READS;
	if (pasted)
		*event = (struct term_event){ .kind = TERM_PASTE };
	return pasted;
}

bool input_next(struct input *in, int64_t silence_ms, struct term_event *event)
{
	if (in->mode != INPUT_READS && silence_ms >= mode_ms(in) && give_up_mode(in, event))
		return true;
	while (in->count) {
		enum input_mode before = in->mode;
		struct token t = next_token(in, silence_ms >= INPUT_ESCAPE_MS);

		if (!t.length && in->mode == before) {
			if (before != INPUT_READS || silence_ms < SEQUENCE_MS)
				return false;
			t = drop_bytes(in->count);
		}
		in->count -= t.length;
		memmove(in->bytes, in->bytes + t.length, in->count);
		if (t.event.kind != TERM_NOTHING) {
			*event = t.event;
			return true;
		}
	}
	return false;
}

int64_t input_decides_ms(const struct input *in)
{
	unsigned char letter;

	if (in->mode != INPUT_READS)
		return in->fed_ms + mode_ms(in);
	if (!in->count)
		return INT64_MAX;
	return in->fed_ms + (*in->bytes != TERM_ESCAPE || introducer_length(in, &letter) ? SEQUENCE_MS : INPUT_ESCAPE_MS);
}

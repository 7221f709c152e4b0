/* SPDX-License-Identifier: MIT */
#include "tui/term/term_input.h"

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

/* Arrows with Shift or Ctrl, which is a second number: 1 + 1 for Shift + 2 for Alt + 4 for Ctrl. */
#define WITH_SHIFT 1
#define WITH_CONTROL 4

/* What was recognised at the start of the bytes. */
struct token {
	size_t length; /* 0: more bytes must come */
	struct term_event event;
};

static struct token need_more(void)
{
	return (struct token){ .length = 0 };
}

static struct token dropped(size_t length)
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
static struct term_event sgr_mouse(struct input *in, size_t length)
{
	const unsigned char *at = in->bytes + 3, *end = in->bytes + length - 1;
	int code = parse_number(&at, end), x = parse_number(&at, end), y = parse_number(&at, end);

	if (code < 0 || at != end)
		return (struct term_event){ .kind = TERM_NOTHING };
	return mouse_event(in, code, *end == 'm', x, y);
}

/* Esc [ M and three bytes, each 32 above its value. */
static struct token old_mouse(struct input *in)
{
	struct token t = { .length = 6 };

	if (in->count < 6)
		return need_more();
	if (in->bytes[3] >= 32)
		t.event = mouse_event(in, in->bytes[3] - 32, false, in->bytes[4] - 32, in->bytes[5] - 32);
	return t;
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

/* Bytes of a CSI sequence up to its last; 0: it goes on. What cannot stand in one breaks it off. */
static size_t sequence_length(const struct input *in, bool *broken)
{
	for (size_t i = 2; i < in->count; i++) {
		if (in->bytes[i] >= 0x20 && in->bytes[i] <= 0x3F)
			continue;
		*broken = in->bytes[i] < 0x40 || in->bytes[i] > 0x7E;
		return *broken ? i : i + 1;
	}
	return 0;
}

static struct token open_sequence(struct input *in, bool quiet)
{
	if (in->count == 2 && quiet)
		return key_token(1, TERM_ESCAPE);
	if (in->count < INPUT_SIZE)
		return need_more();
	in->skipping = true;
	return dropped(in->count);
}

static struct token csi_token(struct input *in, bool quiet)
{
	const unsigned char *at = in->bytes + 2;
	bool broken = false;
	size_t length = sequence_length(in, &broken);
	unsigned char final = length ? in->bytes[length - 1] : 0;
	int number;

	if (!length)
		return open_sequence(in, quiet);
	if (broken)
		return dropped(length);
	if (final == 'M' && length == 3)
		return old_mouse(in);
	if (final == '[' && length == 3) /* function keys of the Linux console: one byte more */
		return in->count < 4 ? need_more() : dropped(4);
	if (in->bytes[2] == '<' && (final == 'M' || final == 'm'))
		return (struct token){ length, sgr_mouse(in, length) };
	if (length > 3 && (in->bytes[2] > '9' || final == 'c' || final == 'd')) /* answers of terminals among them */
		return dropped(length);
	number = parse_number(&at, in->bytes + length);
	return key_token(length, modified_key(known_key(final, number), parse_number(&at, in->bytes + length)));
}

static struct token ss3_token(const struct input *in, bool quiet)
{
	if (in->count < 3)
		return quiet ? key_token(1, TERM_ESCAPE) : need_more();
	if (in->bytes[2] < 0x20 || in->bytes[2] > 0x7E)
		return dropped(2);
	if (in->bytes[2] == 'c' || in->bytes[2] == 'd') /* rxvt */
		return key_token(3, in->bytes[2] == 'd' ? TERM_CONTROL_LEFT : TERM_CONTROL_RIGHT);
	return key_token(3, in->bytes[2] == '~' ? 0 : known_key(in->bytes[2], 0));
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
			return dropped(i + 1);
	if (in->count > length)
		return dropped(length + 1);
	return quiet ? dropped(in->count) : need_more();
}

static struct token escape_token(struct input *in, bool quiet)
{
	bool begun = false;
	struct token t = own_key(in, &begun);

	if (t.length || (begun && !quiet))
		return t;
	if (in->count == 1)
		return quiet ? key_token(1, TERM_ESCAPE) : need_more();
	if (in->bytes[1] == '[')
		return csi_token(in, quiet);
	if (in->bytes[1] == 'O')
		return ss3_token(in, quiet);
	return alt_token(in, quiet);
}

/* Characters */

static struct token character_token(const struct input *in)
{
	size_t wanted = character_length(in->bytes[0]), length;
	uint32_t code = 0;

	/* Whole, or already broken: the bytes that follow are no continuation. */
	for (size_t i = 1; i < wanted && i < in->count; i++)
		if ((in->bytes[i] & 0xC0) != 0x80)
			return dropped(i);
	if (in->count < wanted)
		return need_more();
	length = utf8_decode((const char *)in->bytes, in->count, &code);
	return length && code >= 0xA0 ? key_token(length, code) : dropped(length ? length : 1);
}

static struct token next_token(struct input *in, bool quiet)
{
	unsigned char first = in->bytes[0];

	if (in->skipping) {
		in->skipping = first >= 0x20 && first <= 0x3F;
		if (first >= 0x20 && first <= 0x7E)
			return dropped(1);
	}
	if (first == TERM_ESCAPE)
		return escape_token(in, quiet);
	if (first == 8 || first == 127)
		return key_token(1, TERM_BACKSPACE);
	return first < 0x80 ? key_token(1, first) : character_token(in);
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

void input_feed(struct input *in, const void *bytes, size_t count)
{
	if (count > input_room(in))
		count = input_room(in);
	memcpy(in->bytes + in->count, bytes, count);
	in->count += count;
}

bool input_next(struct input *in, bool quiet, struct term_event *event)
{
	while (in->count) {
		struct token t = next_token(in, quiet);

		if (!t.length)
			return false;
		in->count -= t.length;
		memmove(in->bytes, in->bytes + t.length, in->count);
		if (t.event.kind != TERM_NOTHING) {
			*event = t.event;
			return true;
		}
	}
	return false;
}

bool input_is_open(const struct input *in)
{
	return in->count && in->bytes[0] == TERM_ESCAPE && in->count <= 2;
}

/* SPDX-License-Identifier: MIT */
#include "io/foreign/foreign.h"

#include <stdarg.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"

#define PIECES_A_LOOK 1024

bool foreign_goes_on(struct foreign *t)
{
	if (++t->done % PIECES_A_LOOK == 0 && t->goes_on && !t->stopped)
		t->stopped = !t->goes_on(t->context, t->done, t->all);
	return !t->stopped;
}

void foreign_say(struct foreign *t, const char *format, ...)
{
	size_t length = strlen(t->said);
	va_list arguments;

	va_start(arguments, format);
	length += (size_t)snprintf(t->said + length, sizeof(t->said) - length, "%s", length ? "; " : "");
	if (length < sizeof(t->said))
		vsnprintf(t->said + length, sizeof(t->said) - length, format, arguments);
	va_end(arguments);
}

void foreign_say_count(struct foreign *t, uint64_t count, const char *one, const char *many)
{
	if (count)
		foreign_say(t, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}

/* Whether a file of this kind can hold the character. n is 0 if the bytes are not UTF-8: then code is one byte. */
static bool can_hold(enum foreign_text_kind kind, size_t n, uint32_t code)
{
	bool control = n && (code < 0x20 || (code >= 0x7F && code < 0xA0));

	switch (kind) {
	case TEXT_BYTES:
		return true;
	case TEXT_UTF8:
		return n;
	case TEXT_LINE:
		return !control;
	case TEXT_STACK:
		return !control && !(n && code == ';');
	case TEXT_SHOWN:
		return n && code_visible(code);
	}
	return false;
}

char *foreign_names_text(struct foreign_names *n, const char *bytes)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t length = strlen(bytes);
	char *text = length > SIZE_MAX / 4 - 1 ? NULL : malloc(length * 4 + 1), *out = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i < length;) {
		uint32_t code = 0;
		size_t valid = utf8_decode(bytes + i, length - i, &code), end = i + (valid ? valid : 1);

		for (bool held = can_hold(n->kind, valid, code); i < end; i++) {
			unsigned char byte = (unsigned char)bytes[i];

			n->changed |= !held;
			if (held)
				*out++ = bytes[i];
			else
				out += sprintf(out, "\\x%c%c", digits[byte >> 4], digits[byte & 15]);
		}
	}
	*out = '\0';
	return text;
}

static char *zone_text(struct foreign_names *n, uint32_t index)
{
	const struct profile_zone *zone = &n->p->zones[index];
	char *name, *text;

	if (!profile_name_clashes(n->p, index) || !*zone->file)
		return foreign_names_text(n, zone->name);
	if (asprintf(&name, "%s (%s:%u)", zone->name, zone->file, zone->line) < 0)
		return NULL;
	text = foreign_names_text(n, name);
	free(name);
	return text;
}

bool foreign_names_init(struct foreign_names *n, const struct profile *p, enum foreign_text_kind kind)
{
	*n = (struct foreign_names){ .p = p, .kind = kind };
	n->zones = array_zeroed(p->zone_count, sizeof(*n->zones));
	for (uint32_t i = 0; n->zones && i < p->zone_count; i++) {
		n->zones[i] = zone_text(n, i);
		if (!n->zones[i]) {
			foreign_names_fini(n);
			return false;
		}
	}
	return n->zones;
}

void foreign_names_fini(struct foreign_names *n)
{
	for (uint32_t i = 0; n->zones && i < n->p->zone_count; i++)
		free(n->zones[i]);
	free(n->zones);
	n->zones = NULL;
}

char *foreign_names_thread(struct foreign_names *n, uint32_t thread)
{
	const struct profile_thread *t = &n->p->threads[thread];
	char *name;

	if (*t->name)
		return foreign_names_text(n, t->name);
	return asprintf(&name, "thread %llu", (unsigned long long)t->id) < 0 ? NULL : name;
}

void foreign_say_names(struct foreign *t, const struct foreign_names *n)
{
	if (n->changed)
		foreign_say(t, n->kind == TEXT_UTF8 ? "bytes that are not UTF-8 appear as \\xNN in names"
						  : "bytes that names cannot contain appear as \\xNN");
}

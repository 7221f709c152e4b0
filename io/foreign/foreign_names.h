/* SPDX-License-Identifier: MIT */
/*
 * foreign_names: names of the program as a format can hold them.
 *
 * They are its bytes. Those that the format cannot hold become `\xNN`, which is said. Where several zones have one name,
 * their places stand behind it: `load (ui/load.c:7)`.
 */
#ifndef IO_FOREIGN_NAMES_H
#define IO_FOREIGN_NAMES_H

#include "io/foreign/foreign.h"

enum foreign_text_kind {
	TEXT_BYTES, /* whatever they are, but for NUL */
	TEXT_UTF8,  /* valid UTF-8, for formats with escapes of their own */
	TEXT_LINE,  /* any bytes on one line: no controls */
	TEXT_STACK, /* likewise without a ; */
};

struct foreign_names {
	const struct profile *p;
	enum foreign_text_kind kind;
	char **zones;     /* by zone */
	bool changed; /* a name is not as it was */
};

/* Of all zones. False: out of memory. */
bool foreign_names_init(struct foreign_names *n, const struct profile *p, enum foreign_text_kind kind);
void foreign_names_fini(struct foreign_names *n);

/* Any other name. Caller frees; NULL: out of memory. */
char *foreign_names_text(struct foreign_names *n, const char *bytes);

/* A thread's: `main`, or `thread 7` if it has none. */
char *foreign_names_thread(struct foreign_names *n, uint32_t thread);

void foreign_say_names(struct foreign *t, const struct foreign_names *n);

#endif

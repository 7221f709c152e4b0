/* SPDX-License-Identifier: MIT */
/*
 * proftop_import: traces of other programs as the options say, how far their conversion is, and what was wrong in them.
 */
#ifndef PROFTOP_IMPORT_H
#define PROFTOP_IMPORT_H

#include "io/import/import.h"
#include "io/page/page.h"
#include "proftop/options.h"

/* If the conversion takes more than a second and stderr is a terminal, reports
 * print its progress there; the screen does not. A signal that ends proftop
 * also ends the conversion, and nothing is reported. The result is valid as
 * long as `o`. */
const struct import_options *importing_options(const struct options *o, bool screen);

/* How far it is: `read: 43 % of 2000 MB`. False: nothing was read yet. */
bool importing_what(char *out, size_t size);

/* Says what was wrong in the file, if it was one: how much, and with --anomalies what, and where. */
void importing_tell(const struct source *s);

/* The same for a page: how often each kind of it was there. */
uint32_t importing_remarks(const struct source *s, struct page_remark out[ANOMALIES]);

/* False: nothing in the file has the name by which it was to be split into frames, and that is said. Says as well where proftop
 * made the frames. */
bool importing_has_frames(const struct source *s);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * roff: text for a manual page.
 */
#ifndef TUI_ROFF_H
#define TUI_ROFF_H

#include <stdio.h>

/* Writes it so that it reads in the page as it is here: dashes are no hyphens, `x' is a quotation, and
 * nothing begins a request. */
void roff_text(const char *text, FILE *out);

#endif

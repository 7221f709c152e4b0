/* SPDX-License-Identifier: MIT */
/*
 * help: what proftop says of itself. All of it returns an exit status.
 */
#ifndef PROFTOP_HELP_H
#define PROFTOP_HELP_H

#include "proftop/options.h"

/* -h, --help=roff, --help=keys. */
int help_print(const struct options *o);

/* -s help: the names of the columns. */
int help_sort_keys(void);

/* proftop export help: the kinds of files. */
int help_exports(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * settings: options of the screen as text that a user can edit: a line `name = value` each, and behind a #
 * what is for readers.
 *
 * The table of options says which settings there are.
 */
#ifndef PROFTOP_SETTINGS_H
#define PROFTOP_SETTINGS_H

#include "proftop/options.h"

#define SETTINGS_WHY_SIZE 256

/* What is wrong with a text. */
struct settings_fault {
	unsigned line; /* the first line with something wrong, from 1; 0: nothing is */
	unsigned more; /* further ones */
	char why[SETTINGS_WHY_SIZE]; /* safe to show */
};

/* Takes all lines that can be understood. */
void settings_parse(struct options *o, const char *text, struct settings_fault *fault);

/* The text with the options as they are now: lines that set one have the new value, what else stands there
 * stays, what is missing is added with a word on what it is. `before` may be "". Caller frees; NULL: out of
 * memory. */
char *settings_text(const struct options *o, const char *before);

/* The list for proftop.conf.5. */
void settings_roff(FILE *out);

/*
 * The file of the settings is $XDG_CONFIG_HOME/proftop/config, or ~/.config/proftop/config, or the one that the user
 * names.
 *
 * A file that belongs to neither the user nor root, or that everybody can write, is not the user's word, and is
 * not read. It is written only when the user asks for that, into a new file that then takes the place of the old
 * one: nobody ever finds half of it.
 */

/* The path of `name` in the user's folder that `variable` names, or in the folder `usual` of the home. False: there is no
 * such place, or the path is too long. */
bool settings_place(const char *variable, const char *usual, const char *name, char *path, size_t size);

/* Takes what the file says (NULL: the usual one) into the options. False: `said` is what is wrong with it, a
 * sentence that is safe to show; what could be understood is taken. That there is no usual file is right. */
bool settings_read(struct options *o, const char *file, char *said, size_t said_size);

/* Writes them there; `said` says where, or if it returns false why not. */
bool settings_save(const struct options *o, const char *file, char *said, size_t said_size);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * settings_file: where the settings are kept: $XDG_CONFIG_HOME/proftop/config, or ~/.config/proftop/config,
 * or where the user says.
 *
 * What belongs to neither the user nor root, or can be written by everybody, is not the user's word, and is
 * not read. It is written only when the user asks for that, into a new file that then takes the place of the
 * old one: nobody ever finds half of it.
 */
#ifndef PROFTOP_SETTINGS_FILE_H
#define PROFTOP_SETTINGS_FILE_H

#include "proftop/options.h"

/* Takes what the file says (NULL: the usual one) into the options. False: `said` is what is wrong with it, a
 * sentence that is safe to show; what could be understood is taken. That there is no usual file is right. */
bool settings_read(struct options *o, const char *file, char *said, size_t said_size);

/* Writes them there; `said` says where, or if it returns false why not. */
bool settings_save(const struct options *o, const char *file, char *said, size_t said_size);

#endif

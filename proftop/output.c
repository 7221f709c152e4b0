/* SPDX-License-Identifier: MIT */
/*
 * output: stdout as a place for reports: how wide, how coloured, in which alphabet, and whether all
 * arrived there.
 */
#include "proftop/output.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "proftop/messages.h"

#define WIDTH_ELSEWHERE 100 /* cells, where there is no terminal */

bool output_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

uint32_t output_width(void)
{
	const char *columns = getenv("COLUMNS");
	long given = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (given > 0 && given < 100000)
		return (uint32_t)given;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return WIDTH_ELSEWHERE;
}

int output_colours(const struct options *o)
{
	static const int counts[COLOUR_CHOICES] = { [COLOUR_8] = 8, [COLOUR_16] = 16,
						    [COLOUR_256] = 256 };
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->colour != COLOUR_AUTO)
		return counts[o->colour];
	if (!isatty(STDOUT_FILENO) || (none && *none) || !term || !strcmp(term, "dumb"))
		return 0;
	return strstr(term, "256color") ? 256 : 8;
}

bool output_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(fd, text, length);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			text += n;
			length -= (size_t)n;
		}
	}
	return true;
}

int output_failed(int error)
{
	say("the output could not be written: %s", strerror(error));
	return EXIT_FAILED;
}

int output_finish(bool written)
{
	int before = ferror(stdout) ? errno : 0, error; /* of a write that failed while there was more to come */

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout) && written)
		return EXIT_DONE;
	error = errno ? errno : before;
	if (error == EPIPE)
		return EXIT_DONE;
	return output_failed(error ? error : ENOMEM);
}

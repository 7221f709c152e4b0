/* sentence.h: an errno in words.
 *
 * strerror_r of glibc returns them, and may leave `text` alone; that of POSIX, which musl has, writes them there.
 */
#ifndef SHM_SENTENCE_H
#define SHM_SENTENCE_H

#include <string.h>

static inline const char *sentence_of(int error, char *text, size_t size)
{
#ifdef __GLIBC__
	return strerror_r(error, text, size);
#else
	return strerror_r(error, text, size) == 0 ? text : "";
#endif
}

#endif

/* pages.h: memory in somebody else's program. */
#ifndef SHM_PAGES_H
#define SHM_PAGES_H

#include <stddef.h>

/* As mmap, readable and writable, but never locked in memory: a program that locks all that comes (mlockall) may not be
 * allowed so much more, and would have to take all of it at once.  NULL: errno. */
void *pages_map(size_t size, int flags, int fd);

#endif

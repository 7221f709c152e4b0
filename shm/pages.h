/* pages.h: memory in somebody else's program. */
#ifndef SHM_PAGES_H
#define SHM_PAGES_H

#include <sys/mman.h>
#include <unistd.h>

/* As mmap, readable and writable, but never locked in memory: a program that locks all that comes (mlockall) may not be
 * allowed so much more, and would have to take all of it at once.  So a mapping begins as one page, which may be locked;
 * what is locked no more grows as it is.  NULL: errno. */
static inline void *pages_map(size_t size, int flags, int fd)
{
#if defined(__SANITIZE_THREAD__)
	/* ThreadSanitizer knows mmap, but not mremap: the new owner of an address would seem to race the old one. */
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);

	return map == MAP_FAILED ? NULL : map;
#else
	size_t one = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, one, PROT_READ | PROT_WRITE, flags, fd, 0), *map = page;

	if (page == MAP_FAILED)
		return NULL;
	(void)munlock(page, one); /* where it is not permitted, it is not locked, most likely */
	if (size > one)
		map = mremap(page, one, size, MREMAP_MAYMOVE);
	if (map != MAP_FAILED)
		return map;
	munmap(page, one);
	return NULL;
#endif
}

#endif

/* pages.h: memory in somebody else's program. */
#ifndef SHM_PAGES_H
#define SHM_PAGES_H

#include <sys/mman.h>
#include <unistd.h>

/* Like mmap, readable and writable, but the memory is never locked.  A program that called mlockall may not be allowed to
 * lock so much, and would get all of it at once.  So the mapping begins with one page, which may be locked.  That page is
 * unlocked, and then the mapping grows.  NULL: errno. */
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

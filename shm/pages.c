/* pages.c: a mapping that begins as one page, which may be locked; what is locked no more grows as it is. */
#include "shm/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
/* ThreadSanitizer knows mmap, but not mremap: the new owner of an address would seem to race the old one. */
void *pages_map(size_t size, int flags, int fd)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);

	return map == MAP_FAILED ? NULL : map;
}
#else
void *pages_map(size_t size, int flags, int fd)
{
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
}
#endif

/* cgroup.h: how much memory the control group leaves to the process. */
#ifndef SHM_CGROUP_H
#define SHM_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* The least limit of its control group and of those around it, of version 1 or 2, in bytes; UINT64_MAX: none is known.  Called
 * by one thread at a time. */
uint64_t cgroup_memory(void);

/* How many bytes may be taken just now, and leave an eighth of that limit to others.  Pages of files that the kernel can
 * drop are no obstacle. */
uint64_t cgroup_spare(void);

/* True if so many bytes may be taken.  After a refusal, all are refused for the rest of the second, or until
 * cgroup_freed is called.  Any thread at any time, signal handlers, too. */
bool cgroup_grants(uint64_t bytes);
void cgroup_freed(void);

#endif

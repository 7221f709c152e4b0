/* cgroup.h: how much memory the control group leaves to the process. */
#ifndef SHM_CGROUP_H
#define SHM_CGROUP_H

#include <stdint.h>

/* The least limit of its control group and of those around it, of version 1 or 2, in bytes; UINT64_MAX: none is known.  Called
 * by one thread at a time. */
uint64_t cgroup_memory(void);

#endif

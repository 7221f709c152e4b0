/* guard.h: a mapping whose file may shrink under it.
 *
 * To touch a page that its file has lost is a SIGBUS.  While a mapping is guarded, the first such touch
 * puts zero pages over the lost end of the mapping, sets *hit, and the load reads zero.  The handler is
 * one for the whole process; a SIGBUS of anything else goes to the handler that was there before.  For readers only:
 * libprof does not touch signals.
 *
 * Threads: any may add and remove; a mapping is removed before it is unmapped, by the thread that reads it.
 */
#ifndef SHM_GUARD_H
#define SHM_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard;

/* Guards [base, base + size), whole pages; *hit becomes 1 at the first loss.  NULL: no memory. */
struct guard *guard_add(void *base, size_t size, volatile int *hit);
void guard_remove(struct guard *guard);

#endif

/* switch.c: recording off and on again.
 *
 * The word stands in the region, beside the epoch, so that the load at each enter costs nothing.  What that load
 * leads to when it is 0 is in zone.c; what it does to frames, in frame.c.
 */
#include "libprof/internal.h"

static _Atomic bool off; /* inherited by children, whose regions begin with it */

bool prof__switched_off(void)
{
	return atomic_load_explicit(&off, memory_order_relaxed);
}

void Prof_Enable(int on)
{
	struct process *p = prof__running();

	atomic_store_explicit(&off, !on, memory_order_relaxed);
	if (!p)
		return;
	if (!on)
		atomic_store(&p->was_off, 1);
	atomic_store(&p->shared->enabled, on ? 1 : 0);
	if (!on)
		atomic_store(&p->was_off, 1); /* a mark in between may have taken the one before for its frame */
}

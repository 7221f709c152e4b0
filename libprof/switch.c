/* switch.c: recording off and on again.
 *
 * The word that says it stands in the region.  Enter does not look at it: it compares its thread's guard with
 * prof__recording, which no guard equals while recording is off, so that it comes to the path where the word is looked
 * at, in zone.c.  What the switch does to frames is in frame.c.
 */
#include "libprof/internal.h"

static _Atomic bool off; /* inherited by children, whose regions begin with it */
uint32_t prof__recording = GUARD_READY;

bool prof__switched_off(void)
{
	return atomic_load_explicit(&off, memory_order_relaxed);
}

/* As the word says, also where two threads switch at once: whoever is the last to store looks at the word behind it. */
void prof__switch_tell(struct process *p)
{
	uint64_t enabled;

	do {
		enabled = atomic_load(&p->shared->enabled);
		__atomic_store_n(&prof__recording, enabled ? GUARD_READY : GUARD_NEVER, __ATOMIC_SEQ_CST);
	} while (atomic_load(&p->shared->enabled) != enabled);
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
	prof__switch_tell(p);
	if (!on)
		atomic_store(&p->was_off, 1); /* a mark in between may have taken the one before for its frame */
}

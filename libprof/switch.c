/* switch.c: recording off and on again.
 *
 * The word that says it stands in the region.  Enter does not look at it: it compares its thread's guard with
 * prof__recording, which no guard equals while recording is off, so that it comes to the path where the word is looked
 * at, in zone.c.  What the switch does to frames is in frame.c.
 */
#include "libprof/libprof_inside.h"

static _Atomic bool off; /* inherited by children, whose regions begin with it */
uint32_t prof__recording = GUARD_READY;

bool prof__switched_off(void)
{
	return atomic_load_explicit(&off, memory_order_relaxed);
}

/* As the word says, also where two threads switch at once: whoever is the last to store looks at the word behind it. */
static void apply_switch(struct process *p)
{
	uint64_t enabled;

	do {
		enabled = atomic_load(&p->shared->enabled);
		__atomic_store_n(&prof__recording, enabled ? GUARD_READY : GUARD_NEVER, __ATOMIC_SEQ_CST);
	} while (atomic_load(&p->shared->enabled) != enabled);
}

/* A thread that switches while the region is being made does not see the region.  So the switch is repeated once
 * prof__process is set: one of the two sees the other. */
void prof__switch_begin(struct process *p)
{
	bool is_off;

	do {
		is_off = atomic_load(&off);
		if (is_off)
			atomic_store(&p->was_off, 1);
		atomic_store(&p->shared->enabled, !is_off);
	} while (atomic_load(&off) != is_off);
	apply_switch(p);
}

void Prof_Enable(int on)
{
	atomic_store(&off, !on);
	atomic_thread_fence(memory_order_seq_cst);
	struct process *p = prof__running();
	if (!p)
		return;
	if (!on)
		atomic_store(&p->was_off, 1);
	atomic_store(&p->shared->enabled, on ? 1 : 0);
	apply_switch(p);
	if (!on)
		atomic_store(&p->was_off, 1); /* a mark in between may have taken the one before for its frame */
}

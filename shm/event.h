/* event.h: the words of an event log.
 *
 * An event is one word: what happened, and as many of the tick's low bits as there is room for.
 *
 *      63                       27 26        3 2  0
 *     +---------------------------+-----------+----+
 *     | tick, the low 37 bits     | node      |kind|   ENTER, LEAVE, SUSPEND, RESUME; END: the node that was open
 *     +-----------------+---------+-----------+----+
 *     | tick, the low 29 bits | generation    |kind|   START
 *     +-----------------------+---------------+----+
 *     | tick / 4                              |kind|   TICK: nothing happened
 *     +---------------------------------------+----+
 *      63                    35 34           3 2  0
 *
 * The tick of an event is the first one with these low bits that is not before the event in front of it.  In front of
 * the first event of a chunk stands the chunk's first word, a tick, so each chunk can be read by itself.  Where an event
 * comes so late that its bits do not tell how late, a TICK stands in front of it: so ticks are exact, however long
 * a thread was still.  A TICK is numbered as an event is.
 *
 * SUSPEND is a LEAVE of a call that is not over, RESUME an ENTER of one that began before, maybe on another thread.
 * Nothing here says which SUSPEND a RESUME goes on from.
 *
 * A kind of a later version has the tick where ENTER has it, and is read as a TICK.
 */
#ifndef SHM_EVENT_H
#define SHM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

enum region_event_kind {
	EVENT_ENTER,
	EVENT_LEAVE,
	EVENT_START,
	EVENT_END,
	EVENT_TICK,
	EVENT_SUSPEND,
	EVENT_RESUME,
	EVENT_KINDS
};

#define EVENT_KIND_BITS  3
#define EVENT_NODE_BITS  24
#define EVENT_TICK_BITS  (64 - EVENT_NODE_BITS - EVENT_KIND_BITS)
#define EVENT_START_BITS (64 - 32 - EVENT_KIND_BITS)
#define EVENT_NODES_MOST (1u << EVENT_NODE_BITS) /* of a thread: a node's number has to fit in */

/* One event, as it is read. */
struct region_event {
	int64_t tick;
	uint32_t kind; /* enum region_event_kind; anything above is damage */
	uint32_t id;   /* node; START: generation */
};

/* All of an event's word but its tick. */
static inline uint64_t event_what(enum region_event_kind kind, uint32_t node)
{
	return (uint64_t)node << EVENT_KIND_BITS | kind;
}

static inline uint64_t event_word(int64_t tick, uint64_t what)
{
	return (uint64_t)tick << (64 - EVENT_TICK_BITS) | what;
}

static inline uint64_t event_start(int64_t tick, uint32_t generation)
{
	return (uint64_t)tick << (64 - EVENT_START_BITS) | event_what(EVENT_START, generation);
}

static inline uint64_t event_tick(int64_t tick)
{
	return (uint64_t)tick >> 2 << EVENT_KIND_BITS | EVENT_TICK;
}

/* Whether so many bits tell a tick from the one before. */
static inline bool event_reaches(int64_t before, int64_t tick, unsigned bits)
{
	return ((uint64_t)tick - (uint64_t)before) >> bits == 0;
}

/* The tick with these low bits, `before` or the first one behind it. */
static inline int64_t event_tick_behind(uint64_t low, int64_t before, unsigned bits)
{
	return (int64_t)((uint64_t)before + ((low - (uint64_t)before) & ((UINT64_C(1) << bits) - 1)));
}

/* `before`: the tick of the event in front of it, or the first word of the chunk. */
static inline struct region_event event_read(uint64_t word, int64_t before)
{
	struct region_event e = { before, word & ((1u << EVENT_KIND_BITS) - 1), 0 };

	if (e.kind == EVENT_TICK) {
		e.tick = (int64_t)(word >> EVENT_KIND_BITS << 2);
	} else if (e.kind == EVENT_START) {
		e.id = (uint32_t)(word >> EVENT_KIND_BITS);
		e.tick = event_tick_behind(word >> (64 - EVENT_START_BITS), before, EVENT_START_BITS);
	} else {
		e.id = (uint32_t)(word >> EVENT_KIND_BITS) & (EVENT_NODES_MOST - 1);
		e.tick = event_tick_behind(word >> (64 - EVENT_TICK_BITS), before, EVENT_TICK_BITS);
	}
	if (e.kind >= EVENT_KINDS)
		e = (struct region_event){ e.tick, EVENT_TICK, 0 };
	return e;
}

#endif

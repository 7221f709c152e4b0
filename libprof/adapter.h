/* adapter.h: what adapters call beside prof.h.
 *
 * An adapter is a library that calls libprof on behalf of a program: it counts allocations, turns code addresses into
 * zones.  Programs do not include this, and it is not installed: it may change from one version to the next.
 *
 * As with prof.h, any thread may call at any time, signal handlers too.  Nothing fails, blocks, prints or allocates from
 * the heap.  What cannot be recorded is counted by its cause.
 */
#ifndef LIBPROF_ADAPTER_H
#define LIBPROF_ADAPTER_H

#include "libprof/prof.h"

/* ---- measures: what is counted for nodes or slices beside their time */

/* As in shm/region.h. */
enum prof__unit { prof__TICKS, prof__COUNT, prof__BYTES, prof__NS, prof__SAMPLES };
enum prof__of { prof__OF_NODE, prof__OF_SLICE };
enum prof__combine { prof__SUM, prof__MAX };
enum prof__measure_flag {
	prof__SAMPLED = 1,       /* made of samples, one each `period` ns; 0: that is not known */
	prof__ABSENT_IS_ZERO = 2 /* whatever is not said is 0: the adapter is there from the thread's start */
};

/* A measure, known by its key: the first one of a key says what it is.  libprof itself has the keys cpu, off_cpu, cpu_doubt,
 * voluntary, involuntary, faults and run_delay (cpu.c).  Static storage; the texts are copied. */
typedef struct prof__measure {
	const char *key;   /* a to z, 0 to 9 and _ */
	const char *title;
	uint32_t unit, of, combine, flags;
	int64_t period;
	uint32_t id; /* 0 until first used; accessed atomically */
	uint32_t reserved;
} prof__measure;

#define prof__MEASURES_AT_ONCE 8u

/* Adds amounts to up to prof__MEASURES_AT_ONCE measures: to the node that the calling thread is in, or to its current
 * slice.  Of a maximum the largest amount counts.  The amounts belong to the frame that runs now.  Amounts are
 * not negative: if a node's sum in a slice is, readers show that the measure is not known in this slice. */
void prof__measure_add(prof__measure *const *measures, const int64_t *amounts, unsigned count);

/* In the calling thread's current slice the measure is not known, or only in part. */
void prof__measure_unknown(prof__measure *measure);

/* ---- zones that are code addresses */

/* A file with code, as it is loaded: its path, its build id in hexadecimal digits ("": none), where it begins in memory
 * and how long it is there.  Returns its number; 0: there is no room. */
uint32_t prof__module(const char *path, const char *build, uint64_t address, uint64_t size);

/* The zone of an address, `offset` bytes behind the beginning of a module: the same pointer for the same address, as
 * Prof_Zone.  Readers show it as `file+0x1234` until they know its function. */
Prof_zone *prof__address_zone(uint32_t module, uint64_t offset);
Prof_zone *prof__known_address_zone(uint32_t module, uint64_t offset); /* NULL: it was never asked for */

#endif

/* region_ask.h: everything that a reader can ask of a region, with what has to hold of every answer.
 *
 * For regions that are damaged: the answers may be anything that shm/snapshot.h allows, and nothing else.  An
 * answer that is not allowed ends the program (assert).
 */
#ifndef TESTS_REGION_ASK_H
#define TESTS_REGION_ASK_H

#include "shm/snapshot.h"

/* Asks it all; nobody writes to the region meanwhile.  Returns how many records were delivered. */
uint64_t region_ask(struct attachment *a);

#endif

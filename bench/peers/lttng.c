/* lttng.c: a zone is two tracepoints of LTTng-UST, in a buffer of which a snapshot could be taken. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench/peers/lttng_tp.h"

#include <stddef.h>

#define ENTER(name) lttng_ust_tracepoint(bench, enter, __LINE__);
#define LEAVE       lttng_ust_tracepoint(bench, leave, __LINE__);
#include "bench/peers/zones.h"

const long peer_batch = 2000;
const struct peer_frames *peer_frames = NULL;

void peer_begin(void)
{
}

void peer_between(void)
{
}

void peer_end(void)
{
}

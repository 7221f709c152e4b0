/* lttng_tp.h: two tracepoints, where a zone begins and where it ends; in the form that lttng/tracepoint.h wants. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "bench/peers/lttng_tp.h"

#if !defined(BENCH_LTTNG_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, enter, LTTNG_UST_TP_ARGS(int, zone),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, zone, zone)))
LTTNG_UST_TRACEPOINT_EVENT(bench, leave, LTTNG_UST_TP_ARGS(int, zone),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, zone, zone)))

#endif

#include <lttng/tracepoint-event.h>

/* SPDX-License-Identifier: MIT */
/*
 * profile_inside: a profile as its own files see it; nobody else includes this. Each of them calls only
 * those above it.
 *
 *   profile_zones.c   owned texts, zones, nodes, losses
 *   measures.c        measures, their totals, and the columns of parts
 *   profile_threads.c threads
 *   profile_values.c  counters, events, notes
 *   profile_frames.c  frames, their names and their parts
 *   profile.c         new, copy, free
 */
#ifndef MODEL_PROFILE_INSIDE_H
#define MODEL_PROFILE_INSIDE_H

#include "model/base/strings.h"
#include "model/profile/profile.h"

enum measure_said { MEASURE_NOT_SAID, MEASURE_SAID, MEASURE_LACKS };

/* The amounts of the whole run of one measure. */
struct measure_totals {
	int64_t *by_node;
	uint8_t *said; /* by thread: enum measure_said */
	uint32_t node_count, node_capacity;
	uint32_t thread_count, thread_capacity;
};

/* A column behind the cells of a part. */
struct held_column {
	uint32_t measure : 31;
	uint32_t unknown : 1;
	uint32_t cell_count;
};

struct profile_store {
	uint32_t measure_capacity;
	struct measure_totals *amounts; /* by measure */
	uint32_t amounts_capacity;
	uint32_t zone_capacity, module_capacity;
	uint32_t thread_capacity;
	uint32_t node_capacity;
	uint32_t total_capacity;
	uint32_t loss_capacity;
	struct profile_frame *frames; /* the allocation: profile.frames points into it */
	uint32_t frame_capacity;
	struct strings frame_names;
	struct lookup zones_by_place;
	struct lookup zones_by_name; /* the first zone of each name */
	struct lookup threads_by_id;
	struct lookup threads_by_name; /* namesakes; also threads that were one under a name they had */
	uint32_t counter_capacity;
	uint32_t track_capacity;
	struct changes_room *rooms; /* by track: the allocation that profile_track.changes points into */
	uint32_t rooms_capacity;
	uint32_t event_capacity;
	struct profile_instant *instants; /* likewise of profile.instants */
	uint32_t instant_capacity;
	struct lookup counters_by_name;
	struct lookup events_by_name;
};

struct changes_room {
	struct profile_change *room;
	uint32_t capacity;
};

/* The next node. */
uint32_t profile_append_node(struct profile *p, uint32_t parent, uint32_t zone, uint32_t thread);

bool profile_add_core_measures(struct profile *p);
/* p has none yet. False: out of memory; what there is by then is freed with p. */
bool profile_copy_measures(struct profile *p, const struct profile *from);
void profile_free_measures(struct profile *p);

/* The bytes of the cells of a part, with its columns; and of those that it is to have, when it has the counts. */
size_t profile_cells_size(const struct profile_held *part);
size_t profile_cells_size_for(const struct profile_held *part, const struct profile_part *given);
bool profile_columns_fit(const struct profile *p, const struct profile_part *given);
void profile_put_columns(const struct profile *p, struct profile_held *part, const struct profile_part *given);

/* One more profile has the parts of the frame, or one has them no longer. */
void profile_frame_share(struct profile_frame *frame);
void profile_frame_leave(struct profile_frame *frame);

/* Drops changes and events older than `tick`. The newest older change of each track stays, as its value still
 * holds. */
void profile_drop_values(struct profile *p, int64_t tick);

/* p has none yet. False: out of memory; what there is by then is freed with p. */
bool profile_copy_values(struct profile *p, const struct profile *from);
void profile_free_values(struct profile *p);

#endif

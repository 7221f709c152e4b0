/* SPDX-License-Identifier: MIT */
/*
 * profile_inside: a profile as its own files see it; nobody else includes this. Each of them calls only
 * those above it.
 *
 *   profile_zones.c   owned texts, zones, nodes, losses
 *   profile_threads.c threads
 *   profile_values.c  counters, events, notes
 *   profile_frames.c  frames and their parts
 *   profile.c         new, copy, free
 */
#ifndef MODEL_PROFILE_INSIDE_H
#define MODEL_PROFILE_INSIDE_H

#include "model/base/lookup.h"
#include "model/profile/profile.h"

struct profile_store {
	uint32_t zone_capacity;
	uint32_t thread_capacity;
	uint32_t node_capacity;
	uint32_t total_capacity;
	uint32_t loss_capacity;
	struct profile_frame *frames; /* the allocation: profile.frames points into it */
	uint32_t frame_capacity;
	uint32_t frame_name_capacity;
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

/* One more profile has the parts of the frame, or one has them no longer. */
void profile_frame_share(struct profile_frame *frame);
void profile_frame_leave(struct profile_frame *frame);

/* What is older than `tick` goes, but for the values that are kept from there on. */
void profile_drop_values(struct profile *p, int64_t tick);
/* frame_names.c */
bool profile_copy_frame_names(struct profile *p, const struct profile *from);
void profile_free_frame_names(struct profile *p);

/* p has none yet. False: out of memory; what there is by then is freed with p. */
bool profile_copy_values(struct profile *p, const struct profile *from);
void profile_free_values(struct profile *p);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * frame_names: what the program called its frames (Prof_Frame_Begin): a few words in most programs, and a new one for
 * each frame in others. A name is held as long as a frame that is held has it, and its bytes count with those of frames.
 * A frame has the number of its name, which is given to another one when the name is gone.
 */
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_inside.h"

#include "model/base/array.h"

#define NAMES_MOST ((UINT32_C(1) << 24) - 1) /* what profile_frame.name has bits for */

/* What a name takes at most of arrays that double their size. */
#define NAME_BYTES (2 * sizeof(struct frame_name) + 4 * sizeof(struct lookup_slot))

static uint64_t name_bytes(const struct frame_name *name)
{
	return NAME_BYTES + PROFILE_PIECE(strlen(name->text) + 1);
}

/* The place for one more, with no text: one that a name has left, or behind all others. False: there is none. */
static bool find_place(struct frame_names *n, uint32_t *place)
{
	if (n->left) {
		*place = n->left - 1;
		return true;
	}
	*place = n->count;
	return n->count < NAMES_MOST &&
	       array_reserve(&n->names, &n->capacity, (uint64_t)n->count + 1, sizeof(*n->names));
}

/* The number of a new name, from 1; 0: there is no memory for it. */
static uint32_t add_name(struct profile *p, const char *text, uint32_t hash)
{
	struct frame_names *n = &p->store->frame_names;
	char *copy = strdup(text);
	uint32_t place;

	if (!copy || !find_place(n, &place) || !lookup_reserve(&n->by_text)) {
		free(copy);
		return 0;
	}
	if (place == n->count)
		n->count++;
	else
		n->left = n->names[place].users;
	n->names[place] = (struct frame_name){ .text = copy, .hash = hash };
	lookup_add(&n->by_text, hash, place);
	p->held_bytes += name_bytes(&n->names[place]);
	p->frame_name_count++;
	return place + 1;
}

static bool same_text(const void *context, uint32_t index, const void *text)
{
	const struct frame_names *n = context;

	return !strcmp(n->names[index].text, text);
}

/* Most frames have the name of the one before. */
static uint32_t number_of(struct profile *p, const char *text, uint32_t likely)
{
	struct frame_names *n = &p->store->frame_names;
	uint32_t hash, found;

	if (likely && !strcmp(n->names[likely - 1].text, text))
		return likely;
	hash = lookup_hash(0, text, strlen(text));
	found = lookup_find(&n->by_text, hash, same_text, n, text);
	return found != LOOKUP_NONE ? found + 1 : add_name(p, text, hash);
}

static void remove_name(struct profile *p, uint32_t number)
{
	struct frame_names *n = &p->store->frame_names;
	struct frame_name *name = &n->names[number - 1];

	lookup_remove(&n->by_text, name->hash, number - 1);
	p->held_bytes -= name_bytes(name);
	p->frame_name_count--;
	free(name->text);
	*name = (struct frame_name){ .users = n->left };
	n->left = number;
}

void profile_unname_frame(struct profile *p, struct profile_frame *frame)
{
	uint32_t number = frame->name;

	frame->name = 0;
	if (number && --p->store->frame_names.names[number - 1].users == 0)
		remove_name(p, number);
}

void profile_name_frame(struct profile *p, const char *name)
{
	struct profile_frame *newest = p->frame_count ? &p->frames[p->frame_count - 1] : NULL;
	uint32_t number;

	if (!newest)
		return;
	number = *name ? number_of(p, name, p->frame_count > 1 ? newest[-1].name : 0) : 0;
	if (number)
		p->store->frame_names.names[number - 1].users++;
	profile_unname_frame(p, newest);
	newest->name = number & NAMES_MOST;
}

const char *profile_frame_name(const struct profile *p, const struct profile_frame *frame)
{
	return frame->name ? p->store->frame_names.names[frame->name - 1].text : "";
}

uint64_t profile_frame_name_bytes(const struct profile *p, const struct profile_frame *frame)
{
	const struct frame_name *name = frame->name ? &p->store->frame_names.names[frame->name - 1] : NULL;

	return name ? name_bytes(name) / name->users : 0;
}

bool profile_copy_frame_names(struct profile *p, const struct profile *from)
{
	const struct frame_names *old = &from->store->frame_names;
	struct frame_names *n = &p->store->frame_names;

	if (!array_reserve(&n->names, &n->capacity, old->count, sizeof(*n->names)))
		return false;
	for (; n->count < old->count; n->count++) {
		struct frame_name *name = &n->names[n->count];

		*name = old->names[n->count];
		if (name->text)
			name->text = strdup(name->text);
		if (old->names[n->count].text && !name->text)
			return false;
	}
	n->left = old->left;
	p->frame_name_count = from->frame_name_count;
	return lookup_copy(&n->by_text, &old->by_text);
}

void profile_free_frame_names(struct profile *p)
{
	struct frame_names *n = p->store ? &p->store->frame_names : NULL;

	for (uint32_t i = 0; n && i < n->count; i++)
		free(n->names[i].text);
	if (!n)
		return;
	free(n->names);
	lookup_fini(&n->by_text);
}

/* SPDX-License-Identifier: MIT */
#include "model/base/share.h"

#include "model/base/array.h"
#include "model/base/search.h"

bool share_init(struct share *s, uint32_t kinds)
{
	*s = (struct share){ array_zeroed(kinds, sizeof(*s->counts)), kinds };
	return s->counts;
}

void share_fini(struct share *s)
{
	free(s->counts);
	s->counts = NULL;
}

/* How many stay if none has more than `most`. */
static uint64_t count_staying(const struct share *s, uint32_t most)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->kinds; i++)
		sum += s->counts[i] < most ? s->counts[i] : most;
	return sum;
}

void share_room(struct share *s, uint32_t room)
{
	uint32_t most = SEARCH(i, 0, room, count_staying(s, i + 1) <= room);

	for (uint32_t i = 0; i < s->kinds; i++)
		s->counts[i] -= s->counts[i] < most ? s->counts[i] : most;
}

/* SPDX-License-Identifier: MIT */
#include "tui/frames/no_frames.h"

#include <stdio.h>

const char *no_frames_why(const struct profile *p, char *out, size_t size)
{
	unsigned long long ended = p->frames_ended;

	if (p->left_out_frames)
		snprintf(out, size, "%llu ended, and --only-slow left them out of the recording", ended);
	else if (ended)
		snprintf(out, size, "%llu ended, and none of them is held", ended);
	else
		snprintf(out, size, "%s", NO_FRAMES_UNMARKED);
	return out;
}

static bool may_come(const struct profile *p)
{
	return !p || p->process.state == PROFILE_LIVE;
}

void no_frames_text(const struct profile *p, char out[NO_FRAMES_SIZE])
{
	char why[NO_FRAMES_SIZE - sizeof("no frames: ")];

	if (may_come(p))
		snprintf(out, NO_FRAMES_SIZE, "no frames yet");
	else
		snprintf(out, NO_FRAMES_SIZE, "no frames: %s", no_frames_why(p, why, sizeof(why)));
}

const char *no_frames_short(const struct profile *p)
{
	if (may_come(p))
		return "no frames yet";
	if (p->left_out_frames)
		return "all frames left out";
	return p->frames_ended ? "no frames held" : "no frames marked";
}

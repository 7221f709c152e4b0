/* SPDX-License-Identifier: MIT */
#include "io/source.h"

#include <stdio.h>

enum source_result source_renew(struct source *s)
{
	if (source_reset(s))
		return source_next(s);
	snprintf(s->why, sizeof(s->why), "out of memory");
	return SOURCE_BAD;
}

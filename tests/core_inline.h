/* core_inline.h: a zone in a function that several files include: one place, so one zone. */
#ifndef TESTS_CORE_INLINE_H
#define TESTS_CORE_INLINE_H

#include <prof.h>

static inline void included(void)
{
	Prof(included);
}

#endif

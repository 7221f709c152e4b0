/* core_throw.cpp: a module whose exceptions, and whose thread's end, leave scopes. */
#include <pthread.h>
#include <prof.h>

namespace {

struct Thrown {
	int level;
};

void descend(int level, int bottom)
{
	Prof(throwing);
	Prof_Named("a named scope");
	if (level == bottom)
		throw Thrown{ level };
	descend(level + 1, bottom);
}

void *end_in_scope(void *unused)
{
	Prof(ended_in);
	pthread_exit(unused);
}

} /* namespace */

/* Throws `times` times out of 2 x levels scopes; returns how many were caught. */
extern "C" int throw_run(int times, int levels);
extern "C" int throw_run(int times, int levels)
{
	int caught = 0;

	for (int i = 0; i < times; i++) {
		Prof(trying);
		try {
			descend(1, levels);
		} catch (const Thrown &thrown) {
			Prof(catching);
			caught += thrown.level == levels;
		}
	}
	return caught;
}

/* A thread that pthread_exit takes out of a scope. */
extern "C" int throw_thread(void);
extern "C" int throw_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, nullptr, end_in_scope, nullptr) == 0 && pthread_join(thread, nullptr) == 0;
}

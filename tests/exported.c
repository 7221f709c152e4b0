/* SPDX-License-Identifier: MIT */
/*
 * exported: the program that tests/proftop_export exports: names that no format likes, recursion, direct and mutual, two
 * zones of one name, two threads of one name, a thread without a zone, counters, events, notes, frames, and zones that are
 * open when it is killed.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <prof.h>

static const char *const hostile[] = {
	"a;b", "line\nfeed", "tab\there", "quote\"back\\slash", "<html>&amp;", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
	"not\xFF utf8\x80", "\033[31mred", "ends in space ", " begins", "(1) number", "7 8", "=1+1", "namespace::f(int, char)",
	"\xC2\x9B" "1m", "\xE2\x80\xAE" "bidi", "fn=(2) x", "no 12", "\r",
};

#define HOSTILE (sizeof(hostile) / sizeof(*hostile))

static void spin(int turns)
{
	for (volatile int i = 0; i < turns; i++)
		;
}

static void odd(int depth);

static void even(int depth)
{
	Prof_Begin(even)
	spin(200);
	if (depth)
		odd(depth - 1);
	Prof_End
}

static void odd(int depth)
{
	Prof_Begin(odd)
	spin(100);
	if (depth)
		even(depth - 1);
	Prof_End
}

static void again(int depth)
{
	Prof_Begin(again)
	spin(150);
	if (depth)
		again(depth - 1);
	Prof_End
}

static void twice(void)
{
	Prof_Begin(same)
	spin(50);
	Prof_End
	Prof_Begin(same)
	spin(80);
	Prof_End
}

static void *work(void *turns)
{
	Prof_Thread("worker");
	for (int i = 0; i < *(int *)turns; i++) {
		Prof_Begin(job)
		again(i % 3);
		Prof_End
	}
	Prof_Event(done);
	return NULL;
}

static void *rest(void *none)
{
	Prof_Thread("idle");
	Prof_Note("nothing to do");
	return none;
}

static void run(void *(*function)(void *), int turns)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, &turns) || pthread_join(thread, NULL))
		abort();
}

static void frame(int number)
{
	Prof_Begin(update)
	again(number % 4);
	even(number % 5);
	twice();
	for (size_t i = 0; i < HOSTILE; i++) {
		Prof_Enter(Prof_Zone(hostile[i]));
		spin(20);
		Prof_Leave();
	}
	Prof_End
	Prof_Counter_Set(enemies, number * 3 - 10);
	Prof_Counter_Set(load, number / 8.0);
	Prof_Counter_Add(spawned, 2);
	if (number % 7 == 0)
		Prof_Event(spawn);
	if (number == 5)
		Prof_Note("level \"two\"\nbegins %d", number);
	Prof_update(1);
}

int main(void)
{
	Prof_Thread("main");
	run(work, 5);
	run(work, 8);
	run(rest, 0);
	for (int i = 0; i < 30; i++)
		frame(i);
	Prof_Enter(Prof_Zone("open"));
	again(1);
	Prof_Enter(Prof_Zone("deeper"));
	spin(1000);
	return raise(SIGKILL);
}

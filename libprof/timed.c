/* timed.c: zones that say on standard error how long they took (Prof_Log).
 *
 * They work with a region, without one, and in threads that got no block of it, so a thread counts here, by
 * itself, the zones that it enters and leaves while one of them is open: its end is where the count is what it
 * was.  With a region the thread's guard is GUARD_WATCHED for so long, which leads every transition past here;
 * without one, prof__on is more than 0 as long as any thread has one open.  A program that has none open pays
 * nothing.
 *
 * A handler that comes in the middle of a change finds `busy`, and leaves all of it alone: what it enters, it
 * leaves again before it returns.
 */
#include "libprof/libprof_inside.h"

#include <errno.h>
#include <string.h>

#define DEEPEST 8    /* open at once in a thread */
#define AT_ONCE 4096 /* threads that have some open */

/* The zones of Prof_Log that a thread has open.  They are in pages, because a library has little thread-local
 * storage. */
struct timing {
	struct timed open[DEEPEST];
	uint32_t count; /* of open */
	uint32_t depth; /* zones that are open since the first of them, it too */
	bool busy;
	_Atomic bool taken;
};

static OF_THREAD struct timing *mine; /* NULL: none is open */
static struct timing *_Atomic timings;
static _Atomic uint32_t used; /* of them; those behind were never taken */

static _Atomic uint64_t lost; /* lines that could not be written; told with the next that can */

/* Nobody tells of a fork where nothing is recorded. */
enum { WIPED, ADOPTING, OURS };
static _Atomic uint32_t not_known = OURS;
static _Atomic uint32_t *_Atomic mark = &not_known; /* in memory that a fork wipes */

static void begin_change(void)
{
	mine->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
}

static void end_change(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	mine->busy = false;
}

/* The other threads that had some open are not here. */
void prof__timed_forked(void)
{
	int on = __atomic_load_n(&prof__on, __ATOMIC_RELAXED) & (PROF_ON | PROF_HELD);
	uint32_t count = atomic_load_explicit(&used, memory_order_relaxed);

	__atomic_store_n(&prof__on, mine ? on + PROF_TIMED : on, __ATOMIC_RELAXED);
	for (struct timing *t = timings; t && t < timings + count; t++)
		if (t != mine)
			atomic_store_explicit(&t->taken, false, memory_order_relaxed);
	atomic_store_explicit(mark, OURS, memory_order_release);
}

void prof__timed_unload(void)
{
	mine = NULL;
	atomic_store_explicit(&timings, NULL, memory_order_relaxed);
	atomic_store_explicit(&mark, &not_known, memory_order_relaxed);
}

/* ---- a thread's own */

static bool make_timings(void)
{
	int saved = errno;
	struct timing *none = NULL, *made = prof__inherited_pages(AT_ONCE * sizeof *made);
	_Atomic uint32_t *word;

	if (made && !atomic_compare_exchange_strong(&timings, &none, made)) {
		prof__pages_free(made); /* another thread was faster */
	} else if (made && (word = prof__pages(sizeof *word))) {
		atomic_store(word, OURS);
		atomic_store(&mark, word);
	}
	errno = saved;
	return timings;
}

static bool are_ours(void)
{
	uint32_t word = WIPED;

	if (atomic_compare_exchange_strong_explicit(mark, &word, ADOPTING, memory_order_acquire, memory_order_acquire)) {
		prof__timed_forked();
		word = OURS;
	}
	return word == OURS;
}

/* Takes one, in a change.  A handler that comes before it is `mine` takes another, and has given it back. */
static bool take_timed(void)
{
	if ((!timings && !make_timings()) || !are_ours())
		return false;
	for (uint32_t i = 0; i < AT_ONCE; i++) {
		struct timing *t = timings + i;
		if (atomic_exchange_explicit(&t->taken, true, memory_order_acquire))
			continue;
		uint32_t count = atomic_load(&used);
		while (count <= i && !atomic_compare_exchange_strong(&used, &count, i + 1))
			;
		t->count = t->depth = 0;
		t->busy = true;
		atomic_signal_fence(memory_order_seq_cst);
		mine = t;
		return true;
	}
	return false;
}

/* The last one has ended: ends the change. */
static void give_back(void)
{
	struct timing *t = mine;

	__atomic_fetch_sub(&prof__on, PROF_TIMED, __ATOMIC_RELAXED);
	mine = NULL;
	atomic_store_explicit(&t->taken, false, memory_order_release);
}

bool prof__timed_open(void)
{
	return mine != NULL;
}

void prof__timed_enter(void)
{
	if (mine && !mine->busy)
		mine->depth++;
	else if (!mine && atomic_load_explicit(mark, memory_order_relaxed) == WIPED)
		are_ours();
}

struct timed prof__timed_leave(void)
{
	struct timed ended = { 0 };

	if (!mine || mine->busy)
		return ended;
	begin_change();
	if (mine->open[mine->count - 1].at == mine->depth) {
		ended = mine->open[--mine->count];
		ended.start_ns = clock_ns(CLOCK_MONOTONIC) - ended.start_ns;
	}
	mine->depth--;
	if (mine->count)
		end_change();
	else
		give_back();
	return ended;
}

void prof__timed_drop(void)
{
	if (!mine || mine->busy)
		return;
	atomic_fetch_add_explicit(&lost, mine->count, memory_order_relaxed);
	prof__timed_gone();
}

void prof__timed_gone(void)
{
	if (mine) {
		begin_change();
		give_back();
	}
}

/* The zone's own entry is counted here; false: it is a zone like any other.  A change has begun. */
static bool open_timed(Prof_zone *zone)
{
	if (mine->count == DEEPEST) {
		mine->open[DEEPEST - 1].untold++;
		mine->depth++;
		return false;
	}
	if (!mine->count) {
		prof__thread_watch_end();
		__atomic_fetch_add(&prof__on, PROF_TIMED, __ATOMIC_RELAXED);
	}
	mine->open[mine->count++] = (struct timed){ .zone = zone, .at = ++mine->depth };
	return true;
}

/* The whole is one change: the end of a handler's zone must not be taken for the end of this one. */
void prof__log(Prof_zone *zone)
{
	struct thread *t = prof__thread;

	if (mine ? mine->busy : !take_timed()) {
		atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
		prof__enter(zone);
		return;
	}
	begin_change();
	bool timed = open_timed(zone);
	if (t && (t->guard == GUARD_READY || t->guard == GUARD_CALLING))
		t->guard = GUARD_WATCHED;
	prof__enter(zone);
	if (timed)
		mine->open[mine->count - 1].start_ns = clock_ns(CLOCK_MONOTONIC);
	end_change();
}

/* ---- the line */

static size_t put_number(char *out, uint64_t value, unsigned decimals)
{
	char digits[24];
	size_t count = 0, used = 0;

	do {
		digits[count++] = (char)('0' + value % 10);
		value /= 10;
	} while (value || count <= decimals);
	while (count) {
		out[used++] = digits[--count];
		if (count == decimals && count)
			out[used++] = '.';
	}
	return used;
}

static size_t put_text(char *out, const char *text)
{
	size_t size = strlen(text);

	memcpy(out, text, size);
	return size;
}

/* At most four or five digits, in the unit that this leaves most of them. */
static size_t put_time(char *out, uint64_t ns)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ " us", 1000 }, { " ms", 1000000 }, { " s", 1000000000 }
	};
	unsigned unit = 0;
	size_t used;

	if (ns < 1000) {
		used = put_number(out, ns, 0);
		return used + put_text(out + used, " ns");
	}
	while (unit < 2 && (ns + units[unit].ns / 20) / (units[unit].ns / 10) >= 10000)
		unit++;
	uint64_t hundredths = (ns + units[unit].ns / 200) / (units[unit].ns / 100);
	if (hundredths < 10000)
		used = put_number(out, hundredths, 2);
	else
		used = put_number(out, (ns + units[unit].ns / 20) / (units[unit].ns / 10), 1);
	return used + put_text(out + used, units[unit].name);
}

static size_t put_count(char *out, const char *before, uint64_t count, const char *behind)
{
	size_t used = put_text(out, before);

	used += put_number(out + used, count, 0);
	return used + put_text(out + used, behind);
}

void prof__timed_tell(const struct timed *ended)
{
	uint64_t before = atomic_exchange_explicit(&lost, 0, memory_order_relaxed);
	char line[1024];
	int saved = errno;
	size_t used = put_text(line, "prof: ");

	used += prof__printable(line + used, 512, ended->zone->name ? ended->zone->name : "");
	line[used++] = ' ';
	used += put_time(line + used, ended->start_ns > 0 ? (uint64_t)ended->start_ns : 0);
	if (ended->untold)
		used += put_count(line + used, " (", ended->untold, " more in it, too deep to be timed)");
	if (before)
		used += put_count(line + used, " (", before, " lines before this one were lost)");
	if (!prof__say(line, used))
		atomic_fetch_add_explicit(&lost, before + 1, memory_order_relaxed);
	errno = saved;
}

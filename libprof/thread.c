/* thread.c: a thread's block in the region, from its first zone to its end.
 *
 * Blocks lie in chunks of the arena, four in each, and stay there.  A block has one owner at a time.  When the owner ends,
 * the block keeps its tree, its log and its totals; the next owner goes on in all of them under a new generation, after what
 * was there was put aside as `ended`.  So 100,000 threads that come and go need no more than those that live at once.  Fresh blocks are
 * taken first, while few of them are used and there is room in the arena, so that threads that
 * ended keep their names; few, as each keeps its logs, too, and what they hold is missing to the others.  A thread that
 * gets no block records nothing: what it would have is counted as thread_room (zone.c, first_zone), and it tries again
 * when another thread has ended.
 *
 * A key's destructor tells that a thread ends.  Of a key behind the first 32 glibc takes memory from calloc when a thread
 * sets it first, and a thread's first zone may be that of a handler that interrupted calloc.  Then nobody sets it, and the
 * others look now and then which owners are gone.
 */
#include "libprof/transition.h"
#include "shm/seq.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

OF_THREAD struct thread *prof__thread;
OF_THREAD struct outsider prof__outsider;

/* The size of a thread's private memory without its tables: itself and its first nodes.  With the first page of
 * its tables it is 64 KiB. */
#define THREAD_BYTES 61440u
/* Where it is in them: a CPU takes a load for one of what was stored a multiple of 4096 away, and waits (2 ns a zone).  So this
 * is where in its page no block begins, and no node. */
#define THREAD_AT 2880u

/* Values of process.ended_at that are no ticks at which an owner ended. */
#define BLOCK_FRESH 0
#define BLOCK_OWNED INT64_MAX
#define BLOCK_NEVER_LIVED (BLOCK_OWNED - 1)

#define KEYS_WITHOUT_CALLOC 32 /* of a thread's own memory in glibc */

static pthread_key_t key;
static bool have_key;
static bool tells; /* of a thread's end */

/* One that was taken. */
static struct region_thread *block_of(const struct process *p, uint32_t block)
{
	uint32_t chunk = atomic_load_explicit(&p->chunk_of_blocks[block / CHUNK_BLOCKS], memory_order_relaxed);

	return (struct region_thread *)&p->chunks[chunk - 1] + block % CHUNK_BLOCKS;
}

/* Makes sure that the block has its chunk. False: there is no space. */
static bool has_chunk(struct process *p, uint32_t block)
{
	uint32_t at = block / CHUNK_BLOCKS, had = 0;
	uint32_t chunk = atomic_load_explicit(&p->chunk_of_blocks[at], memory_order_acquire);

	if (!prof__room(p, REGION_THREADS, (at + 1) * sizeof *p->block_chunks))
		return false;
	if (!chunk) {
		chunk = prof__chunk_claim(p, CHUNK_FOR_NODES, 0);
		if (!chunk)
			return false;
		memset((void *)&p->chunks[chunk - 1], 0, sizeof *p->chunks);
		if (!atomic_compare_exchange_strong_explicit(&p->chunk_of_blocks[at], &had, chunk, memory_order_acq_rel,
		                                             memory_order_acquire)) {
			prof__chunk_release(p, chunk);
			chunk = had;
		}
	}
	WORD_RELEASE(p->block_chunks[at], chunk); /* whoever gave it: it is there before `threads` says so */
	return true;
}

/* The owner of a block is in private memory.  If it were in the region alone, a foreign write there could let
 * two threads go on in one block. */
static bool own_block(struct process *p, uint32_t block, int64_t ended_at)
{
	if (!atomic_compare_exchange_strong_explicit(&p->ended_at[block], &ended_at, BLOCK_OWNED, memory_order_acquire,
	                                             memory_order_relaxed)) /* pairs with give_back */
		return false;
	region_word *state = &block_of(p, block)->state;
	WORD_STORE(*state, (BLOCK_GENERATION(WORD_LOAD(*state)) + 1) << 8 | BLOCK_CLAIMED);
	return true;
}

static uint32_t take_fresh(struct process *p, uint32_t limit)
{
	uint64_t used = WORD_LOAD(p->shared->threads);

	while (used < limit && has_chunk(p, (uint32_t)used))
		if (atomic_compare_exchange_strong_explicit(&p->shared->threads, &used, used + 1, memory_order_release,
		                                            memory_order_relaxed)) /* pairs with snapshot.c */
			return own_block(p, (uint32_t)used, BLOCK_FRESH) ? (uint32_t)used : UINT32_MAX;
	return UINT32_MAX;
}

/* The block whose owner ended first. */
static uint32_t take_ended(struct process *p)
{
	uint32_t used = (uint32_t)WORD_LOAD(p->shared->threads);

	for (int tries = 0; tries < 8; tries++) {
		uint32_t oldest = UINT32_MAX;
		int64_t least = BLOCK_OWNED;
		for (uint32_t b = 0; b < used && b < p->block_room; b++) {
			int64_t at = atomic_load_explicit(&p->ended_at[b], memory_order_relaxed);
			if (at != BLOCK_FRESH && at < least) {
				oldest = b;
				least = at;
			}
		}
		if (oldest == UINT32_MAX)
			return UINT32_MAX;
		if (own_block(p, oldest, least))
			return oldest;
	}
	return UINT32_MAX;
}

/* The last one is main's, which may come late, as are the last chunks (arena.c). */
static uint32_t take_block(struct process *p, bool is_main)
{
	if (is_main)
		atomic_store_explicit(&p->main_came, true, memory_order_relaxed);
	bool seated = atomic_load_explicit(&p->main_came, memory_order_relaxed);
	uint32_t few = p->chunk_count / 200 + 8, most = p->block_room - !seated;
	bool room = atomic_load_explicit(&p->free_count, memory_order_relaxed) > p->reserve + p->chunk_count / 16;
	uint32_t block = take_fresh(p, !room ? 0 : few < most && !is_main ? few : most); /* main begins with the region */

	if (block == UINT32_MAX)
		block = take_ended(p);
	if (block == UINT32_MAX)
		block = take_fresh(p, most);
	if (is_main && block == UINT32_MAX)
		atomic_store_explicit(&p->main_came, false, memory_order_relaxed);
	return block;
}

static void give_back(struct process *p, uint32_t block)
{
	region_word *word = &block_of(p, block)->state;
	uint64_t state = WORD_LOAD(*word);

	WORD_RELEASE(*word, (state & ~0xffull) | BLOCK_ENDED);
	atomic_store_explicit(&p->ended_at[block], max_tick(prof__ticks(p), BLOCK_FRESH + 1), memory_order_release);
}

/* Visits all threads that ended, by borrowing their blocks one by one.  A thread that found no block meanwhile
 * may look again. */
void prof__threads_ended(struct process *p, void (*visit)(struct thread *))
{
	uint32_t used = (uint32_t)WORD_LOAD(p->shared->threads);

	for (uint32_t b = 0; b < used && b < p->block_room; b++) {
		int64_t at = atomic_load_explicit(&p->ended_at[b], memory_order_relaxed);
		if (at == BLOCK_FRESH || at >= BLOCK_NEVER_LIVED ||
		    !atomic_compare_exchange_strong_explicit(&p->ended_at[b], &at, BLOCK_OWNED, memory_order_acquire,
		                                             memory_order_relaxed)) /* as own_block */
			continue;
		visit(atomic_load_explicit(&p->threads[b], memory_order_relaxed));
		atomic_store_explicit(&p->ended_at[b], at, memory_order_release);
	}
	atomic_fetch_add_explicit(&p->ended, 1, memory_order_relaxed);
}

/* Nobody ever lived in the block, and readers see none: its first owner did not get as far as a root.  The next one may
 * not either, so it is taken where there is no other. */
static void put_back(struct process *p, uint32_t block)
{
	WORD_RELEASE(block_of(p, block)->state, BLOCK_FREE);
	atomic_store_explicit(&p->ended_at[block], BLOCK_NEVER_LIVED, memory_order_release);
}

/* Puts aside what the owners before had, so that the block's totals begin anew. */
static void put_aside(struct thread *t, struct process *p)
{
	uint32_t first = t->node_count;

	for (uint32_t c = t->node_chunk; c;) {
		struct region_node_chunk *chunk = (struct region_node_chunk *)&p->chunks[c - 1];
		uint32_t in_chunk = first % CHUNK_NODES ? first % CHUNK_NODES : first ? CHUNK_NODES : 0;
		for (uint32_t i = 0; i < in_chunk; i++) {
			struct region_node *n = &chunk->nodes[i];
			WORD_STORE(chunk->ended[i].self, WORD_LOAD(n->base_self));
			WORD_STORE(chunk->ended[i].count, WORD_LOAD(n->base_count));
			WORD_STORE(chunk->ended[i].longest,
			           max_tick(WORD_LOAD(chunk->ended[i].longest), WORD_LOAD(n->run_longest)));
			WORD_STORE(n->run_longest, 0);
		}
		first -= in_chunk;
		c = first ? p->newer[c - 1] : 0; /* of node chunks: 1 + the one before */
	}
	prof__measures_put_aside(t);
	prof__cpu_put_aside(t);
}

static void set_name(struct thread *t, const char *name)
{
	uint64_t words[THREAD_NAME_SIZE / 8] = { 0 };

	memcpy(words, name, name_size(name, THREAD_NAME_SIZE - 1));
	seq_write_begin(&t->block->name_seq);
	for (unsigned i = 0; i < THREAD_NAME_SIZE / 8; i++)
		WORD_STORE(t->block->name[i], words[i]);
	seq_write_end(&t->block->name_seq);
}

/* NULL: no memory.  Where there is no room for a root, the next owner tries again. */
static struct thread *private_side(struct process *p, uint32_t block)
{
	struct thread *t = atomic_load_explicit(&p->threads[block], memory_order_relaxed);

	if (!t) {
		char *pages = prof__pages(THREAD_BYTES);
		if (!pages)
			return NULL;
		t = (struct thread *)(pages + THREAD_AT);
		t->block = block_of(p, block);
		t->block_index = block;
		t->epoch_word = &p->shared->epoch;
		t->parts = (struct word_log){ .shared = &t->block->parts, .use = CHUNK_FOR_PARTS };
		t->values = (struct word_log){ .shared = &t->block->values, .use = CHUNK_FOR_VALUES };
		for (unsigned i = 0; i < REGION_HOURS; i++)
			t->hours[i].log = (struct word_log){ .shared = &t->block->hours[i], .use = CHUNK_FOR_HOURS };
		t->pieces_from = UINT64_MAX;
		t->slab = (struct node *)(((uintptr_t)(t + 1) + 63) & ~(uintptr_t)63);
		t->slab_end = t->slab + ((uintptr_t)pages + THREAD_BYTES - (uintptr_t)t->slab) / sizeof *t->slab;
		t->listing = 1;
		t->epoch = 1;
		atomic_store_explicit(&p->threads[block], t, memory_order_release); /* pairs with in_flight of process.c */
	}
	if (!t->root && (t->current = prof__node_root(t)))
		prof__events_open(t, 0, WORD_LOAD(t->block->last));
	return t;
}

/* The first tick of this owner, behind the mark that came before. */
static int64_t begin_now(struct thread *t, struct process *p, int64_t *now)
{
	int64_t end = 0;

	for (int tries = 0; !end && tries < LAPPED_TRIES; tries++) {
		t->epoch = WORD_ACQUIRE(p->shared->epoch);
		end = prof__interval_end(p, t->epoch - 1);
	}
	clock_order();
	*now = prof__ticks(p);
	return max_tick(max_tick(*now, end + 1), WORD_LOAD(t->block->last)); /* the former owner's last */
}

/* The main thread was there when the region was made, and in no zone since: its first part begins with frame 1, as long
 * as the ring still has where that is. */
static int64_t begin_with_region(struct thread *t, struct process *p, int64_t *now)
{
	int64_t begin = t->generation == 1 ? prof__interval_end(p, 0) : 0;

	t->epoch = 1;
	clock_order();
	*now = prof__ticks(p);
	return begin;
}

static void set_start(struct thread *t, struct process *p, bool is_main)
{
	struct region_thread *block = t->block;
	int64_t now;

	t->bound = is_main ? begin_with_region(t, p, &now) : 0;
	if (!t->bound)
		t->bound = begin_now(t, p, &now);
	push_clock(t, t->bound, now);
	seq_write_begin(&block->base_seq);
	put_aside(t, p);
	WORD_STORE(t->root->shared->self, WORD_LOAD(t->root->shared->base_self) - t->bound);
	WORD_STORE(block->started, t->bound);
	WORD_STORE(block->bound, t->bound);
	WORD_STORE(block->epoch, t->epoch);
	prof__cpu_start(t);
	seq_write_end(&block->base_seq);
	t->part_event = WORD_LOAD(block->head);
	touch_node(t, t->root);
}

static void record_start(struct thread *t)
{
	uint64_t head = transition_begin(t->block);

	head = prof__events_reach(t, head, WORD_LOAD(t->block->last), t->bound, EVENT_START_BITS);
	WORD_STORE(t->block->last, t->bound);
	transition_record(t, t->block, t->root, event_start(t->bound, t->generation), head, GUARD_BUSY);
}

/* Closes the zone that is current (a thread may end inside of zones), writes the last part, and leaves
 * the block to the next owner. */
static void leave_block(struct thread *t, uint64_t head, int64_t before, int64_t now, bool jumped)
{
	struct process *p = prof__process;
	struct node *n = t->current;

	WORD_STORE(t->block->last, now);
	word_add(&n->shared->self, now);
	if (n->parent && jumped) {
		loss_add(p, LOSS_LEFT_OPEN);
		WORD_STORE(p->shared->left_open, n->zone);
	}
	for (struct node *in = n; t->skipped && in; in = in->parent)
		in->skipped = 0;
	t->skipped = 0;
	prof__part_exit(t, now);
	head = prof__events_reach(t, head, before, now, EVENT_TICK_BITS);
	transition_record(t, t->block, t->root, event_word(now, EVENT_END | n->what), head, GUARD_BUSY);
	prof__events_unkept(t);
	atomic_store_explicit(&p->owner[t->block_index], 0, memory_order_relaxed);
	give_back(p, t->block_index);
	atomic_fetch_add_explicit(&p->ended, 1, memory_order_relaxed);
}

/* ---- owners that are gone without a word */

/* A thread that died ends with its last transition: its time after that is not known.  A half-done transition
 * stays, as in thread_gone. */
static void bury_thread(struct process *p, uint32_t block)
{
	struct thread *t = atomic_load_explicit(&p->threads[block], memory_order_relaxed);
	int64_t last = WORD_LOAD(t->block->last);

	if (t->guard == GUARD_BUSY)
		return;
	t->guard = GUARD_BUSY;
	leave_block(t, transition_begin(t->block), last, last, true);
}

/* Looks which owners are gone: a thread id may be the caller's again, and with `all` each is asked for. */
static void bury_dead(struct process *p, bool all)
{
	uint32_t used = (uint32_t)WORD_LOAD(p->shared->threads), self = (uint32_t)syscall(SYS_gettid);
	uint32_t mine = prof__thread ? prof__thread->block_index : UINT32_MAX;
	pid_t pid = getpid();

	for (uint32_t b = 0; b < used && b < p->block_room; b++) {
		uint64_t owner = atomic_load_explicit(&p->owner[b], memory_order_relaxed);
		uint32_t tid = (uint32_t)owner;

		if (owner && b != mine && (tid == self || (all && syscall(SYS_tgkill, pid, tid, 0) && errno == ESRCH)) &&
		    atomic_compare_exchange_strong_explicit(&p->owner[b], &owner, 0, memory_order_acquire,
		                                            memory_order_relaxed)) /* pairs with claim_thread */
			bury_thread(p, b);
	}
	if (all)
		atomic_store_explicit(&p->buried, prof__ticks(p), memory_order_relaxed);
}

void prof__threads_look(struct process *p)
{
	int saved = errno;

	if (!tells)
		bury_dead(p, true);
	errno = saved;
}

/* ---- a thread's first zone, and its end */

static struct thread *refuse_thread(enum region_loss cause, uint64_t ended)
{
	prof__outsider.cause = (uint8_t)cause;
	prof__outsider.ended = ended;
	return NULL;
}

static struct thread *take_thread(struct process *p, uint32_t *tid)
{
	uint64_t ended = atomic_load_explicit(&p->ended, memory_order_relaxed) + 1;

	if (prof__outsider.gone)
		return refuse_thread(LOSS_AFTER_THREAD_END, 0);
	if (prof__outsider.ended == ended)
		return NULL;
	if (!tells)
		bury_dead(p, prof__ticks(p) - p->buried > p->piece_ticks / 16);
	*tid = (uint32_t)syscall(SYS_gettid);
	bool is_main = *tid == (uint32_t)getpid();
	uint32_t block = take_block(p, is_main);
	if (block == UINT32_MAX && !tells) {
		bury_dead(p, true);
		block = take_block(p, is_main);
	}
	if (block == UINT32_MAX)
		return refuse_thread(LOSS_THREAD_ROOM, ended);
	struct thread *t = private_side(p, block);
	if (t && t->root)
		return t;
	put_back(p, block);
	return refuse_thread(t && t->skip_cause == LOSS_NODE_ROOM ? LOSS_THREAD_ROOM : LOSS_MEMORY, ended);
}

static struct thread *claim_thread(struct process *p)
{
	char name[THREAD_NAME_SIZE] = "";
	uint32_t tid;
	struct thread *t = take_thread(p, &tid);

	if (!t)
		return NULL;
	t->generation = (uint32_t)BLOCK_GENERATION(WORD_LOAD(t->block->state));
	t->skip = 0;
	t->lossy = 0;
	WORD_STORE(t->block->lossy_last, 0);
	memset(t->marks, 0, sizeof t->marks);
	prctl(PR_GET_NAME, name);
	bool is_main = tid == (uint32_t)getpid();
	t->named = prof__outsider.name || is_main;
	set_name(t, prof__outsider.name ? prof__outsider.name : is_main ? "main" : name);
	prof__outsider.name = NULL;
	WORD_STORE(t->block->tid, tid);
	set_start(t, p, is_main);
	prof__part_start(t, tid);
	record_start(t);
	WORD_RELEASE(t->block->state, (uint64_t)t->generation << 8 | BLOCK_LIVE);
	t->guard = prof__ready(t);
	prof__thread = t;
	if (tells)
		pthread_setspecific(key, t);
	else
		atomic_store_explicit(&p->owner[t->block_index], (uint64_t)t->generation << 32 | tid,
		                      memory_order_release); /* pairs with bury_dead */
	return t;
}

/* A thread that got no block gets one only where no zone is open: its ends would not match. */
struct thread *prof__thread_claim(struct process *p)
{
	struct outsider *caller = &prof__outsider;
	int saved = errno;

	if (caller->depth)
		return NULL;
	if (caller->claiming)
		return refuse_thread(LOSS_IN_HANDLER, 0);
	caller->claiming = true;
	atomic_signal_fence(memory_order_seq_cst);
	struct thread *t = prof__thread ? prof__thread : claim_thread(p); /* a handler may have come first */
	atomic_signal_fence(memory_order_seq_cst);
	caller->claiming = false;
	if (t) {
		prof__samples_early(t);
		prof__sample_thread(p);
	}
	errno = saved;
	return t;
}

void prof__thread_read_name(struct thread *t)
{
	char name[THREAD_NAME_SIZE] = "";

	if (!t->named && prctl(PR_GET_NAME, name) == 0)
		set_name(t, name);
}

void prof__thread_end(struct thread *t, bool jumped)
{
	t->guard = GUARD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	uint64_t head = transition_begin(t->block);
	int64_t before = WORD_LOAD(t->block->last), now = transition_clock(prof__process->clock != CLOCK_COUNTER);
	check_clock(t, now);
	if (WORD_LOAD(*t->epoch_word) != t->epoch)
		now = prof__flush(t);
	leave_block(t, head, before, max_tick(now, WORD_LOAD(t->block->last)), jumped);
	prof__thread = NULL;
}

#define KEPT_NAMES 4096 /* these are texts for good; with another one a thread has the name that the system knows */

/* Until there is a region, or a block. */
static void keep_name(const char *name)
{
	static _Atomic uint32_t left = KEPT_NAMES;
	char cut[THREAD_NAME_SIZE] = "";

	memcpy(cut, name, name_size(name, sizeof cut - 1));
	prof__outsider.name = prof__text_of_few(cut, &left);
}

void Prof_Thread(const char *name)
{
	struct process *p = prof__running();
	struct thread *t = prof__thread;

	if (!name || !(__atomic_load_n(&prof__on, __ATOMIC_RELAXED) & PROF_ON))
		return;
	if (!t && p)
		t = prof__thread_claim(p);
	if (!t)
		keep_name(name);
	else if (t->guard != GUARD_WIPED) {
		t->named = true;
		set_name(t, name);
	}
}

/* A thread ends, with the zones that are open then.  Where a handler jumped out of an update, the block stays half
 * done as it is, and nobody gets it. */
static cold void end_of(struct thread *t)
{
	int saved = errno;

	prof__outsider.gone = true;
	prof__timed_gone();
	prof__sample_thread_end(prof__process);
	if (t == prof__thread && t->guard != GUARD_WIPED && t->guard != GUARD_BUSY)
		prof__thread_end(t, true);
	errno = saved;
}

static _Atomic int ending; /* threads that are in thread_gone just now */

static void thread_gone(void *value)
{
	atomic_fetch_add(&ending, 1);
	end_of(value);
	atomic_fetch_sub(&ending, 1);
}

void prof__thread_watch_end(void)
{
	if (tells && !prof__thread)
		pthread_setspecific(key, &prof__outsider); /* anything that is no block */
}

/* A module in a namespace of its own makes no key.  Its C library is not the
 * program's, and numbers keys without it.  Both would give the same number to
 * two keys, which would share a value and a destructor in each thread. */
void prof__threads_init(void)
{
	if (!have_key && !prof__unload_apart())
		have_key = pthread_key_create(&key, thread_gone) == 0;
#ifdef __GLIBC__
	tells = have_key && key < KEYS_WITHOUT_CALLOC;
#else
	tells = have_key;
#endif
}

void prof__threads_forked(void)
{
	prof__outsider.ended = 0;
	atomic_store_explicit(&ending, 0, memory_order_relaxed);
	if (tells)
		pthread_setspecific(key, NULL);
}

/* Threads that end from here on do not come to thread_gone, and whoever is there needs the code. */
void prof__threads_fini(void)
{
	if (have_key) {
		have_key = tells = false;
		pthread_key_delete(key);
		prof__await_others(&ending, 0);
	}
}

/* region_builder.c: laying out a region, and writing to it as libprof does, slowly and plainly. */
#include "tests/region_builder.h"

#include <assert.h>
#include <stdbool.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "shm/ring.h"
#include "shm/seq.h"

/* ---- the file */

static void *place(struct builder *b, uint64_t *at, enum region_section_id id, uint32_t stride, uint32_t count)
{
	uint64_t align = id == REGION_CHUNKS ? REGION_PAGE : 64, offset = (*at + align - 1) & ~(align - 1);

	b->header->sections[id] = (struct region_section){ offset, stride, count };
	*at = offset + (uint64_t)stride * count;
	return b->base + offset;
}

static void fill_header(struct builder *b)
{
	struct region_header *h = b->header;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY);

	h->byte_order = REGION_BYTE_ORDER;
	h->word_bits = 64;
	h->major = REGION_MAJOR;
	h->minor = REGION_MINOR;
	h->header_size = sizeof *h;
	h->size = b->size;
	h->pid = (uint32_t)getpid();
	h->clock = REGION_CLOCK_MONOTONIC;
	h->ticks_per_s = 1000000000;
	h->created.ticks = BUILDER_START;
	h->history_levels = BUILDER_LEVELS;
	h->history_slots = BUILDER_SLOTS;
	assert(fd >= 0 && read(fd, h->boot_id, 36) == 36);
	close(fd);
	strcpy(h->program, "built");
}

static void map_file(struct builder *b)
{
	char path[128];
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	builder_path(b, path, sizeof path);
	unlink(path);
	b->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert(b->fd >= 0 && posix_fallocate(b->fd, 0, (off_t)b->size) == 0 && fcntl(b->fd, F_OFD_SETLK, &lock) == 0);
	b->base = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	assert(b->base != MAP_FAILED);
}

static struct builder_sizes with_defaults(struct builder_sizes s)
{
	s.zones = s.zones ? s.zones : BUILDER_ZONES;
	s.strings = s.strings ? s.strings : BUILDER_STRINGS;
	s.threads = s.threads ? s.threads : BUILDER_THREADS;
	s.frames = s.frames ? s.frames : BUILDER_FRAMES;
	s.counters = s.counters ? s.counters : BUILDER_COUNTERS;
	assert(s.threads <= BUILDER_THREADS_MOST);
	return s;
}

#define THREAD_CHUNKS(sizes) (((sizes).threads + CHUNK_BLOCKS - 1) / CHUNK_BLOCKS)

/* Header, tables and chunks, rounded up generously. */
static size_t size_of(struct builder_sizes s)
{
	size_t tables = s.zones * sizeof(struct region_zone) + s.strings + THREAD_CHUNKS(s) * sizeof(region_word) +
	                s.frames * sizeof(struct region_frame) + s.counters * sizeof(struct region_counter) +
	                BUILDER_MODULES * sizeof(struct region_module) + BUILDER_MEASURES * sizeof(struct region_measure);

	return (3 + tables / REGION_PAGE + (size_t)BUILDER_CHUNKS) * REGION_PAGE;
}

void builder_begin(struct builder *b, const char *tag)
{
	char name[sizeof b->name];

	snprintf(name, sizeof name, "prof-test-%s-%ld", tag, (long)getpid());
	builder_begin_sized(b, name, (struct builder_sizes){ 0 });
}

void builder_begin_sized(struct builder *b, const char *name, struct builder_sizes sizes)
{
	uint64_t at = REGION_PAGE;

	memset(b, 0, sizeof *b);
	snprintf(b->name, sizeof b->name, "%s", name);
	b->sizes = with_defaults(sizes);
	b->size = size_of(b->sizes);
	map_file(b);
	b->header = (struct region_header *)b->base;
	fill_header(b);
	b->process = place(b, &at, REGION_PROCESS, sizeof *b->process, 1);
	b->zones = place(b, &at, REGION_ZONES, sizeof *b->zones, b->sizes.zones);
	b->strings = place(b, &at, REGION_STRINGS, 1, b->sizes.strings);
	b->thread_chunks = place(b, &at, REGION_THREADS, sizeof *b->thread_chunks, THREAD_CHUNKS(b->sizes));
	b->frames = place(b, &at, REGION_FRAMES, sizeof *b->frames, b->sizes.frames);
	b->history = place(b, &at, REGION_HISTORY, sizeof *b->history, BUILDER_LEVELS * BUILDER_SLOTS);
	b->worst = place(b, &at, REGION_WORST, sizeof *b->worst, BUILDER_WORST);
	b->counters = place(b, &at, REGION_COUNTERS, sizeof *b->counters, b->sizes.counters);
	b->modules = place(b, &at, REGION_MODULES, sizeof *b->modules, BUILDER_MODULES);
	b->measures = place(b, &at, REGION_MEASURES, sizeof *b->measures, BUILDER_MEASURES);
	b->chunks = place(b, &at, REGION_CHUNKS, sizeof *b->chunks, BUILDER_CHUNKS);
	assert(at <= b->size);
	b->threads = (struct region_thread *)b->chunks; /* side by side */
	b->chunks_used = THREAD_CHUNKS(b->sizes);
	for (uint32_t i = 0; i < b->chunks_used; i++)
		WORD_STORE(b->thread_chunks[i], 1 + i);
	WORD_STORE(b->frames[0].end, BUILDER_START);
	WORD_STORE(b->process->epoch, 1);
	WORD_STORE(b->process->enabled, 1);
	WORD_STORE(b->process->chunks_free, BUILDER_CHUNKS - b->chunks_used);
	WORD_RELEASE(b->header->magic, REGION_MAGIC);
}

void builder_path(const struct builder *b, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", REGION_DIRECTORY, b->name);
}

void builder_die(struct builder *b)
{
	struct flock lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	assert(fcntl(b->fd, F_OFD_SETLK, &lock) == 0);
}

void builder_end(struct builder *b)
{
	char path[128];

	builder_path(b, path, sizeof path);
	unlink(path);
	munmap(b->base, b->size);
	close(b->fd);
}

/* ---- tables */

uint64_t builder_text(struct builder *b, const char *text)
{
	uint64_t used = WORD_LOAD(b->process->strings), size = strlen(text);

	assert(used + size <= b->sizes.strings);
	memcpy(b->strings + used, text, size);
	WORD_RELEASE(b->process->strings, used + size);
	return used << 32 | size;
}

uint32_t builder_zone(struct builder *b, const char *name, const char *file, uint32_t line)
{
	uint64_t i = WORD_LOAD(b->process->zones), n = builder_text(b, name), f = builder_text(b, file);

	assert(i < b->sizes.zones);
	b->zones[i] = (struct region_zone){ .name = (uint32_t)(n >> 32), .name_size = (uint32_t)n,
		                            .file = (uint32_t)(f >> 32), .file_size = (uint32_t)f, .line = line };
	WORD_RELEASE(b->process->zones, i + 1);
	return (uint32_t)i + 1;
}

uint32_t builder_module(struct builder *b, const char *path, const char *build)
{
	uint64_t i = WORD_LOAD(b->process->modules), n = builder_text(b, path), d = builder_text(b, build);

	assert(i < BUILDER_MODULES);
	b->modules[i] = (struct region_module){ .path = (uint32_t)(n >> 32), .path_size = (uint32_t)n,
		                                .build = (uint32_t)(d >> 32), .build_size = (uint32_t)d };
	WORD_RELEASE(b->process->modules, i + 1);
	return (uint32_t)i;
}

uint32_t builder_address(struct builder *b, uint32_t module, uint64_t offset)
{
	uint32_t zone = builder_zone(b, "", "", 0);

	b->zones[zone - 1].module = module + 1;
	b->zones[zone - 1].offset = offset;
	return zone;
}

uint32_t builder_measure(struct builder *b, const char *key, const char *title, struct region_measure row)
{
	uint64_t i = WORD_LOAD(b->process->measures), k = builder_text(b, key), t = builder_text(b, title);

	assert(i < BUILDER_MEASURES);
	row.key = (uint32_t)(k >> 32);
	row.key_size = (uint32_t)k;
	row.title = (uint32_t)(t >> 32);
	row.title_size = (uint32_t)t;
	b->measures[i] = row;
	WORD_RELEASE(b->process->measures, i + 1);
	return (uint32_t)i;
}

void builder_frame(struct builder *b, int64_t tick, uint64_t number, uint64_t info, const char *name)
{
	uint64_t n = WORD_LOAD(b->process->epoch);
	struct region_frame *f = &b->frames[n % b->sizes.frames];

	atomic_thread_fence(memory_order_release);
	WORD_STORE(f->info, info);
	WORD_STORE(f->number, number);
	WORD_STORE(f->name, name ? builder_text(b, name) : 0);
	WORD_STORE(f->end, MARK_UNDECIDED | n);
	atomic_exchange(&b->process->epoch, n + 1);
	WORD_STORE(f->end, (uint64_t)tick);
	WORD_STORE(b->process->frames, number);
}

/* ---- threads */

static uint32_t take_chunk(struct builder *b)
{
	assert(b->chunks_used < BUILDER_CHUNKS);
	WORD_STORE(b->process->chunks_free, BUILDER_CHUNKS - b->chunks_used - 1);
	return b->chunks_used++;
}

uint32_t builder_thread(struct builder *b, int64_t started, const char *name)
{
	uint32_t block = (uint32_t)WORD_LOAD(b->process->threads);
	struct region_thread *t = &b->threads[block];

	assert(block < b->sizes.threads);
	WORD_STORE(b->process->threads, block + 1);
	b->parts[block].most = b->events[block].most = b->values[block].most = 2;
	for (unsigned level = 0; level < REGION_HOURS; level++)
		b->hours[block][level].most = 2;
	memcpy((void *)t->name, name, strlen(name));
	builder_node(b, block, 0, REGION_NO_ZONE);
	WORD_STORE(builder_node_at(b, block, 0)->self, -started);
	WORD_STORE(t->started, started);
	WORD_STORE(t->bound, started);
	WORD_STORE(t->parts_begin, started);
	WORD_STORE(t->last, started);
	WORD_STORE(t->epoch, WORD_LOAD(b->process->epoch));
	WORD_STORE(t->tid, 100 + block);
	WORD_RELEASE(t->state, 1 << 8 | BLOCK_LIVE);
	return block;
}

static struct region_node_chunk *node_chunk(struct builder *b, uint32_t block, uint32_t node)
{
	uint64_t link = WORD_LOAD(b->threads[block].node_chunk);

	for (;;) {
		struct region_node_chunk *chunk = (struct region_node_chunk *)&b->chunks[link - 1];
		if (WORD_LOAD(chunk->seq) == node / CHUNK_NODES)
			return chunk;
		link = WORD_LOAD(chunk->link);
	}
}

struct region_node *builder_node_at(struct builder *b, uint32_t block, uint32_t node)
{
	return &node_chunk(b, block, node)->nodes[node % CHUNK_NODES];
}

struct region_node_ended *builder_ended_at(struct builder *b, uint32_t block, uint32_t node)
{
	return &node_chunk(b, block, node)->ended[node % CHUNK_NODES];
}

uint32_t builder_node(struct builder *b, uint32_t block, uint32_t parent, uint32_t zone)
{
	struct region_thread *t = &b->threads[block];
	uint32_t node = (uint32_t)WORD_LOAD(t->nodes);

	if (node % CHUNK_NODES == 0)
		ring_open(b->chunks, take_chunk(b), node / CHUNK_NODES, WORD_LOAD(t->node_chunk), &t->node_chunk);
	WORD_STORE(builder_node_at(b, block, node)->place, parent | (uint64_t)zone << 32);
	WORD_RELEASE(t->nodes, node + 1);
	return node;
}

struct region_measured *builder_measured_at(struct builder *b, uint32_t block, uint32_t measure, uint32_t node)
{
	struct region_thread *t = &b->threads[block];
	bool slices = b->measures[measure].of == REGION_OF_SLICE;
	uint32_t at = slices ? measure : node, first = at / CHUNK_MEASURED * CHUNK_MEASURED, chunks = 0;
	uint64_t what = (slices ? MEASURED_SLICES : measure) | (uint64_t)first << 32;
	struct region_measured_chunk *chunk;

	for (uint64_t link = WORD_LOAD(t->measured_chunk); link; link = WORD_LOAD(chunk->link), chunks++) {
		chunk = (struct region_measured_chunk *)&b->chunks[link - 1];
		if (WORD_LOAD(chunk->what) == what)
			return &chunk->cells[at - first];
	}
	uint32_t fresh = take_chunk(b);
	chunk = (struct region_measured_chunk *)&b->chunks[fresh];
	WORD_STORE(chunk->what, what);
	ring_open(b->chunks, fresh, chunks, WORD_LOAD(t->measured_chunk), &t->measured_chunk);
	return &chunk->cells[at - first];
}

uint32_t builder_group(uint64_t *words, uint32_t used, enum record_group_kind kind, unsigned flags, unsigned measure,
                       const struct record_value *values, uint32_t count)
{
	uint64_t *group = words + used;
	unsigned char *at = (unsigned char *)(group + RECORD_GROUP_WORDS), *end = at;
	int64_t before = -1;

	group[1] = kind == GROUP_SLICE ? (uint64_t)values->value : count;
	for (uint32_t i = 0; kind != GROUP_SLICE && i < count; before = values[i++].node)
		end = record_put_number(record_put_number(end, (int64_t)values[i].node - before - 1), values[i].value);
	memset(end, 0, 8);
	uint32_t size = RECORD_GROUP_WORDS + (uint32_t)((size_t)(end - at) + 7) / 8;
	group[0] = record_group_word(kind, flags, measure, size);
	words[0] = (words[0] & UINT32_MAX) | (uint64_t)(used + size) << 32;
	return used + size;
}

/* ---- logs */

static struct region_chunk *open_chunk(struct builder *b, struct builder_log *log, uint64_t seq, region_word *newest,
                                       region_word *tail, region_word *tail_record, unsigned units, uint64_t record)
{
	uint32_t chunk = UINT32_MAX;

	if (log->owned == log->most) {
		chunk = log->chunks[0];
		memmove(log->chunks, log->chunks + 1, --log->owned * sizeof *log->chunks);
		memmove(log->first_record, log->first_record + 1, log->owned * sizeof *log->first_record);
		uint64_t first = record;
		for (uint32_t i = log->owned; tail_record && i-- > 0;)
			if (log->first_record[i] != UINT16_MAX)
				first = (seq - log->owned + i) * units + log->first_record[i];
		if (tail_record)
			WORD_STORE(*tail_record, first);
		ring_retire(tail, (seq - log->owned) * units);
	} else {
		chunk = take_chunk(b);
	}
	ring_open(b->chunks, chunk, seq, log->owned ? log->chunks[log->owned - 1] + 1 : 0, newest);
	log->first_record[log->owned] = UINT16_MAX;
	log->chunks[log->owned++] = chunk;
	return &b->chunks[chunk];
}

static void put_word(struct builder *b, uint32_t block, uint64_t h, int64_t tick, uint64_t word)
{
	struct region_thread *t = &b->threads[block];
	struct builder_log *log = &b->events[block];

	if (h % CHUNK_EVENTS == 0)
		open_chunk(b, log, h / CHUNK_EVENTS, &t->event_chunk, &t->event_tail, NULL, CHUNK_EVENTS, 0);
	struct region_chunk *chunk = &b->chunks[log->chunks[log->owned - 1]];
	if (h % CHUNK_EVENTS == 0)
		WORD_STORE(chunk->words[0], (uint64_t)(h ? log->tick : tick));
	WORD_STORE(chunk->words[1 + h % CHUNK_EVENTS], word);
	log->tick = tick;
}

static void put_event(struct builder *b, uint32_t block, enum region_event_kind kind, uint32_t id, int64_t tick)
{
	struct region_thread *t = &b->threads[block];
	uint64_t h = WORD_LOAD(t->head);
	unsigned bits = kind == EVENT_START ? EVENT_START_BITS : EVENT_TICK_BITS;

	if (h && !event_reaches(b->events[block].tick, tick, bits))
		put_word(b, block, h++, tick, event_tick(tick));
	put_word(b, block, h++, tick, kind == EVENT_START ? event_start(tick, id) : event_word(tick, event_what(kind, id)));
	WORD_RELEASE(t->head, h);
	WORD_STORE(t->intent, h);
}

static void transition(struct builder *b, uint32_t block, uint32_t from, uint32_t to, int64_t tick,
                       enum region_event_kind kind, uint32_t node)
{
	struct region_thread *t = &b->threads[block];
	uint64_t h = WORD_LOAD(t->head);

	WORD_STORE(t->intent, h + 1);
	atomic_thread_fence(memory_order_release);
	WORD_STORE(t->last, tick);
	WORD_STORE(t->current, to);
	WORD_STORE(builder_node_at(b, block, from)->self, WORD_LOAD(builder_node_at(b, block, from)->self) + tick);
	WORD_STORE(builder_node_at(b, block, to)->self, WORD_LOAD(builder_node_at(b, block, to)->self) - tick);
	put_event(b, block, kind, node, tick);
}

void builder_keep_events(struct builder *b, uint32_t block, uint32_t generation)
{
	struct region_thread *t = &b->threads[block];
	struct builder_log *log = &b->events[block];
	uint32_t chunk = log->chunks[0];

	assert(log->owned > 1);
	memmove(log->chunks, log->chunks + 1, --log->owned * sizeof *log->chunks);
	ring_keep(b->chunks, chunk, (uint64_t)generation << 32 | WORD_LOAD(t->kept_chunk), &t->kept_chunk);
	ring_retire(&t->event_tail, (WORD_LOAD(b->chunks[chunk].seq) + 1) * CHUNK_EVENTS);
}

void builder_transition_event(struct builder *b, uint32_t block, enum region_event_kind kind, uint32_t node,
                              int64_t tick)
{
	put_event(b, block, kind, node, tick);
}

void builder_enter(struct builder *b, uint32_t block, uint32_t node, int64_t tick)
{
	struct region_node *n = builder_node_at(b, block, node);

	WORD_STORE(n->count, WORD_LOAD(n->count) + 1);
	WORD_STORE(n->start, tick);
	transition(b, block, (uint32_t)WORD_LOAD(b->threads[block].current), node, tick, EVENT_ENTER, node);
}

void builder_leave(struct builder *b, uint32_t block, int64_t tick)
{
	uint32_t node = (uint32_t)WORD_LOAD(b->threads[block].current);
	struct region_node *n = builder_node_at(b, block, node);

	if (tick - WORD_LOAD(n->start) > WORD_LOAD(n->longest))
		WORD_STORE(n->longest, tick - WORD_LOAD(n->start));
	transition(b, block, node, (uint32_t)WORD_LOAD(n->place), tick, EVENT_LEAVE, node);
}

static void append(struct builder *b, struct region_log *shared, struct builder_log *log, const uint64_t *words,
                   uint32_t count)
{
	uint64_t record = log->head;

	for (uint32_t i = 0; i < count; i++, log->head++) {
		if (log->head % CHUNK_WORDS == 0)
			open_chunk(b, log, log->head / CHUNK_WORDS, &shared->chunk, &shared->tail, &shared->tail_record,
			           CHUNK_WORDS, record);
		if (i == 0 && log->first_record[log->owned - 1] == UINT16_MAX)
			log->first_record[log->owned - 1] = (uint16_t)(log->head % CHUNK_WORDS);
		WORD_STORE(b->chunks[log->chunks[log->owned - 1]].words[log->head % CHUNK_WORDS], words[i]);
	}
	WORD_RELEASE(shared->head, log->head);
}

void builder_words(struct builder *b, uint32_t block, const uint64_t *words, uint32_t count)
{
	append(b, &b->threads[block].parts, &b->parts[block], words, count);
}

void builder_hours(struct builder *b, uint32_t block, uint32_t level, const uint64_t *words, uint32_t count)
{
	append(b, &b->threads[block].hours[level], &b->hours[block][level], words, count);
}

uint32_t builder_pack(struct record_head head, const struct record_node *nodes, uint32_t count, uint64_t *words)
{
	unsigned char *bytes = (unsigned char *)(words + RECORD_HEAD_WORDS);
	uint32_t before = UINT32_MAX;
	size_t size = 0;

	for (uint32_t i = 0; i < count; i++) {
		size = (size_t)(record_pack(bytes + size, before, nodes[i]) - bytes);
		before = nodes[i].node;
	}
	memset(bytes + size, 0, 8);
	head.words = RECORD_HEAD_WORDS + (uint32_t)(size + 7) / 8;
	if (count)
		head.nodes = count;
	if (!head.intervals)
		head.intervals = 1;
	record_head_words(&head, words);
	return head.words;
}

static uint64_t *packing_room(uint32_t count)
{
	return calloc(RECORD_HEAD_WORDS + 2 + (size_t)count * (RECORD_NODE_MAX + 8) / 8 + 8, 8);
}

void builder_record(struct builder *b, uint32_t block, struct record_head head, const struct record_node *nodes,
                    uint32_t count)
{
	uint64_t *words = packing_room(count);

	builder_words(b, block, words, builder_pack(head, nodes, count, words));
	free(words);
}

/* A node of a thread that stands at a boundary. */
static void add_to_totals(struct builder *b, uint32_t block, const struct record_node *part, int64_t tick)
{
	struct region_node *n = builder_node_at(b, block, part->node);
	int64_t self = WORD_LOAD(n->base_self) + part->self;

	WORD_STORE(n->self, part->node ? self : self - tick); /* the root runs */
	WORD_STORE(n->base_self, self);
	WORD_STORE(n->count, WORD_LOAD(n->count) + part->count);
	WORD_STORE(n->base_count, WORD_LOAD(n->count));
	if (part->longest > WORD_LOAD(n->run_longest))
		WORD_STORE(n->run_longest, part->longest);
}

void builder_part(struct builder *b, uint32_t block, int64_t tick, unsigned flags, const struct record_node *nodes,
                  uint32_t count)
{
	struct region_thread *t = &b->threads[block];
	uint64_t interval = WORD_LOAD(t->epoch);

	builder_record(b, block,
	               (struct record_head){ .kind = RECORD_PART, .flags = flags, .generation = 1, .interval = interval,
	                                     .bound = WORD_LOAD(t->bound), .end = tick },
	               nodes, flags ? 0 : count);
	for (uint32_t i = 0; i < count; i++)
		add_to_totals(b, block, &nodes[i], tick);
	WORD_STORE(t->bound, tick);
	WORD_STORE(t->last, tick);
	WORD_STORE(t->epoch, interval + 1);
}

void builder_keep(struct builder *b, uint32_t block, uint32_t slot, uint64_t interval, const uint64_t *words,
                  uint32_t count)
{
	struct region_kept *kept = &b->threads[block].worst[slot];
	uint32_t chunk = 0;

	seq_write_begin(&kept->seq);
	for (uint32_t i = 0; i < count; i++) {
		if (i % CHUNK_WORDS == 0) {
			chunk = take_chunk(b);
			ring_open(b->chunks, chunk, i / CHUNK_WORDS, WORD_LOAD(kept->chunk), &kept->chunk);
		}
		WORD_STORE(b->chunks[chunk].words[i % CHUNK_WORDS], words[i]);
	}
	WORD_STORE(kept->interval, interval);
	WORD_STORE(kept->words, count);
	seq_write_end(&kept->seq);
}

/* ---- counters, events, notes */

uint32_t builder_counter(struct builder *b, const char *name, unsigned flags)
{
	uint64_t i = WORD_LOAD(b->process->counters), text = builder_text(b, name);

	assert(i < b->sizes.counters);
	b->counters[i].name = (uint32_t)(text >> 32);
	b->counters[i].name_size = (uint32_t)text;
	WORD_STORE(b->counters[i].flags, flags);
	WORD_RELEASE(b->process->counters, i + 1);
	return (uint32_t)i;
}

uint64_t builder_real(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static bool is_less(const struct builder *b, uint32_t counter, uint64_t a, uint64_t than)
{
	double x, y;

	if (!(WORD_LOAD(b->counters[counter].flags) & COUNTER_REAL))
		return (int64_t)a < (int64_t)than;
	memcpy(&x, &a, sizeof x);
	memcpy(&y, &than, sizeof y);
	return x < y;
}

/* The slot of a counter (1 + index), or with 0 the first free one; NULL: there is none. */
static struct region_slot *find_slot(struct builder *b, uint32_t block, uint64_t counter)
{
	for (uint64_t link = WORD_LOAD(b->threads[block].slot_chunk); link;) {
		struct region_slot_chunk *chunk = (struct region_slot_chunk *)&b->chunks[link - 1];
		for (int i = 0; i < CHUNK_SLOTS; i++)
			if (WORD_LOAD(chunk->slots[i].counter) == counter)
				return &chunk->slots[i];
		link = WORD_LOAD(chunk->link);
	}
	return NULL;
}

struct region_slot *builder_slot_at(struct builder *b, uint32_t block, uint32_t counter)
{
	return find_slot(b, block, counter + 1ull);
}

static void clear_run(struct builder *b, uint32_t counter, struct region_slot *s)
{
	bool real = WORD_LOAD(b->counters[counter].flags) & COUNTER_REAL;

	WORD_STORE(s->run_least, real ? builder_real(1) : 1);
	WORD_STORE(s->run_most, 0);
}

static void new_slot(struct builder *b, uint32_t block, uint32_t counter, uint64_t value)
{
	struct region_thread *t = &b->threads[block];
	struct region_slot *s = find_slot(b, block, 0);

	if (!s) {
		uint64_t before = WORD_LOAD(t->slot_chunk);
		uint64_t seq = before ? WORD_LOAD(b->chunks[before - 1].seq) + 1 : 0;
		ring_open(b->chunks, take_chunk(b), seq, before, &t->slot_chunk);
		s = find_slot(b, block, 0);
	}
	WORD_STORE(s->born, WORD_LOAD(b->process->epoch));
	WORD_STORE(s->interval, WORD_LOAD(b->process->epoch));
	WORD_STORE(s->owner, BLOCK_GENERATION(WORD_LOAD(t->state)));
	WORD_STORE(s->last, value);
	WORD_STORE(s->least, value);
	WORD_STORE(s->most, value);
	clear_run(b, counter, s);
	WORD_RELEASE(s->counter, counter + 1ull);
}

/* Writes the slot to the log, and adds it to the run. */
static void roll_slot(struct builder *b, uint32_t block, uint32_t counter, struct region_slot *s)
{
	uint64_t last = WORD_LOAD(s->last), least = WORD_LOAD(s->least), most = WORD_LOAD(s->most);
	uint64_t size = last == least && last == most ? 3 : 5;
	bool none = is_less(b, counter, WORD_LOAD(s->run_most), WORD_LOAD(s->run_least));
	uint64_t words[5] = { VALUE_SAMPLE | size << 8 | (WORD_LOAD(s->owner) & 0xffff) << 16 | (counter + 1ull) << 32,
		              WORD_LOAD(s->interval), last, least, most };

	builder_value_words(b, block, words, (uint32_t)size);
	if (none || is_less(b, counter, least, WORD_LOAD(s->run_least)))
		WORD_STORE(s->run_least, least);
	if (none || is_less(b, counter, WORD_LOAD(s->run_most), most))
		WORD_STORE(s->run_most, most);
}

void builder_value(struct builder *b, uint32_t block, uint32_t counter, uint64_t value)
{
	struct region_slot *s = builder_slot_at(b, block, counter);
	uint64_t interval = WORD_LOAD(b->process->epoch);

	if (!s) {
		new_slot(b, block, counter, value);
		return;
	}
	seq_write_begin(&s->seq);
	uint64_t owner = BLOCK_GENERATION(WORD_LOAD(b->threads[block].state));
	bool anew = WORD_LOAD(b->counters[counter].flags) & COUNTER_SET && WORD_LOAD(s->owner) != owner;
	bool roll = anew || WORD_LOAD(s->interval) != interval;
	if (roll)
		roll_slot(b, block, counter, s);
	if (anew)
		clear_run(b, counter, s);
	if (roll || is_less(b, counter, value, WORD_LOAD(s->least)))
		WORD_STORE(s->least, value);
	if (roll || is_less(b, counter, WORD_LOAD(s->most), value))
		WORD_STORE(s->most, value);
	WORD_STORE(s->last, value);
	WORD_STORE(s->interval, interval);
	WORD_STORE(s->owner, owner);
	seq_write_end(&s->seq);
}

static uint64_t value_head(struct builder *b, uint32_t block, enum value_kind_of kind, uint64_t size, uint64_t id)
{
	return (uint64_t)kind | size << 8 | (BLOCK_GENERATION(WORD_LOAD(b->threads[block].state)) & 0xffff) << 16 | id << 32;
}

void builder_event(struct builder *b, uint32_t block, uint32_t zone, int64_t tick)
{
	uint64_t words[2] = { value_head(b, block, VALUE_EVENT, 2, zone), (uint64_t)tick };

	builder_value_words(b, block, words, 2);
}

void builder_note(struct builder *b, uint32_t block, int64_t tick, const char *text)
{
	uint64_t words[VALUE_WORDS_MAX] = { 0 }, size = strlen(text), count = VALUE_HEAD_WORDS + (size + 7) / 8;

	assert(size <= VALUE_NOTE_MAX);
	words[0] = value_head(b, block, VALUE_NOTE, count, size);
	words[1] = (uint64_t)tick;
	memcpy(words + VALUE_HEAD_WORDS, text, size);
	builder_value_words(b, block, words, (uint32_t)count);
}

void builder_value_words(struct builder *b, uint32_t block, const uint64_t *words, uint32_t count)
{
	append(b, &b->threads[block].values, &b->values[block], words, count);
}

uint64_t builder_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

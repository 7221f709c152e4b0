/* core_names.c: functions of code addresses that are looked up aside.
 *
 * The program reads its own region. After the first read it enters thousands of
 * zones that are addresses of its own code. A reader that is hurried must come
 * to the same zones and times as one that waits for them.
 */
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libprof/adapter.h"
#include "libprof/prof.h"
#include "tests/core_amounts.h"
#include "tests/core_run.h"
#include "tests/core_shown.h"

#define ZONES 4000
#define STEP  8 /* bytes between two addresses */

static char build[64];
static uint64_t code; /* offset of the code in the module */

/* The first object is the program. */
static int find_program(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		const char *at = (const char *)(object->dlpi_addr + part->p_vaddr), *end = at + part->p_memsz;

		if (part->p_type == PT_LOAD && part->p_flags & PF_X)
			code = part->p_vaddr;
		while (part->p_type == PT_NOTE && at < end) {
			const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
			const unsigned char *bytes = (const unsigned char *)at + sizeof *note + ((note->n_namesz + 3) & ~3u);

			for (unsigned k = 0; note->n_type == NT_GNU_BUILD_ID && k < note->n_descsz && k < 31; k++)
				sprintf(build + 2 * k, "%02x", bytes[k]);
			at = (const char *)bytes + ((note->n_descsz + 3) & ~3u);
		}
	}
	return unused ? 2 : 1;
}

static void enter_addresses(void)
{
	char path[4096] = "";
	uint32_t module = 0;

	if (readlink("/proc/self/exe", path, sizeof path - 1) > 0)
		module = prof__module(path, build, 0, 0);
	for (unsigned i = 0; i < ZONES; i++) {
		Prof_Enter(prof__address_zone(module, code + i * STEP));
		Prof_Leave();
	}
	Prof_update(1);
}

/* Each path of a node, with its zone's place and its calls: the paths of both
 * must be the same. */
static void compare(const struct profile *a, const struct profile *b)
{
	IS(a->node_count, b->node_count);
	IS(a->zone_count, b->zone_count);
	for (uint32_t i = 1; i < a->node_count && i < b->node_count; i++) {
		const struct profile_zone *x = &a->zones[a->nodes[i].zone], *y = &b->zones[b->nodes[i].zone];

		CHECK(!strcmp(x->name, y->name) && !strcmp(x->file, y->file) && x->line == y->line && x->flags == y->flags &&
		      a->nodes[i].parent == b->nodes[i].parent && a->nodes[i].line == b->nodes[i].line, "node %u: %s, %s", i,
		      x->name, y->name);
	}
}

static int read_own(const char *name)
{
	struct source *hurried, *patient;
	unsigned late = 0;

	dl_iterate_phdr(find_program, NULL);
	Prof_update(1);
	hurried = shown_open(name);
	IS(source_next(hurried), SOURCE_MORE);
	hurried->hurried = true;
	for (int round = 0; round < 2; round++) {
		enter_addresses();
		while (source_next(hurried) == SOURCE_LATE) {
			CHECK(strstr(hurried->why, "functions"), "%s", hurried->why);
			late++;
		}
	}
	patient = shown_open(name);
	IS(source_next(patient), SOURCE_MORE);
	compare(hurried->profile, patient->profile);
	CHECK(hurried->profile->frame_count == 3, "%u frames", hurried->profile->frame_count);
	source_close(patient);
	/* And once more it is closed while it looks them up. */
	CHECK(source_reset(hurried), "reset");
	source_next(hurried);
	code += 1;
	enter_addresses();
	source_next(hurried);
	source_close(hurried);
	if (getenv("TEST_VERBOSE"))
		printf("late %u times\n", late);
	return core_result();
}

int main(void)
{
	char name[64];

	if (getenv("PROF_SHM"))
		return read_own(getenv("PROF_SHM"));
	snprintf(name, sizeof name, "prof-test-names-%d", (int)getpid());
	setenv("PROF_SHM", name, 1);
	execl("/proc/self/exe", "core_names", (char *)NULL);
	return 1;
}

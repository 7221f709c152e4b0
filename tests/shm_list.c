/* shm_list: listing regions, and removing those that are proved dead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "shm/attach.h"
#include "tests/region_builder.h"

struct found {
	const char *prefix; /* only these are of this test */
	struct region_entry entries[8];
	unsigned count, stop_after;
	struct region_entry before; /* of everything there is */
};

static bool note(const struct region_entry *entry, void *context)
{
	struct found *f = context;
	char own[32];

	if (f->before.live == entry->live)
		assert_true(strcmp(f->before.name, entry->name) < 0);
	else
		assert_true(f->before.live || !f->before.name[0]);
	f->before = *entry;
	snprintf(own, sizeof own, "-%ld", (long)getpid());
	if (strncmp(entry->name, f->prefix, strlen(f->prefix)) || !strstr(entry->name, own))
		return true;
	assert_true(f->count < 8);
	f->entries[f->count++] = *entry;
	return f->count != f->stop_after;
}

static struct found list(unsigned flags, unsigned stop_after)
{
	struct found f = { .prefix = "prof-test-", .stop_after = stop_after };

	assert_true(region_list(flags, note, &f));
	return f;
}

static void make_file(const char *name, const char *text)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%s", region_directory(), name);
	int fd = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void remove_file(const char *name)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%s", region_directory(), name);
	unlink(path);
}

static void lists_what_is_a_region(void **state)
{
	struct builder a, b, c;
	char path[128];

	(void)state;
	builder_begin(&b, "list-b");
	builder_begin(&a, "list-a");
	builder_begin(&c, "list-c");
	builder_die(&a);
	c.header->major = 9;
	builder_die(&c);
	make_file("prof-test-list-text", "no region");
	make_file("prof-test-list-empty", "");
	builder_path(&a, path, sizeof path);
	char *fifo = path;
	strcat(fifo, "-fifo");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	struct found f = list(0, 0);
	unlink(fifo);
	remove_file("prof-test-list-text");
	remove_file("prof-test-list-empty");

	assert_int_equal(f.count, 3);
	assert_string_equal(f.entries[0].name, b.name); /* it lives */
	assert_true(f.entries[0].state == ATTACH_OK && f.entries[0].live);
	assert_int_equal(f.entries[0].size, b.size);
	assert_int_equal(f.entries[0].uid, geteuid());
	assert_string_equal(f.entries[1].name, a.name);
	assert_true(f.entries[1].state == ATTACH_OK && !f.entries[1].live);
	assert_int_equal(f.entries[2].state, ATTACH_OTHER_VERSION);
	assert_int_equal(f.entries[2].major, 9);
	assert_int_equal(list(0, 1).count, 1);
	builder_end(&a);
	builder_end(&b);
	builder_end(&c);
}

static void lists_a_damaged_one_as_such(void **state)
{
	struct builder b;

	(void)state;
	builder_begin(&b, "list-damaged");
	b.header->sections[REGION_FRAMES].count = 3;
	struct found f = list(0, 0);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.entries[0].state, ATTACH_DAMAGED);
	assert_int_equal(ftruncate(b.fd, 5000), 0);
	b.header->sections[REGION_FRAMES].count = BUILDER_FRAMES;
	f = list(0, 0);
	assert_int_equal(f.entries[0].state, ATTACH_TRUNCATED);
	builder_end(&b);
}

static void lists_another_users_as_foreign(void **state)
{
	struct builder b;

	(void)state;
	if (geteuid() != 0)
		skip();
	builder_begin(&b, "list-foreign");
	assert_int_equal(fchown(b.fd, 12345, (gid_t)-1), 0);
	struct found f = list(0, 0);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.entries[0].state, ATTACH_FOREIGN);
	assert_int_equal(f.entries[0].uid, 12345);
	assert_int_equal(list(ATTACH_ANY_USER, 0).entries[0].state, ATTACH_OK);
	builder_die(&b);
	assert_int_equal(region_remove(b.name, NULL), REMOVE_REFUSED);
	builder_end(&b);
}

/* ---- removing */

static void removes_the_dead_and_only_them(void **state)
{
	struct builder b;
	struct attachment a;

	(void)state;
	builder_begin(&b, "list-remove");
	assert_int_equal(region_remove(b.name, NULL), REMOVE_LIVE);
	assert_int_equal(region_attach(&a, b.name, 0, NULL, 0), ATTACH_OK);
	builder_die(&b);
	assert_int_equal(region_remove(b.name, NULL), REMOVE_DONE);
	assert_int_equal(region_remove(b.name, NULL), REMOVE_ABSENT);
	assert_int_equal(WORD_LOAD(a.process->epoch), 1); /* whoever is attached keeps it */
	assert_false(region_same_name(&a));
	region_detach(&a);
	builder_end(&b);
}

static void removes_the_damaged_and_the_old(void **state)
{
	struct builder b;

	(void)state;
	builder_begin(&b, "list-old");
	builder_die(&b);
	b.header->major = 0;
	assert_int_equal(region_remove(b.name, NULL), REMOVE_DONE);
	builder_end(&b);
	builder_begin(&b, "list-cut");
	builder_die(&b);
	assert_int_equal(ftruncate(b.fd, 100), 0);
	assert_int_equal(region_remove(b.name, NULL), REMOVE_DONE);
	builder_end(&b);
}

static void refuses_what_is_no_region(void **state)
{
	(void)state;
	make_file("prof-test-list-text", "no region");
	assert_int_equal(region_remove("prof-test-list-text", NULL), REMOVE_REFUSED);
	remove_file("prof-test-list-text");
	assert_int_equal(region_remove("../shm/x", NULL), REMOVE_REFUSED);
	assert_int_equal(region_remove("", NULL), REMOVE_REFUSED);
	assert_int_equal(region_remove("prof-test-list-none", NULL), REMOVE_ABSENT);
}

static bool see_identity(const struct region_entry *entry, void *context)
{
	*(struct region_identity *)context = entry->identity;
	return strncmp(entry->name, "prof-test-list-again", 20) != 0;
}

/* A name that another region took since it was listed, which is dead as well by
 * now. */
static void removes_what_was_listed_and_no_successor(void **state)
{
	struct region_identity listed = { 0 }, none = { 0 };
	struct builder b;

	(void)state;
	builder_begin(&b, "list-again");
	assert_true(region_list(0, see_identity, &listed));
	assert_int_equal(region_remove(b.name, &none), REMOVE_LIVE);
	builder_die(&b);
	assert_int_equal(region_remove(b.name, &none), REMOVE_OTHER);
	builder_end(&b);
	builder_begin(&b, "list-again");
	assert_int_equal(region_remove(b.name, &listed), REMOVE_LIVE);
	builder_die(&b);
	assert_int_equal(region_remove(b.name, &listed), REMOVE_OTHER);
	assert_true(region_list(0, see_identity, &listed));
	listed.created++;
	assert_int_equal(region_remove(b.name, &listed), REMOVE_OTHER);
	listed.created--;
	assert_int_equal(region_remove(b.name, &listed), REMOVE_DONE);
	assert_int_equal(region_remove(b.name, &listed), REMOVE_ABSENT);
	builder_end(&b);
}

/* Somebody else is in the middle of the same steps. */
static void gives_way_to_who_is_retiring_it(void **state)
{
	struct builder b;
	char path[128];

	(void)state;
	builder_begin(&b, "list-race");
	builder_die(&b);
	builder_path(&b, path, sizeof path);
	int other = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(other, LOCK_EX), 0);
	assert_int_equal(region_remove(b.name, NULL), REMOVE_CHANGED);
	assert_int_equal(access(path, F_OK), 0);
	close(other);
	assert_int_equal(region_remove(b.name, NULL), REMOVE_DONE);
	builder_end(&b);
}

/* If many remove at once, exactly one of them does it. */
static void one_of_many_removes(void **state)
{
	struct builder b;
	int done = 0, status;

	(void)state;
	builder_begin(&b, "list-many");
	builder_die(&b);
	for (int i = 0; i < 8; i++)
		if (fork() == 0)
			_exit(region_remove(b.name, NULL) == REMOVE_DONE ? 1 : 0);
	while (wait(&status) > 0)
		done += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
	assert_int_equal(done, 1);
	builder_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_what_is_a_region),
		cmocka_unit_test(lists_a_damaged_one_as_such),
		cmocka_unit_test(lists_another_users_as_foreign),
		cmocka_unit_test(removes_the_dead_and_only_them),
		cmocka_unit_test(removes_the_damaged_and_the_old),
		cmocka_unit_test(refuses_what_is_no_region),
		cmocka_unit_test(removes_what_was_listed_and_no_successor),
		cmocka_unit_test(gives_way_to_who_is_retiring_it),
		cmocka_unit_test(one_of_many_removes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * io_threads: the overview of threads of a profile made by hand, as a table, CSV and JSON.
 */
#include "io/export/export_table.h"
#include "model/table/thread_table.h"
#include "tests/model_dsl.h"

#define MS INT64_C(1000000)

/* Two frames of 10 ms, in which main waits; a pool, and one that has ended. */
static struct profile *game(void)
{
	struct profile *p = dsl_profile("frame 1 10000000\nmain . 1000000\nmain draw 4000000 1\nmain draw/sleep 5000000 1\n"
					"=pool job 7500000 1\nframe 2 10000000\nmain draw 2000000 1\nmain draw/sleep 8000000 1\n"
					"=pool job 10000000 1\nloader read 500 1\n");

	p->zones[p->nodes[dsl_node(p, "main", "draw/sleep")].zone].flags |= ZONE_WAITING;
	p->threads[0].marking = true;
	p->threads[2].state = THREAD_ENDED;
	return p;
}

struct made {
	struct profile *p;
	struct values *values;
	struct thread_loads loads;
	struct open_stacks *open;
	uint32_t order[3];
	uint32_t count;
	struct export e;
};

static void begin(struct made *m)
{
	*m = (struct made){ .p = game() };
	m->values = values_of_frames(m->p, 0, 2);
	m->open = open_stacks_new(m->p, OPEN_ROWS_MOST);
	assert_true(m->values && m->open && thread_loads_cover(&m->loads, m->p, m->values, 0, 2));
	assert_true(open_stacks_add_thread(m->open, m->p, 0, false, 15 * MS, 20 * MS));
	assert_true(open_stacks_add_zone(m->open, m->p, dsl_node(m->p, "main", "draw"), 12 * MS));
	assert_true(open_stacks_add_zone(m->open, m->p, dsl_node(m->p, "main", "draw/sleep"), 15 * MS));
	assert_true(open_stacks_add_thread(m->open, m->p, 1, false, 15 * MS, 20 * MS));
	thread_loads_order(&m->loads, m->p, m->order);
	m->count = 3;
	m->e = (struct export){ .profile = m->p, .values = m->values, .count = 2, .asked = 2 };
}

static void end(struct made *m)
{
	thread_loads_fini(&m->loads);
	open_stacks_free(m->open);
	values_free(m->values);
	profile_free(m->p);
}

/* What is printed at that width; -1 as CSV, -2 as JSON. Caller frees. */
static char *printed(struct made *m, int width)
{
	struct thread_table table;
	struct export_style style = { .ascii = true, .width = width > 0 ? (uint32_t)width : 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	thread_table_init(&table, m->p, &m->loads, m->order, m->count, m->open, m->e.count);
	m->e.table = &table.table;
	assert_true(width == -1	  ? export_csv(&m->e, out)
		    : width == -2 ? export_json(&m->e, out)
				  : export_table_text(m->e.table, &style, out));
	fclose(out);
	return text;
}

static void expect(struct made *m, int width, const char *expected)
{
	char *text = printed(m, width);

	assert_string_equal(text, expected);
	free(text);
}

static void a_table(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	expect(&m, 0,
	       "THREAD   BUSY  WAITS  LOAD      MAX/F ms  FRAME  ID  IS IN\n"
	       "main    30.0%  65.0%         #     4.000      1   1  sleep\n"
	       "=pool   87.5%   0.0%         #    10.000      2   2  (no zone)\n"
	       "loader   0.0%   0.0%         #     0.001      2   3  ended\n\n");
	expect(&m, 30,
	       "THREAD   BUSY  WAITS  IS IN\n"
	       "main    30.0%  65.0%  sleep\n"
	       "=pool   87.5%   0.0%  (no z...\n"
	       "loader   0.0%   0.0%  ended\n\n");
	end(&m);
}

/* Nobody knows which zones were open in a frame that is selected. */
static void one_frame_has_no_zones(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	open_stacks_free(m.open);
	m.open = NULL;
	m.count = 1;
	expect(&m, 0,
	       "THREAD   BUSY  WAITS  LOAD      MAX/F ms  FRAME  ID\n"
	       "main    30.0%  65.0%         #     4.000      1   1\n\n");
	end(&m);
}

static void without_frames_there_are_only_shares(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	m.e.count = 0;
	m.count = 1;
	expect(&m, 0,
	       "THREAD   BUSY  WAITS  ID  IS IN\n"
	       "main    30.0%  65.0%   1  sleep\n\n");
	end(&m);
}

static void a_line_of_csv_each(void **state)
{
	struct made m;

	(void)state;
	begin(&m);
	m.e.spreadsheet = true;
	expect(&m, -1,
	       "thread,id,state,busy_ns,waits_ns,wall_ns,longest_ns,longest_frame,zone,open_ns\n"
	       "main,1,live,6000000,13000000,20000000,4000000,1,sleep,5000000\n"
	       "'=pool,2,live,17500000,0,20000000,10000000,2,,\n"
	       "loader,3,ended,500,0,20000000,500,2,,\n");
	end(&m);
}

static void loads_in_json(void **state)
{
	struct made m;
	char *text;

	(void)state;
	begin(&m);
	text = printed(&m, -2);
	assert_non_null(strstr(text, "\"view\":\"threads\""));
	assert_non_null(strstr(text, "{\"thread\":1,\"name\":\"main\",\"busy\":6000000,\"busy_ns\":6000000,\"waits\":13000000,"
				     "\"waits_ns\":13000000,\"longest\":4000000,\"longest_ns\":4000000,\"longest_frame\":1,"
				     "\"zone\":\"sleep\",\"file\":\"\",\"line\":0,\"open\":5000000,\"open_ns\":5000000}"));
	assert_non_null(strstr(text, "\"longest_frame\":2,\"zone\":null}"));
	assert_non_null(strstr(text, "\"longest_frame\":2}"));
	assert_null(strstr(text, "\"nodes\""));
	free(text);
	end(&m);
}

/* A pool thread whose first slice is not known, and a loader of which nothing is known. */
static void begin_counted(struct made *m)
{
	begin(m);
	thread_loads_fini(&m->loads);
	dsl_cpu_amounts(m->p, 1, "main", (const int64_t[]){ 1 * MS, 3 * MS, 2, 1200, 5, 2 * MS });
	dsl_cpu_amounts(m->p, 2, "main", (const int64_t[]){ 500000, 0, 1, 34, 0, 0 });
	dsl_cpu_amounts(m->p, 1, "=pool", (const int64_t[]){ -1, -1, -1, -1, -2, -1 });
	dsl_cpu_amounts(m->p, 2, "=pool", (const int64_t[]){ 4 * MS, 6 * MS, 0, 7, -2, 3 * MS });
	assert_true(thread_loads_cover(&m->loads, m->p, m->values, 0, 2));
}

static void what_the_system_counts_has_columns(void **state)
{
	struct made m;

	(void)state;
	begin_counted(&m);
	expect(&m, 0,
	       "THREAD   BUSY  WAITS      CPU  OFF CPU  RUN DELAY  PREEMPTED  LOAD      MAX/F ms  FRAME  ID  IS IN\n"
	       "main    30.0%  65.0%     7.5%    22.5%      10.0%      1 234         #     4.000      1   1  sleep\n"
	       "=pool   87.5%   0.0%  >=20.0%  >=30.0%    >=15.0%        >=7         #    10.000      2   2  (no zone)\n"
	       "loader   0.0%   0.0%        -        -          -          -         #     0.001      2   3  ended\n\n");
	expect(&m, 30,
	       "THREAD   BUSY  WAITS  IS IN\n"
	       "main    30.0%  65.0%  sleep\n"
	       "=pool   87.5%   0.0%  (no z...\n"
	       "loader   0.0%   0.0%  ended\n\n");
	expect(&m, 40,
	       "THREAD   BUSY  WAITS  OFF CPU  IS IN\n"
	       "main    30.0%  65.0%    22.5%  sleep\n"
	       "=pool   87.5%   0.0%  >=30.0%  (no zone)\n"
	       "loader   0.0%   0.0%        -  ended\n\n");
	expect(&m, -1,
	       "thread,id,state,busy_ns,waits_ns,wall_ns,longest_ns,longest_frame,cpu_ns,cpu_at_least,off_cpu_ns,"
	       "off_cpu_at_least,voluntary,voluntary_at_least,involuntary,involuntary_at_least,faults,faults_at_least,run_delay_ns,run_delay_at_least,zone,"
	       "open_ns\n"
	       "main,1,live,6000000,13000000,20000000,4000000,1,1500000,0,4500000,0,3,0,1234,0,5,0,2000000,0,sleep,5000000\n"
	       "=pool,2,live,17500000,0,20000000,10000000,2,4000000,1,6000000,1,0,1,7,1,,,3000000,1,,\n"
	       "loader,3,ended,500,0,20000000,500,2,,,,,,,,,,,,,,\n");
	end(&m);
}

static void what_the_system_counts_in_json(void **state)
{
	struct made m;
	char *text;

	(void)state;
	begin_counted(&m);
	text = printed(&m, -2);
	assert_non_null(strstr(text, "\"longest_frame\":1,\"cpu\":1500000,\"cpu_ns\":1500000,\"cpu_at_least\":false,"
				     "\"off_cpu\":4500000,\"off_cpu_ns\":4500000,\"off_cpu_at_least\":false,\"voluntary\":3,"
				     "\"voluntary_at_least\":false,\"involuntary\":1234,\"involuntary_at_least\":false,"
				     "\"faults\":5,\"faults_at_least\":false,\"run_delay\":2000000,\"run_delay_ns\":2000000,"
				     "\"run_delay_at_least\":false,\"zone\":\"sleep\""));
	assert_non_null(strstr(text, "\"cpu\":4000000,\"cpu_ns\":4000000,\"cpu_at_least\":true,"));
	assert_non_null(strstr(text, "\"cpu\":null,\"cpu_ns\":null,\"off_cpu\":null,\"off_cpu_ns\":null,"
				     "\"voluntary\":null,\"involuntary\":null,\"faults\":null,\"run_delay\":null,\"run_delay_ns\":null}"));
	free(text);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table),
		cmocka_unit_test(one_frame_has_no_zones),
		cmocka_unit_test(without_frames_there_are_only_shares),
		cmocka_unit_test(a_line_of_csv_each),
		cmocka_unit_test(loads_in_json),
		cmocka_unit_test(what_the_system_counts_has_columns),
		cmocka_unit_test(what_the_system_counts_in_json),
	};

	return cmocka_run_group_tests_name("io: threads", tests, NULL, NULL);
}

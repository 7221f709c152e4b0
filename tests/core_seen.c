/* core_seen.c: proftop is run on a region, and its words are compared with the region's counts. */
#include "tests/core_seen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/core_run.h"

#define COMMAND 1024

char *seen_print(const char *const *arguments)
{
	const char *top = getenv("top_builddir");
	char command[COMMAND];
	size_t size = 0, used = (size_t)snprintf(command, sizeof command, "%s/proftop/proftop", top ? top : ".");
	char *text = NULL;

	for (; *arguments && used < sizeof command; arguments++)
		used += (size_t)snprintf(command + used, sizeof command - used, " '%s'", *arguments);
	FILE *pipe = popen(command, "r");
	FILE *copy = open_memstream(&text, &size);
	for (int c; pipe && (c = getc(pipe)) != EOF;)
		putc(c, copy);
	fclose(copy);
	int status = pipe ? pclose(pipe) : -1;
	if (CHECK(status == 0 && size, "%s: status %#x", command, (unsigned)status))
		return text;
	free(text);
	return NULL;
}

/* The line of `text` that has `part` in it, alone; NULL: there is none. */
static char *line_with(char *text, const char *part)
{
	char *at = strstr(text, part), *begin = at;

	if (!at)
		return NULL;
	while (begin > text && begin[-1] != '\n')
		begin--;
	at[strcspn(at, "\n")] = '\0';
	return begin;
}

static bool is_apart(unsigned cause)
{
	return cause == LOSS_LEFT_OPEN || cause == LOSS_CALLS_ROOM;
}

/* ---- the report */

static void check_causes(struct view *view, const char *text)
{
	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++) {
		uint64_t lost = view->process.lost[cause];
		char line[512];
		snprintf(line, sizeof line, " %8" PRIu64 "  %s: %s\n", lost, region_loss_key(cause),
		         region_loss_text(cause));
		CHECK(!lost == !strstr(text, line), "of %" PRIu64 " lost by %s the report says:\n%s", lost,
		      region_loss_key(cause), text);
	}
}

static void check_report(struct view *view, const char *region)
{
	char *text = seen_print((const char *const[]){ "report", region, NULL });
	uint64_t open = view->process.lost[LOSS_LEFT_OPEN], total = 0;
	char lost[64], times[32], left[512], name[256];

	if (!text)
		return;
	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++)
		total += is_apart(cause) ? 0 : view->process.lost[cause];
	snprintf(lost, sizeof lost, "\nlost %" PRIu64, total);
	view_left_open(view, name, sizeof name);
	snprintf(times, sizeof times, open == 1 ? "once" : "%" PRIu64 " times", open);
	snprintf(left, sizeof left, *name ? "zones not closed %s (last: %s)\n" : "zones not closed %s\n", times, name);
	/* Numbers that are 0 are not printed.  If a thread stopped in an update, proftop may add a loss of its own. */
	CHECK(view->torn || !total == !strstr(text, lost), "not in the report:%s", lost);
	CHECK(view->torn || !open == !strstr(text, left), "not in the report: %s", left);
	check_causes(view, text);
	free(text);
	text = seen_print((const char *const[]){ "stacks", region, NULL });
	CHECK(!text || view->torn || !(total + open) || strstr(text, total ? lost : left), "not below the stacks:%s", total ? lost : left);
	free(text);
}

/* ---- JSON: of the report, and of the list, which has no causes without a count */

static void check_object(struct view *view, const char *text)
{
	for (unsigned cause = 0; text && cause < LOSS_CAUSES; cause++) {
		uint64_t lost = view->process.lost[cause];
		char field[128];
		snprintf(field, sizeof field, "\"%s\":%" PRIu64, region_loss_key(cause), lost);
		const char *at = strstr(text, field);
		bool there = at && (at[strlen(field)] == ',' || at[strlen(field)] == '}');
		CHECK(there || !lost, "%s is not in:\n%s", field, text);
	}
}

static void check_json(struct view *view, const char *region)
{
	char *text = seen_print((const char *const[]){ "report", "-j", region, NULL });
	char *lost = text ? strstr(text, "\"lost\":{") : NULL;

	if (text)
		CHECK(lost != NULL, "the document has no losses");
	check_object(view, lost);
	free(text);
}

static void check_list_json(struct view *view, const char *region)
{
	char *text = seen_print((const char *const[]){ "list", "-j", NULL }), name[128];

	snprintf(name, sizeof name, "\"name\":\"%s\"", region);
	char *line = text ? line_with(text, name) : NULL;
	if (text && CHECK(line != NULL, "%s is not in the list", region))
		check_object(view, line);
	free(text);
}

/* ---- the list: the sum, and the cause of most of it */

static void check_list(struct view *view, const char *region)
{
	char *text = seen_print((const char *const[]){ "list", NULL }), part[128];
	uint64_t total = 0;
	unsigned most = LOSS_CAUSES, causes = 0;

	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++) {
		uint64_t lost = is_apart(cause) ? 0 : view->process.lost[cause];
		total += lost;
		causes += lost != 0;
		if (lost && (most == LOSS_CAUSES || lost > view->process.lost[most]))
			most = cause;
	}
	snprintf(part, sizeof part, "%s ", region);
	char *line = text ? line_with(text, part) : NULL;
	if (text && CHECK(line != NULL, "%s is not in the list", region) && total) {
		int used = snprintf(part, sizeof part, " %" PRIu64 " %s", total, region_loss_key(most));
		if (causes > 1)
			snprintf(part + used, sizeof part - (size_t)used, " +%u ", causes - 1);
		CHECK(strstr(line, part) != NULL, "'%s' is not in: %s", part, line);
	}
	free(text);
}

void seen_check_losses(struct view *view, const char *region)
{
	bool any = false;

	for (unsigned cause = 0; cause < LOSS_CAUSES; cause++)
		any |= view->process.lost[cause] != 0;
	check_report(view, region);
	if (!any)
		return; /* what the others say then is what the report says */
	check_json(view, region);
	check_list_json(view, region);
	check_list(view, region);
}

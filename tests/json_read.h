/* SPDX-License-Identifier: MIT */
/*
 * json_read: what stands where in a JSON document. A place is named by a path, `why/0/rows/1/delta`, of members and
 * of indices. What is not there, or is of another type, fails the test that asks for it.
 */
#ifndef TESTS_JSON_READ_H
#define TESTS_JSON_READ_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <yajl/yajl_tree.h>

/* The caller frees it by yajl_tree_free. */
static inline yajl_val doc_parse(const char *text)
{
	char why[256];
	yajl_val tree = yajl_tree_parse(text, why, sizeof(why));

	if (!tree)
		fail_msg("%s: %.1000s", why, text);
	return tree;
}

/* What the shell's command prints; it has to end well. The caller frees it by yajl_tree_free. */
static inline yajl_val doc_of(const char *command)
{
	FILE *from = popen(command, "r");
	size_t size = 0, got;
	char *text = NULL;
	yajl_val tree;

	assert_non_null(from);
	do {
		text = realloc(text, size + 65536 + 1);
		assert_non_null(text);
		got = fread(text + size, 1, 65536, from);
		size += got;
	} while (got);
	text[size] = '\0';
	if (pclose(from) != 0)
		fail_msg("failed: %s", command);
	tree = doc_parse(text);
	free(text);
	return tree;
}

/* The value's own; NULL: it has none of that name. */
static inline yajl_val doc_member(yajl_val value, const char *name)
{
	if (YAJL_IS_ARRAY(value)) {
		size_t i = strtoul(name, NULL, 10);

		return i < value->u.array.len ? value->u.array.values[i] : NULL;
	}
	return yajl_tree_get(value, (const char *[]){ name, NULL }, yajl_t_any);
}

static inline yajl_val doc_at(yajl_val value, const char *path)
{
	char copy[128], *rest = copy, *name;

	snprintf(copy, sizeof(copy), "%s", path);
	while ((name = strsep(&rest, "/"))) {
		value = doc_member(value, name);
		if (!value)
			fail_msg("nothing at %s (%s)", path, name);
	}
	return value;
}

static inline long long doc_integer(yajl_val value, const char *path)
{
	yajl_val found = doc_at(value, path);

	if (!YAJL_IS_INTEGER(found))
		fail_msg("%s is no integer", path);
	return YAJL_GET_INTEGER(found);
}

/* A number as it is written. */
static inline const char *doc_digits(yajl_val value, const char *path)
{
	yajl_val found = doc_at(value, path);

	if (!YAJL_IS_NUMBER(found))
		fail_msg("%s is no number", path);
	return YAJL_GET_NUMBER(found);
}

static inline double doc_real(yajl_val value, const char *path)
{
	return strtod(doc_digits(value, path), NULL);
}

static inline const char *doc_text(yajl_val value, const char *path)
{
	yajl_val found = doc_at(value, path);

	if (!YAJL_IS_STRING(found))
		fail_msg("%s is no text", path);
	return YAJL_GET_STRING(found);
}

static inline yajl_val doc_array(yajl_val value, const char *path)
{
	yajl_val found = doc_at(value, path);

	if (!YAJL_IS_ARRAY(found))
		fail_msg("%s is no array", path);
	return found;
}

static inline size_t doc_length(yajl_val value, const char *path)
{
	return doc_array(value, path)->u.array.len;
}

#endif

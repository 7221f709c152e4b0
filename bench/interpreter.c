/* interpreter.c: a small language, with a zone in every call: the worst that instrumentation can do to a program
 * that computes something.
 *
 *   bench/interpreter [TIMES]
 *
 * Programs are lists in parentheses, as in Lisp; they are read into a tree, and the tree is walked.  Values are
 * integers.  The program below counts the ways to put eight queens on a board, steps of the Collatz sequence, and
 * primes.  A frame is one run of it.  Compiled with Prof_ENABLED=0 it is the same program without instrumentation.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prof.h"

static const char source[] =
	"(def put (all columns left right free)"
	"  (if (= free 0) 0"
	"    (+ (queens all (| columns (& free (- 0 free)))"
	"               (<< (| left (& free (- 0 free))) 1)"
	"               (>> (| right (& free (- 0 free))) 1))"
	"       (put all columns left right (& free (- free 1))))))"
	"(def queens (all columns left right)"
	"  (if (= columns all) 1"
	"    (put all columns left right (- all (& all (| columns (| left right)))))))"
	"(def collatz (n steps)"
	"  (if (= n 1) steps"
	"    (collatz (if (= (& n 1) 0) (>> n 1) (+ (* 3 n) 1)) (+ steps 1))))"
	"(def divides (n by) (if (< n (* by by)) 1 (if (= (% n by) 0) 0 (divides n (+ by 1)))))"
	"(def primes (n) (if (< n 2) 0 (+ (divides n 2) (primes (- n 1)))))"
	"(def main () (+ (* 1000000 (queens 255 0 0 0)) (+ (* 1000 (collatz 27 0)) (primes 400))))";
#define RESULT (92 * 1000000 + 111 * 1000 + 78)

/* ---- the tree */

enum kind { NUMBER, ARGUMENT, IF, CALL, ADD, SUBTRACT, MULTIPLY, REMAINDER, EQUAL, LESS, AND, OR, LEFT, RIGHT };

#define ARGUMENTS 6
#define NAME      16

struct node {
	enum kind kind;
	int64_t number; /* or which argument */
	struct function *function;
	struct node *parts[ARGUMENTS];
	int count;
};

struct function {
	char name[NAME];
	char arguments[ARGUMENTS][NAME];
	int count;
	struct node *body;
	Prof_zone *zone;
};

static struct function functions[16];
static int function_count;

static const struct {
	const char *name;
	enum kind kind;
} operators[] = {
	{ "if", IF },  { "+", ADD },  { "-", SUBTRACT }, { "*", MULTIPLY }, { "%", REMAINDER }, { "=", EQUAL },
	{ "<", LESS }, { "&", AND }, { "|", OR },       { "<<", LEFT },    { ">>", RIGHT },
};

/* ---- reading */

static const char *at = source;

static void take(char word[NAME])
{
	size_t size;

	at += strspn(at, " ");
	size = *at == '(' || *at == ')' ? 1 : strcspn(at, " ()");
	snprintf(word, NAME, "%.*s", (int)size, at);
	at += size;
}

static bool next_is(char what)
{
	at += strspn(at, " ");
	return *at == what;
}

/* The one of that name; it may be called before it is defined. */
static struct function *function_of(const char *name)
{
	for (int i = 0; i < function_count; i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	struct function *made = &functions[function_count++];
	snprintf(made->name, NAME, "%s", name);
	made->zone = Prof_Zone(made->name);
	return made;
}

static struct node *read_tree(const struct function *in);

static void read_list(struct node *node, const struct function *in)
{
	char word[NAME];

	take(word);
	take(word);
	node->kind = CALL;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (!strcmp(operators[i].name, word))
			node->kind = operators[i].kind;
	if (node->kind == CALL)
		node->function = function_of(word);
	while (!next_is(')'))
		node->parts[node->count++] = read_tree(in);
	take(word);
}

static struct node *read_tree(const struct function *in)
{
	struct node *node = calloc(1, sizeof *node);
	char word[NAME];

	if (!node)
		exit(1);
	if (next_is('(')) {
		read_list(node, in);
		return node;
	}
	take(word);
	node->kind = isdigit((unsigned char)*word) ? NUMBER : ARGUMENT;
	node->number = strtoll(word, NULL, 10);
	for (int i = 0; node->kind == ARGUMENT && i < in->count; i++)
		if (!strcmp(in->arguments[i], word))
			node->number = i;
	return node;
}

static void read_all(void)
{
	char word[NAME];

	while (next_is('(')) {
		take(word);
		take(word); /* def */
		take(word);
		struct function *function = function_of(word);
		take(word);
		while (!next_is(')'))
			take(function->arguments[function->count++]);
		take(word);
		function->body = read_tree(function);
		take(word);
	}
}

/* ---- running */

static int64_t value_of(const struct node *node, const int64_t *arguments);

static int64_t call(const struct function *function, const struct node *node, const int64_t *outer)
{
	int64_t arguments[ARGUMENTS], value;

	for (int i = 0; i < node->count; i++)
		arguments[i] = value_of(node->parts[i], outer);
	Prof_Enter(function->zone);
	value = value_of(function->body, arguments);
	Prof_Leave();
	return value;
}

static int64_t value_of(const struct node *node, const int64_t *arguments)
{
	int64_t a, b;

	switch (node->kind) {
	case NUMBER:
		return node->number;
	case ARGUMENT:
		return arguments[node->number];
	case CALL:
		return call(node->function, node, arguments);
	case IF:
		return value_of(node->parts[value_of(node->parts[0], arguments) ? 1 : 2], arguments);
	default:
		break;
	}
	a = value_of(node->parts[0], arguments);
	b = value_of(node->parts[1], arguments);
	switch (node->kind) {
	case ADD: return a + b;
	case SUBTRACT: return a - b;
	case MULTIPLY: return a * b;
	case REMAINDER: return b ? a % b : 0;
	case EQUAL: return a == b;
	case LESS: return a < b;
	case AND: return a & b;
	case OR: return a | b;
	case LEFT: return a << b;
	default: return a >> b;
	}
}

int main(int argc, char **argv)
{
	long times = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	struct node start = { .kind = CALL };
	int64_t result = 0;

	read_all();
	start.function = function_of("main");
	for (long i = 0; i < times; i++) {
		result = value_of(&start, NULL);
		Prof_update(1);
	}
	printf("%lld\n", (long long)result);
	return result == RESULT ? 0 : 1;
}

/* SPDX-License-Identifier: MIT */
/* recursion.c: zones that are entered while they are open.
 *
 * Direct recursion     fibonacci, quicksort, and a binary tree's insert and walk
 * Mutual recursion     a calculator's parser, expr > term > factor > expr, and
 *                      even > odd > even
 * A shared public zone compare, entered from quicksort and from insert
 * Many callers         fibonacci and quicksort are entered by main's zones, by
 *                      themselves, and by the parser, for fib(...) and median(...)
 *
 * So the call graph of quicksort has three callers, one of them itself:
 *
 *   proftop report -v graph -z quicksort -- ./recursion
 *   proftop report -v graph -z expr --spread -- ./recursion
 *
 * Every frame does the same work; what is printed is the same in every run.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prof.h>

enum { FRAMES = 12, NUMBERS = 600 };

Prof_Define(compare); /* one zone, used wherever two numbers are compared */

static int compare(long a, long b)
{
	Prof_Scope(compare);

	return (a > b) - (a < b);
}

/* The numbers to sort: a linear congruence, so the same on every machine. */
static void numbers_fill(long *numbers, int count, uint32_t seed)
{
	for (int i = 0; i < count; i++) {
		seed = seed * 1664525u + 1013904223u;
		numbers[i] = seed >> 16;
	}
}

/* Direct recursion. */

static long fibonacci(int n)
{
	Prof(fibonacci);

	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void swap(long *a, long *b)
{
	long old = *a;

	*a = *b;
	*b = old;
}

static void quicksort(long *first, int count)
{
	Prof(quicksort);
	int left = 0;

	if (count < 2)
		return;
	swap(&first[count / 2], &first[count - 1]);
	for (int i = 0; i < count - 1; i++) {
		if (compare(first[i], first[count - 1]) < 0)
			swap(&first[i], &first[left++]);
	}
	swap(&first[left], &first[count - 1]);
	quicksort(first, left);
	quicksort(first + left + 1, count - left - 1);
}

struct node {
	long key;
	struct node *left, *right;
};

/* Puts leaf into the tree at *place; equal keys go to the right. */
static void insert(struct node **place, struct node *leaf)
{
	Prof(insert);

	if (!*place)
		*place = leaf;
	else if (compare(leaf->key, (*place)->key) < 0)
		insert(&(*place)->left, leaf);
	else
		insert(&(*place)->right, leaf);
}

/* In order: calls itself on both sides.  Returns the height of the tree. */
static int walk(const struct node *node, long *keys, int *count)
{
	Prof(walk);

	if (!node)
		return 0;
	int left = walk(node->left, keys, count);
	keys[(*count)++] = node->key;
	int right = walk(node->right, keys, count);
	return 1 + (left > right ? left : right);
}

/* Mutual recursion: each of the two is entered only by the other after the first. */

static bool odd(unsigned n);

static bool even(unsigned n)
{
	Prof(even);

	return n == 0 || odd(n - 1);
}

static bool odd(unsigned n)
{
	Prof(odd);

	return n != 0 && even(n - 1);
}

/* Mutual recursion: a calculator, by recursive descent.
 *
 *   expr   = term { ("+" | "-") term }
 *   term   = factor { ("*" | "/") factor }
 *   factor = number | "-" factor | "(" expr ")" | name "(" expr { "," expr } ")"
 */
struct parser {
	const char *at; /* the next character */
	bool wrong;     /* something could not be read or computed */
};

enum { ARGUMENTS = 16 };

static long expr(struct parser *p);

/* Skips blanks; takes the character if it is the next one. */
static bool accept(struct parser *p, char c)
{
	while (*p->at == ' ')
		p->at++;
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

static long median(long *arguments, int count)
{
	Prof(median);

	quicksort(arguments, count);
	return arguments[count / 2];
}

static long call(struct parser *p, const char *name, size_t length)
{
	Prof(call);
	long arguments[ARGUMENTS];
	int count = 0;

	do {
		long value = expr(p);
		if (count < ARGUMENTS)
			arguments[count++] = value;
		else
			p->wrong = true;
	} while (accept(p, ','));
	p->wrong |= !accept(p, ')');
	if (length == 3 && !memcmp(name, "fib", 3) && arguments[0] >= 0 && arguments[0] <= 20)
		return fibonacci((int)arguments[0]);
	if (length == 4 && !memcmp(name, "even", 4) && arguments[0] >= 0 && arguments[0] <= 40)
		return even((unsigned)arguments[0]);
	if (length == 6 && !memcmp(name, "median", 6))
		return median(arguments, count);
	p->wrong = true;
	return 0;
}

static long factor(struct parser *p)
{
	Prof(factor);

	if (accept(p, '-'))
		return -factor(p);
	if (accept(p, '(')) {
		long value = expr(p);
		p->wrong |= !accept(p, ')');
		return value;
	}
	if (isdigit((unsigned char)*p->at))
		return strtol(p->at, (char **)&p->at, 10);
	const char *name = p->at;
	while (isalpha((unsigned char)*p->at))
		p->at++;
	size_t length = (size_t)(p->at - name);
	if (length && accept(p, '('))
		return call(p, name, length);
	p->wrong = true;
	return 0;
}

static long term(struct parser *p)
{
	Prof(term);
	long value = factor(p);

	for (;;) {
		if (accept(p, '*')) {
			value *= factor(p);
		} else if (accept(p, '/')) {
			long divisor = factor(p);
			if (divisor)
				value /= divisor;
			else
				p->wrong = true;
		} else {
			return value;
		}
	}
}

static long expr(struct parser *p)
{
	Prof(expr);
	long value = term(p);

	for (;;) {
		if (accept(p, '+'))
			value += term(p);
		else if (accept(p, '-'))
			value -= term(p);
		else
			return value;
	}
}

static const char *const formulas[] = {
	"1 + 2 * 3",
	"((((((7))))))",
	"-(4 - 9) * (3 + (2 - (1 - (8 / 2))))",
	"fib(3 * 4) - fib(fib(6)) / (1 + even(10))",
	"median(9, 2, fib(7), 4 * (5 - 2), -1, median(3, 1, 2))",
	"(1 + (2 + (3 + (4 + (5 + (6 + (7 + (8 + 9))))))))",
	"fib(median(fib(5), 2 * 6, 9)) + even(7)",
	"1 / (2 - fib(3))",
};

enum { FORMULAS = sizeof formulas / sizeof *formulas };

/* What a frame found out; every frame finds the same. */
struct results {
	long fibonacci;
	long median;
	bool sorted_alike; /* quicksort and the tree agree */
	int height;
	bool even;
	long values[FORMULAS];
	bool wrong[FORMULAS];
};

static void sort_twice(struct results *r)
{
	Prof(sort_twice);
	long sorted[NUMBERS], keys[NUMBERS];
	struct node nodes[NUMBERS] = { 0 };
	struct node *root = NULL;
	int count = 0;

	numbers_fill(sorted, NUMBERS, 2024);
	for (int i = 0; i < NUMBERS; i++) {
		nodes[i].key = sorted[i];
		insert(&root, &nodes[i]);
	}
	quicksort(sorted, NUMBERS);
	r->height = walk(root, keys, &count);
	r->sorted_alike = count == NUMBERS && !memcmp(sorted, keys, sizeof keys);
	r->median = sorted[NUMBERS / 2];
}

static void calculate(struct results *r)
{
	Prof(calculate);

	for (int i = 0; i < FORMULAS; i++) {
		struct parser p = { .at = formulas[i] };
		r->values[i] = expr(&p);
		r->wrong[i] = p.wrong || *p.at != '\0';
	}
}

static void frame(struct results *r)
{
	Prof(frame);

	r->fibonacci = fibonacci(16);
	r->even = even(30);
	sort_twice(r);
	calculate(r);
}

int main(void)
{
	struct results r = { 0 };

	Prof_Thread("main");
	for (int i = 0; i < FRAMES; i++) {
		frame(&r);
		Prof_update(1);
	}
	printf("fibonacci(16) = %ld\n", r.fibonacci);
	printf("30 is %s\n", r.even ? "even" : "odd");
	printf("median of %d numbers = %ld, tree height %d, %s\n", NUMBERS, r.median, r.height,
	       r.sorted_alike ? "sorted alike" : "SORTED DIFFERENTLY");
	for (int i = 0; i < FORMULAS; i++) {
		if (r.wrong[i])
			printf("%s = ?\n", formulas[i]);
		else
			printf("%s = %ld\n", formulas[i], r.values[i]);
	}
	return r.sorted_alike ? 0 : 1;
}

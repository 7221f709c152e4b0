/* signature.c: finds class::name in a signature.
 *
 * The name stands in front of the parameters.  A blank, `*` or `&` ends the
 * return type.  A `(` that begins a word holds the rest of the declarator, as
 * in `void (*get(int))(double)`; any other `(` begins parameters.  If `::`
 * follows the parameters, the function is the scope of what comes behind it.
 */
#include "libprof/signature.h"

#include <stdbool.h>
#include <string.h>

static bool begins_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* ---- behind a group of brackets, or at the end of the text */

static const char *behind_parens(const char *s)
{
	for (size_t open = 0; *s; s++) {
		open += *s == '(';
		open -= *s == ')';
		if (!open)
			return s + 1;
	}
	return s;
}

/* A `>` in parentheses, as in Cmp<(3 > 2)>, or in quotes closes nothing. */
static const char *behind_angles(const char *s)
{
	size_t open = 0;

	while (*s) {
		if (*s == '(') {
			s = behind_parens(s);
			continue;
		}
		if (*s == '\'' && s[1] && s[1 + (s[1] == '\\')] && s[2 + (s[1] == '\\')] == '\'')
			s += 2 + (s[1] == '\\');
		open += *s == '<';
		open -= *s == '>';
		s++;
		if (!open)
			break;
	}
	return s;
}

/* The end of the parameters and of the qualifiers behind them. */
static const char *behind_parameters(const char *s)
{
	static const char *const qualifiers[] = { " const", " volatile", " &&", " &", " noexcept" };

	s = behind_parens(s);
	for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
		if (begins_with(s, qualifiers[i]))
			s += strlen(qualifiers[i]);
	return s;
}

/* ---- operators */

static bool is_operator(const char *s)
{
	return begins_with(s, "operator") && !is_word(s[8]);
}

/* Returns where the parameters of an operator begin, as in `operator()`,
 * `operator new []` or `operator void (*)(int)`. */
static const char *behind_operator(const char *s)
{
	s += 8;
	if (begins_with(s, "()"))
		return s + 2;
	if (*s != ' ' || begins_with(s, " new") || begins_with(s, " delete") || begins_with(s, " co_await") || begins_with(s, " \""))
		return s + strcspn(s, "(");
	while (*s && (!begins_with(s, "()") || s[2] == '(')) /* the parameters of a conversion are () */
		s++;
	return s;
}

/* ---- the qualified name */

static bool is_decltype(const char *begin, const char *end)
{
	while (end > begin && end[-1] == ' ')
		end--;
	return end - begin >= 8 && begins_with(end - 8, "decltype") && (end - 8 == begin || !is_word(end[-9]));
}

/* A declarator in parentheses costs a look at the rest of the text, so a text
 * of many "(" would cost the square of its length. No compiler writes so many:
 * a text with more of them is no signature. */
#define DECLARATORS 32

/* Sets *begin to the start of the qualified name, and returns its end.  NULL:
 * there is none. */
static const char *qualified_name(const char *signature, const char **begin)
{
	const char *s = *begin = signature, *behind;
	int declarators = 0;

	while (*s && declarators <= DECLARATORS) {
		bool first = s == *begin || (s - *begin >= 2 && s[-1] == ':' && s[-2] == ':');
		if (first && is_operator(s)) {
			s = behind_operator(s);
		} else if (*s == '(' && is_decltype(signature, s)) {
			s = behind_parens(s);
		} else if (*s == '(' && first) {
			behind = behind_parens(s);
			if (begins_with(behind, "::")) { /* (anonymous namespace):: */
				s = behind;
				continue;
			}
			*begin = ++s;
			declarators++;
		} else if (*s == '(') {
			behind = behind_parameters(s);
			if (!begins_with(behind, "::"))
				return s;
			s = behind;
		} else if (*s == '<') {
			behind = behind_angles(s);
			if (first && begins_with(s, "<lambda") && !begins_with(behind, "::"))
				return behind;
			s = behind;
		} else if (*s == ' ' || *s == '*' || *s == '&') {
			*begin = ++s;
		} else {
			s++;
		}
	}
	return NULL;
}

/* ---- its parts */

struct part {
	const char *text;
	size_t size; /* 0: it has no name */
	bool lambda;
};

/* clang has (anonymous class)::operator(), and gcc <lambda(int)>. */
static bool is_lambda(const char *s)
{
	return begins_with(s, "<lambda") || begins_with(s, "(lambda") || begins_with(s, "(anonymous class)::operator()");
}

/* Reads the part that begins at s.  Returns what comes behind its `::`. */
static const char *next_part(const char *s, const char *end, struct part *part)
{
	const char *from = s;

	*part = (struct part){ s, 0, is_lambda(s) };
	if (is_operator(s))
		s = behind_operator(s);
	else
		while (s < end && !strchr("<([{:", *s))
			s++;
	part->size = (size_t)(s - from);
	if (part->lambda)
		*part = (struct part){ "lambda", strlen("lambda"), true };
	while (s < end && !begins_with(s, "::"))
		s = *s == '(' ? behind_parens(s) : *s == '<' ? behind_angles(s) : s + 1;
	s += s < end ? 2 : 0;
	return begins_with(from, "(anonymous class)::operator()") ? next_part(s, end, &(struct part){ NULL, 0, false }) : s;
}

static size_t named_parts(const char *s, const char *end)
{
	size_t count = 0;
	struct part part;

	while (s < end) {
		s = next_part(s, end, &part);
		count += part.size && !part.lambda;
	}
	return count;
}

static size_t put_text(char out[SIGNATURE_NAME], size_t used, const char *text, size_t size)
{
	size = size < SIGNATURE_NAME - 1 - used ? size : SIGNATURE_NAME - 1 - used;
	memcpy(out + used, text, size);
	out[used + size] = '\0';
	return used + size;
}

void prof__signature_name(const char *signature, char out[SIGNATURE_NAME])
{
	const char *s, *end = qualified_name(signature, &s);
	size_t left = end ? named_parts(s, end) : 0, used = 0;
	struct part part;

	out[0] = '\0';
	while (end && s < end) {
		s = next_part(s, end, &part);
		if (part.size && left <= 2) {
			used = put_text(out, used, "::", used ? 2 : 0);
			used = put_text(out, used, part.text, part.size);
		}
		left -= part.size && !part.lambda && left > 2;
	}
	if (!used)
		put_text(out, 0, signature, strnlen(signature, SIGNATURE_NAME));
}

/* core_signature.c: names of C++ functions, from signatures as gcc and clang
 * write them. */
#include <stdio.h>
#include <string.h>
#include "libprof/signature.h"
#include "tests/core_run.h"

#define LONG ((size_t)1 << 19)

static void check_name(const char *signature, const char *expected)
{
	char name[SIGNATURE_NAME];

	prof__signature_name(signature, name);
	CHECK(!strcmp(name, expected), "'%s' is '%s', not '%s'", signature, name, expected);
}

static void check_spellings(void)
{
	static const struct { const char *signature, *name; } all[] = {
		{ "void plain()", "plain" },
		{ "int st(int (*)(int))", "st" },
		{ "virtual const char* game::ai::Solver::solve(int) const", "Solver::solve" },
		{ "virtual const char *game::ai::Solver::solve(int) const", "Solver::solve" },
		{ "game::ai::Solver::Solver()", "Solver::Solver" },
		{ "virtual game::ai::Solver::~Solver()", "Solver::~Solver" },
		{ "int game::ai::think(int)", "ai::think" },
		{ "T game::ai::Solver::conv(T) [with T = std::vector<int>]", "Solver::conv" },
		{ "game::ai::Solver::conv<std::vector<int> >(std::vector<int>)::<lambda()>", "Solver::conv::lambda" },
		{ "auto game::ai::Solver::conv(std::vector<int>)::(anonymous class)::operator()() const", "Solver::conv::lambda" },
		{ "void {anonymous}::anon()", "anon" },
		{ "void (anonymous namespace)::anon()", "anon" },
		{ "int nn::{anonymous}::C::operator()(int) const", "C::operator()" },
		{ "int nn::(anonymous namespace)::C::operator()(int) const", "C::operator()" },
		{ "void Mesh<T>::load() [with T = int]", "Mesh::load" },
		{ "void Mesh<int>::load() [T = int]", "Mesh::load" },
		{ "static Mesh<T> Mesh<T>::make() [with T = int]", "Mesh::make" },
		{ "void Cmp<(3 > 2)>::x()", "Cmp::x" },
		{ "void Cmp<'>'>::x()", "Cmp::x" },
		{ "void Cmp<'\\''>::x()", "Cmp::x" },
		{ "void Cmp<'>', b>::x()", "Cmp::x" },
		{ "void Cmp<'<'>::x()", "Cmp::x" },
		{ "T arr(T (&)[N]) [with T = int; int N = 3]", "arr" },
		{ "bool O::operator<(const O&) const", "O::operator<" },
		{ "O& O::operator<<(int)", "O::operator<<" },
		{ "O* O::operator->()", "O::operator->" },
		{ "O& O::operator,(int)", "O::operator," },
		{ "int O::operator[](int)", "O::operator[]" },
		{ "Mesh<T>::operator T() const [with T = int]", "Mesh::operator T" },
		{ "O::operator std::vector<int>() const", "O::operator std::vector<int>" },
		{ "O::fp O::operator void (*)(int)() const", "O::operator void (*)(int)" },
		{ "O::fq O::operator void (*)()() const", "O::operator void (*)()" },
		{ "static void *O::operator new[](size_t)", "O::operator new[]" },
		{ "static void O::operator delete(void*)", "O::operator delete" },
		{ "bool O::operator()(T, T) [with T = int]", "O::operator()" },
		{ "int operator\"\"_km(long long unsigned int)", "operator\"\"_km" },
		{ "task operator co_await(event &)", "operator co_await" },
		{ "void operatorless()", "operatorless" },
		{ "void (* getf(int))(double)", "getf" },
		{ "void (* F::get(int) const)(double)", "F::get" },
		{ "void (*F::get(int) const)(double)", "F::get" },
		{ "int (& F::ra())[3]", "F::ra" },
		{ "int O::* F::pm()", "F::pm" },
		{ "void (O::* F::pmf(int))(int)", "F::pmf" },
		{ "std::function<void (int)> F::mk()", "F::mk" },
		{ "F::lam() const::<lambda(int)>::<lambda()>", "F::lam::lambda::lambda" },
		{ "F::lam() const::<lambda()> mutable", "F::lam::lambda" },
		{ "void f()::<lambda()>::A::B::g()", "B::g" },
		{ "void F::lam() const::Loc::run()", "Loc::run" },
		{ "decltype ((a + b)) add(T, U) [with T = int; U = double]", "add" },
		{ "decltype(a + b) add(T, U)", "add" },
		{ "<dependent type> add(T, U) [T = int, U = double]", "add" },
		{ "typename std::vector<T>::iterator it(std::vector<T>&) [with T = int]", "it" },
		{ "<lambda(int)>", "lambda" },
		{ "auto (anonymous class)::operator()(int) const", "lambda" },
		{ "void S1::<unnamed struct>::inan()", "S1::inan" },
		{ "std::string text[abi:cxx11](int)", "text" },
		{ "void call(F) [with F = main()::<lambda()>]", "call" },
		{ "int main()::L::operator()()", "L::operator()" },
		{ "plain", "plain" },
		{ "top level", "top level" },
		{ "void ((((", "void ((((" },
		{ "a::b<", "a::b<" },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		check_name(all[i].signature, all[i].name);
}

/* A long name is cut, and nothing is written behind it. */
static void check_long(void)
{
	static char signature[4 * SIGNATURE_NAME];
	struct { char name[SIGNATURE_NAME], behind; } out = { .behind = 'x' };

	memset(signature, 'a', sizeof signature - 1);
	prof__signature_name(signature, out.name);
	CHECK(strlen(out.name) == SIGNATURE_NAME - 1 && out.behind == 'x');
	memcpy(signature + SIGNATURE_NAME - 2, "::b()", 5);
	prof__signature_name(signature, out.name);
	CHECK(strlen(out.name) == SIGNATURE_NAME - 1 && out.behind == 'x');
	memset(signature, '<', sizeof signature - 1);
	prof__signature_name(signature, out.name);
	CHECK(strlen(out.name) == SIGNATURE_NAME - 1 && out.behind == 'x');
}

/* A function that is in so many parentheses, as in `void (*(*f()))()`. */
static const char *in_parens(char *text, size_t parens)
{
	memset(text, '(', parens);
	memcpy(text + parens, "f()", 3);
	memset(text + parens + 3, ')', parens);
	text[2 * parens + 3] = '\0';
	return text;
}

/* The end of each "(" that begins a word is searched for.  Without a limit that
 * takes minutes for each of the first texts. */
static void check_parens(void)
{
	static char text[2 * LONG + 4];
	static const char *const parts[] = { "(", "( ", "((a)*", "<(", "decltype(", "operator (" };

	check_name(in_parens(text, 8), "f");
	in_parens(text, 100);
	check_name(text, text);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char name[SIGNATURE_NAME], *end = text;
		while (end + strlen(parts[i]) < text + 2 * LONG)
			end = stpcpy(end, parts[i]);
		prof__signature_name(text, name);
		CHECK(!strncmp(name, text, SIGNATURE_NAME - 1), "'%s' without end is '%s'", parts[i], name);
	}
}

int main(void)
{
	check_spellings();
	check_long();
	check_parens();
	return core_result();
}

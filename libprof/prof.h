/* prof.h: zones, frames and threads of an instrumented program.
 *
 * Time is divided into zones by statements that you put into the program, and
 * into frames by a mark that one thread sets.  What is measured goes to a
 * shared-memory region named by the environment variable PROF_SHM, where
 * proftop(1) reads it.  Without PROF_SHM every call here is a test of one word;
 * with Prof_ENABLED defined as 0 before this header nothing is left at all.
 *
 * For C11 and C++17.  All names begin with Prof_ (or prof__, which is private).
 * Every function may be called from any thread, before main and after it, and
 * none of them fails, blocks, or prints: what cannot be recorded is counted by
 * its cause and shown by proftop.  The names and the meaning of Prof,
 * Prof_Begin, Prof_End, Prof_Define, Prof_Declare, Prof_Scope, Prof_Region and
 * Prof_update are those of Sean Barrett's IProf.
 *
 * Zone names are identifiers, may begin with a digit, and live in a namespace
 * of their own:
 *
 *   Prof(zone);             a scope: from here to the end of the block, as one
 *                           declaration.  Ends on return, break and exceptions.
 *   Prof_Begin(zone)        an open zone, ended by Prof_End; both are complete
 *   Prof_End                statements and need no semicolon.
 *   Prof_Define(zone);      a public zone that many places share, at file scope
 *   Prof_Declare(zone);     names one of another file: extern Prof_Declare(zone);
 *   Prof_Scope(zone);       a scope in a public zone
 *   Prof_Region(zone)       as Prof_Begin, in a public zone
 *   Prof_Function;          a scope named after the function it stands in; in C++
 *                           with its class or namespace: Solver::step
 *   Prof_Named("any text"); a scope named by a string literal
 *
 *   Prof_Wait(zone)         as Prof_Begin; the time in it itself is waiting (for the
 *                           screen, a queue): shown, and no busy time.  Zones that
 *                           are entered in it do work
 *   Prof_Log(zone)          as Prof_Begin; when it ends, a line on standard error
 *                           says how long it took, without PROF_SHM too
 *
 *   Prof_Open(zone);        as Prof_Begin and Prof_End, where a statement has to take
 *   Prof_Close();           a semicolon: if (deep) Prof_Open(zone); else ...  No macro
 *                           can be complete both without one and with it
 *
 *   Prof_Suspend(&stack);   zones that go to another thread with their task: a fiber,
 *   Prof_Resume(&stack);    a coroutine
 *
 * A zone made with Prof_Begin, Prof_Open, Prof, Prof_Function, Prof_Named,
 * Prof_Wait or Prof_Log is private: it is one place (file, line, name), and two
 * of one name stay two rows.
 *
 * Beside zones there are values, events and notes, each of the thread and the
 * frame that they come in:
 *
 *   Prof_Counter_Set(name, value);   a counter takes a value
 *   Prof_Counter_Add(name, value);   its value grows by so much, or shrinks
 *   Prof_Event(name);                something happens
 *   Prof_Note(format, ...);          some text, as printf makes it
 *
 * A counter's name is an identifier, as a zone's.  Its values are signed 64-bit
 * integers, or doubles where the value given is a float or a double: a name
 * used with both is two counters.  One that is only added to is one sum over
 * all threads; one that is set is shown once for each thread that set it.  A
 * double that is no finite number is refused, and counted; a note is cut at
 * 1,000 bytes.  Prof_Counter_Unit says what a counter's values are.
 *
 * To compile an instrumented file a C compiler needs __attribute__((cleanup)),
 * as gcc and clang have it, for the scopes; Prof_Begin and Prof_End need
 * nothing.
 */
#ifndef PROF_H
#define PROF_H

#ifndef Prof_ENABLED
#define Prof_ENABLED 1
#endif

#include <stdint.h>

/* A place, or a name that many places share.  Static storage; the library keeps
 * its id in it and copies the strings, so an unloaded module may take it along. */
typedef struct Prof_zone {
	const char *name;
	const char *file; /* "" for a zone that has no place */
	uint32_t line;
	uint32_t flags;
	uint32_t id;      /* 0 until first entered; accessed atomically */
	uint32_t reserved;
} Prof_zone;

/* A counter.  Static storage; as for a zone, the name is copied. */
typedef struct Prof_counter {
	const char *name;
	uint32_t id[2]; /* of integers, of doubles; 0 until first used; accessed atomically */
} Prof_counter;

/* Zones that were suspended, of one task: a fiber, a coroutine.  The caller's; all zeros at first:  Prof_stack
 * stack = Prof_STACK;  It may be moved while nobody uses it.  Its size is the same with Prof_ENABLED 0, so that files of
 * either kind agree. */
#define Prof_STACK_ZONES 30 /* of a task; those inside of so many are not recorded any more, once they are suspended */
typedef struct Prof_stack {
	uint32_t zones; /* private, as all of it */
	uint32_t unseen, more;
	uint32_t base, forks, cause;
	uint64_t thread;
	struct {
		int64_t ticks;
		uint32_t zone, unseen;
	} open[Prof_STACK_ZONES];
} Prof_stack;

#define Prof_LEVEL 0 /* kinds of counters, for Prof_Counter_Unit */
#define Prof_TOTAL 1

#ifdef __cplusplus
#define Prof_STACK { }
#else
#define Prof_STACK { 0 }
#endif
#define prof__AWAY 1u /* in place of a thread's number: the stack was suspended, and not resumed since */

#if Prof_ENABLED

#if defined __SIZEOF_POINTER__ && __SIZEOF_POINTER__ < 8
#error "libprof needs a 64-bit target, as it writes 64-bit words at once; elsewhere compile with -DProf_ENABLED=0"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The zone of that name that was made at run time: the same pointer for the
 * same text, valid until the library is unloaded.  The text is copied.  Never
 * NULL. */
Prof_zone *Prof_Zone(const char *name);

/* The same of a place: as one of this name that is written at this line of this
 * file.  file may be "". */
Prof_zone *Prof_Zone_At(const char *name, const char *file, uint32_t line);

/* Names the calling thread; text longer than 55 bytes is cut. */
void Prof_Thread(const char *name);

/* Ends a frame and starts the next.  record = 0: the frame that ends here is
 * discarded, as when the program is paused. */
void Prof_update(int record);

/* on = 0: from now on nothing is recorded, until it is 1 again; zones that are
 * open end normally.  Frames in which it was off are as those of Prof_update(0). */
void Prof_Enable(int on);

/* From now on, the functions of the program are sampled: so many times in each
 * second of CPU time of each thread, at most 10000.  0: no longer.  It does
 * nothing if the program has its own handler of SIGURG. */
void Prof_Sample(unsigned rate);

/* The counter of that name that was made at run time, as Prof_Zone. */
Prof_counter *Prof_Counter(const char *name);

/* Says what the values of the counters of that name are: their unit (15 bytes,
 * "bytes"; "": none), and whether a value is a level, which rises and falls, or a
 * total, which only grows.  A total is shown by how much it grows.  May be said
 * before the first value or later, and again. */
void Prof_Counter_Unit(const char *name, const char *unit, int kind);

/* Private: what the macros call. */
extern int prof__on; /* 0: there is nothing to do.  Read atomically, nothing else. */
void prof__enter(Prof_zone *zone);
void prof__leave(void);
void prof__frame_begin(const char *name);
void prof__frame_end(void);
void prof__log(Prof_zone *zone);
void prof__suspend(Prof_stack *stack);
void prof__resume(Prof_stack *stack);
void prof__set_whole(Prof_counter *counter, int64_t value);
void prof__add_whole(Prof_counter *counter, int64_t value);
void prof__set_real(Prof_counter *counter, double value);
void prof__add_real(Prof_counter *counter, double value);
void prof__set_float(Prof_counter *counter, float value);
void prof__add_float(Prof_counter *counter, float value);
void prof__set_long(Prof_counter *counter, long double value);
void prof__add_long(Prof_counter *counter, long double value);
void prof__event(Prof_zone *zone);
void prof__note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#define prof__WAITING   1u /* flags of a zone */
#define prof__SIGNATURE 2u /* the library shortens its name, a signature, to class::name */

#define prof__ZONE(text, place, line) { text, place, line, 0, 0, 0 }
/* A constexpr function that the compiler evaluates is not recorded. */
#if defined __cplusplus && __cplusplus >= 201402L
#define prof__IF_RUN if (__builtin_is_constant_evaluated()) { } else
#else
#define prof__IF_RUN
#endif
#if defined __cplusplus && __cplusplus >= 202002L
#define prof__CONSTEXPR constexpr /* of a destructor since C++20 */
#else
#define prof__CONSTEXPR
#endif
#define prof__IF_ON(what)                                                                           \
	do {                                                                                        \
		prof__IF_RUN if (__builtin_expect(__atomic_load_n(&prof__on, __ATOMIC_RELAXED), 0)) \
			what;                                                                       \
	} while (0)
#define prof__ENTER(zone) prof__IF_ON(prof__enter(zone))
#define prof__LEAVE()     prof__IF_ON(prof__leave())

#define prof__PASTE_(a, b) a##b
#define prof__PASTE(a, b)  prof__PASTE_(a, b)

/* prof__STATIC(type, variable, { ... }): what a place keeps, initialised as a constant, without a guard.
 * A static variable of an inline function, a method in its class or a template g++ makes one in the whole process
 * (STB_GNU_UNIQUE), and then dlclose never unloads the module.  Not so if its type belongs to the file that is
 * compiled; each file has its own then, and by their text they are one zone.  An interface of a C++20 module
 * must not use such a type. */
#if defined __cplusplus && !defined __clang__ && !defined __cpp_modules
extern "C++" { /* this header may stand inside of extern "C" */
namespace {

template <typename T> struct prof__of_file : T {
	constexpr explicit prof__of_file(const T &value) : T(value) { }
};

}
}
#define prof__STATIC(type, variable, ...) static prof__of_file<type> variable{ type __VA_ARGS__ }
#else
#define prof__STATIC(type, variable, ...) static type variable = __VA_ARGS__
#endif

/* The name of a variable in the program's own block, where a scope may stand beside or within one of the same name. */
#define prof__NAME(stem) prof__PASTE(stem##_, __LINE__)

#define Prof_Begin(zone)                                                                    \
	{                                                                                   \
		prof__STATIC(Prof_zone, prof__here, prof__ZONE(#zone, __FILE__, __LINE__)); \
		prof__ENTER(&prof__here);                                                   \
	}
#define Prof_End { prof__LEAVE(); }

/* The same as statements that take a semicolon: if (deep) Prof_Open(zone); else ... */
#define Prof_Open(zone)                                                                     \
	do {                                                                                \
		prof__STATIC(Prof_zone, prof__here, prof__ZONE(#zone, __FILE__, __LINE__)); \
		prof__ENTER(&prof__here);                                                   \
	} while (0)
#define Prof_Close() prof__LEAVE()

#define Prof_Wait(zone)                                                                                       \
	{                                                                                                     \
		prof__STATIC(Prof_zone, prof__here, { #zone, __FILE__, __LINE__, prof__WAITING, 0, 0 });      \
		prof__ENTER(&prof__here);                                                                     \
	}
#define Prof_Log(zone)                                                                      \
	{                                                                                   \
		prof__STATIC(Prof_zone, prof__here, prof__ZONE(#zone, __FILE__, __LINE__)); \
		prof__log(&prof__here);                                                     \
	}

#define Prof_Declare(zone) Prof_zone prof__zone_##zone
#define Prof_Define(zone)  Prof_zone prof__zone_##zone = prof__ZONE(#zone, "", 0)
#define Prof_Region(zone)  { prof__ENTER(&prof__zone_##zone); }

/* A zone made by Prof_Zone. */
#define Prof_Enter(zone) prof__ENTER(zone)
#define Prof_Leave()     prof__LEAVE()

/* A task that goes from thread to thread with its zones.  Prof_Resume: from here on the calling thread runs the task.  The
 * zones that the stack holds are opened again, inside of those that the thread has open itself; none of them is entered
 * once more.  Prof_Suspend: the task gives the thread away.  What was opened since the Prof_Resume is left, and the stack
 * holds it; where there was none, all that the thread has open.  Each zone costs as much as an entry or an exit at the most. */
#define Prof_Suspend(stack) prof__IF_ON(prof__suspend(stack))
#define Prof_Resume(stack)  prof__IF_ON(prof__resume(stack))

/* Events of a zone made by Prof_Zone, values of a counter made by Prof_Counter. */
#define Prof_Event_Of(zone)      prof__IF_ON(prof__event(zone))
#define Prof_Set(counter, value) prof__IF_ON(prof__SET(counter, (value)))
#define Prof_Add(counter, value) prof__IF_ON(prof__ADD(counter, (value)))

#define Prof_Event(name)                                                       \
	do {                                                                   \
		prof__STATIC(Prof_zone, prof__here, prof__ZONE(#name, "", 0)); \
		Prof_Event_Of(&prof__here);                                    \
	} while (0)
#define Prof_Counter_Set(name, value)                                         \
	do {                                                                  \
		prof__STATIC(Prof_counter, prof__here, { #name, { 0, 0 } });  \
		Prof_Set(&prof__here, (value));                               \
	} while (0)
#define Prof_Counter_Add(name, value)                                         \
	do {                                                                  \
		prof__STATIC(Prof_counter, prof__here, { #name, { 0, 0 } });  \
		Prof_Add(&prof__here, (value));                               \
	} while (0)
/* As a counter's value, the arguments are evaluated only where there is somebody to take them. */
#define Prof_Note(...) prof__IF_ON(prof__note(__VA_ARGS__))

/* A frame that the program bounds itself: the time between two of them belongs
 * to no frame.  name is a string, or NULL.  No semicolon needed. */
#define Prof_Frame_Begin(name) { prof__frame_begin(name); }
#define Prof_Frame_End         { prof__frame_end(); }

#ifdef __cplusplus
extern "C++" { /* this header may stand inside of extern "C" */

template <bool, typename T> struct prof__if { };
template <typename T> struct prof__if<true, T> { typedef T type; };
template <typename T> struct prof__class { static const bool is = __is_class(T); };
template <typename T> struct prof__class<T &> { static const bool is = __is_class(T); };

template <typename T>
inline typename prof__if<!prof__class<T>::is, void>::type prof__SET(Prof_counter *counter, T value)
{
	if (static_cast<T>(1.5) > static_cast<T>(1)) /* _Float16, __float128 */
		prof__set_long(counter, static_cast<long double>(value));
	else
		prof__set_whole(counter, static_cast<int64_t>(value));
}
template <typename T>
inline typename prof__if<!prof__class<T>::is, void>::type prof__ADD(Prof_counter *counter, T value)
{
	if (static_cast<T>(1.5) > static_cast<T>(1))
		prof__add_long(counter, static_cast<long double>(value));
	else
		prof__add_whole(counter, static_cast<int64_t>(value));
}
inline void prof__SET(Prof_counter *counter, float value)
{
	prof__set_float(counter, value);
}
inline void prof__ADD(Prof_counter *counter, float value)
{
	prof__add_float(counter, value);
}
inline void prof__SET(Prof_counter *counter, double value) { prof__set_real(counter, value); }
inline void prof__ADD(Prof_counter *counter, double value) { prof__add_real(counter, value); }
inline void prof__SET(Prof_counter *counter, long double value)
{
	prof__set_long(counter, value);
}
inline void prof__ADD(Prof_counter *counter, long double value)
{
	prof__add_long(counter, value);
}

/* An object (std::atomic, a class with an operator double) counts as the number
 * that unary plus makes of it; if that is no number, as the one that it converts
 * to; if it converts to several, as an integer. */
struct prof__built_in {
	static long long of(long long);
	static float of(float);
	static double of(double);
	static long double of(long double);
};
template <typename T> inline auto prof__number(T &value, int) ->
	typename prof__if<!prof__class<decltype(+value)>::is, decltype(+value)>::type
{
	return +value;
}
template <typename T> inline auto prof__number(T &value, long) -> decltype(prof__built_in::of(value))
{
	return static_cast<decltype(prof__built_in::of(value))>(value);
}
template <typename T> inline int64_t prof__number(T &value, ...) { return static_cast<int64_t>(value); }

template <typename T>
inline typename prof__if<prof__class<T>::is, void>::type prof__SET(Prof_counter *counter, T &&value)
{
	prof__SET(counter, prof__number(value, 0));
}
template <typename T>
inline typename prof__if<prof__class<T>::is, void>::type prof__ADD(Prof_counter *counter, T &&value)
{
	prof__ADD(counter, prof__number(value, 0));
}

struct prof__scope {
	prof__CONSTEXPR explicit prof__scope(Prof_zone *zone) { prof__ENTER(zone); }
	prof__CONSTEXPR ~prof__scope() { prof__LEAVE(); }
	prof__scope(const prof__scope &) = delete;
	prof__scope &operator=(const prof__scope &) = delete;
};
#define prof__SCOPE(variable, zone) prof__scope variable(zone)

/* A scope in a zone made by Prof_Zone:  Prof_Guard guard(zone); */
typedef prof__scope Prof_Guard;

/* A task that is away for so long as this lives:  { Prof_Suspended away(stack); yield(); } */
struct prof__suspended {
	explicit prof__suspended(Prof_stack &of) : stack(&of) { Prof_Suspend(stack); }
	~prof__suspended() { Prof_Resume(stack); }
	prof__suspended(const prof__suspended &) = delete;
	prof__suspended &operator=(const prof__suspended &) = delete;
	Prof_stack *stack;
};
typedef prof__suspended Prof_Suspended;

#ifdef __cpp_impl_coroutine
/* co_await Prof_Await(stack, awaitable) awaits it, and if it has to wait the coroutine's zones are suspended meanwhile.
 * The coroutine began with Prof_Resume(&stack), on a stack of its own: a local variable, or one of its promise, whose
 * await_transform may return this. */
template <typename T> decltype(auto) prof__awaiter(T &&of)
{
	if constexpr (requires { static_cast<T &&>(of).operator co_await(); })
		return static_cast<T &&>(of).operator co_await();
	else if constexpr (requires { operator co_await(static_cast<T &&>(of)); })
		return operator co_await(static_cast<T &&>(of));
	else
		return static_cast<T &&>(of);
}

template <typename T> T &&prof__of_type() noexcept; /* in no code */

template <typename T> struct prof__await {
	prof__await(Prof_stack &zones, T &&of) : awaiter(prof__awaiter(static_cast<T &&>(of))), stack(&zones) { }
	prof__await(const prof__await &) = delete;
	prof__await &operator=(const prof__await &) = delete;

	bool await_ready() { return static_cast<bool>(awaiter.await_ready()); }

	/* Once the awaiter has the handle, the coroutine may go on on another thread: nothing is touched behind that.  Of
	 * several awaits in one expression g++ may begin all before it ends the first: that one takes the zones, and gives
	 * them back. */
	template <typename Handle> auto await_suspend(Handle handle)
	{
		away = stack->thread != prof__AWAY;
		if (away)
			Prof_Suspend(stack);
#ifdef __cpp_exceptions
		try {
			return awaiter.await_suspend(handle);
		} catch (...) {
			come_back();
			throw;
		}
#else
		return awaiter.await_suspend(handle);
#endif
	}

	decltype(auto) await_resume()
	{
		come_back();
		return awaiter.await_resume();
	}

	/* Something else in the expression has thrown, or the coroutine is destroyed. */
	~prof__await()
	{
		if (away && stack->thread == prof__AWAY)
			Prof_Resume(stack);
	}

	void come_back()
	{
		if (away)
			Prof_Resume(stack);
		away = false;
	}

	decltype(prof__awaiter(prof__of_type<T>())) awaiter;
	Prof_stack *stack;
	bool away = false;
};

template <typename T> prof__await<T> Prof_Await(Prof_stack &stack, T &&awaitable)
{
	return prof__await<T>(stack, static_cast<T &&>(awaitable));
}
#endif

}
#else

/* One of the four is evaluated.  The library converts float and long double, as
 * it does so without a trap.  The plus refuses pointers. */
#define prof__NUMBER(how, counter, value)                                          \
	_Generic((value),                                                          \
	         float: prof__##how##_float(counter, (float)(+(value))),           \
	         double: prof__##how##_real(counter, (double)(+(value))),          \
	         long double: prof__##how##_long(counter, (long double)(+(value))), \
	         default: prof__HAS_FRACTION(value)                                \
	                          ? prof__##how##_long(counter, (long double)(+(value)))  \
	                          : prof__##how##_whole(counter, (int64_t)(+(value))))
/* Whether the type has fractions, as _Float16 and _Float64 have. */
#define prof__HAS_FRACTION(value) ((__typeof__(+(value)))1.5 > (__typeof__(+(value)))1)
#define prof__SET(counter, value) prof__NUMBER(set, counter, value)
#define prof__ADD(counter, value) prof__NUMBER(add, counter, value)

static inline __attribute__((unused)) char prof__scope_in(Prof_zone *zone)
{
	prof__ENTER(zone);
	return 0;
}
static inline __attribute__((unused)) void prof__scope_out(char *unused)
{
	(void)unused;
	prof__LEAVE();
}
#define prof__SCOPE(variable, zone) \
	__attribute__((cleanup(prof__scope_out), unused)) char variable = prof__scope_in(zone)

#endif

#ifdef __cplusplus
#define prof__FUNCTION { __PRETTY_FUNCTION__, __FILE__, __LINE__, prof__SIGNATURE, 0, 0 }
#else
#define prof__FUNCTION prof__ZONE(__func__, __FILE__, __LINE__)
#endif

#define prof__HERE_IS(variable, guard, ...)                \
	prof__STATIC(Prof_zone, variable, __VA_ARGS__);    \
	prof__SCOPE(guard, &variable)
#define prof__HERE(variable, guard, text) prof__HERE_IS(variable, guard, prof__ZONE(text, __FILE__, __LINE__))

#define Prof(zone)        prof__HERE(prof__NAME(prof__here_##zone), prof__NAME(prof__in_##zone), #zone)
#define Prof_Function     prof__HERE_IS(prof__PASTE(prof__function_, __LINE__), \
                                        prof__PASTE(prof__in_function_, __LINE__), prof__FUNCTION)
#define Prof_Scope(zone)  prof__SCOPE(prof__NAME(prof__in_##zone), &prof__zone_##zone)
#define Prof_Named(text)  prof__HERE(prof__PASTE(prof__named_, __LINE__), \
                                     prof__PASTE(prof__in_named_, __LINE__), "" text)

#else /* !Prof_ENABLED: no code, no data, no symbol.  The declarations that take a
       * semicolon become one that may stand wherever a declaration may. */

#ifdef __cplusplus
#define prof__NOTHING static_assert(true, "")
#define prof__NULL    nullptr
#else
#define prof__NOTHING _Static_assert(1, "")
#define prof__NULL    0
#endif
#define prof__UNUSED(value) ((void)(0 && ((void)(value), 1))) /* compiled, and not evaluated */
static inline __attribute__((always_inline, unused)) Prof_zone *prof__no_zone(void)
{
	return prof__NULL;
}
static inline __attribute__((always_inline, unused)) Prof_counter *prof__no_counter(void)
{
	return prof__NULL;
}
static inline __attribute__((unused, format(printf, 1, 2))) int prof__no_note(const char *format, ...)
{
	(void)format;
	return 0;
}

#define Prof(zone)             prof__NOTHING
#define Prof_Begin(zone)       { }
#define Prof_End               { }
#define Prof_Define(zone)      prof__NOTHING
#define Prof_Declare(zone)     struct Prof_zone prof__zone_##zone
#define Prof_Scope(zone)       prof__NOTHING
#define Prof_Region(zone)      { }
#define Prof_Function          prof__NOTHING
#define Prof_Named(text)       prof__NOTHING
#define Prof_Zone(name)        ((void)sizeof(name), prof__no_zone())
#define Prof_Zone_At(name, file, line) ((void)sizeof(name), (void)sizeof(file), (void)sizeof(line), prof__no_zone())
#define Prof_Enter(zone)       ((void)(zone))
#define Prof_Leave()           ((void)0)
#define Prof_Open(zone)        ((void)0)
#define Prof_Close()           ((void)0)
#define Prof_Suspend(stack)    ((void)(stack))
#define Prof_Resume(stack)     ((void)(stack))
#define Prof_update(record)    ((void)(record))
#define Prof_Frame_Begin(name) { (void)(name); }
#define Prof_Frame_End         { }
#define Prof_Thread(name)      ((void)(name))
#define Prof_Wait(zone)        { }
#define Prof_Log(zone)         { }
#define Prof_Enable(on)        ((void)(on))
#define Prof_Sample(rate)      ((void)(rate))
#define Prof_Counter(name)     ((void)sizeof(name), prof__no_counter())
#define Prof_Counter_Unit(name, unit, kind) ((void)sizeof(name), (void)sizeof(unit), (void)sizeof(kind))
#define Prof_Set(counter, value)      ((void)(counter), prof__UNUSED((value)))
#define Prof_Add(counter, value)      ((void)(counter), prof__UNUSED((value)))
#define Prof_Counter_Set(name, value) prof__UNUSED((value))
#define Prof_Counter_Add(name, value) prof__UNUSED((value))
#define Prof_Event(name)       ((void)0)
#define Prof_Event_Of(zone)    ((void)(zone))
#define Prof_Note(...)         prof__UNUSED(prof__no_note(__VA_ARGS__))

#ifdef __cplusplus
extern "C++" {

struct prof__no_guard {
	__attribute__((always_inline)) explicit prof__no_guard(const Prof_zone *) { }
};
typedef __attribute__((unused)) prof__no_guard Prof_Guard;

struct prof__not_suspended {
	__attribute__((always_inline)) explicit prof__not_suspended(const Prof_stack &) { }
};
typedef __attribute__((unused)) prof__not_suspended Prof_Suspended;

#ifdef __cpp_impl_coroutine
template <typename T> __attribute__((always_inline)) inline T &&Prof_Await(Prof_stack &, T &&awaitable)
{
	return static_cast<T &&>(awaitable);
}
#endif

}
#endif

#endif

/* The same as IProf's name, in the casing of the other functions and macros. */
#define Prof_Update(record) Prof_update(record)

#endif

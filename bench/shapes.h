/* shapes.h: programs that are nothing but zones, in the shapes that zones come in.
 *
 * Compiled three times: into a program, into a shared library that a program is linked with, and into a module
 * that it loads (dlopen).  A shape runs about `times` pairs of entering and leaving, and says how many it were.
 */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

struct shape {
	const char *name;
	long (*run)(long times);
	void (*without)(long times); /* the same without zones */
	double constant_ns;          /* what a pair may take when the clock is a constant; 0: nothing is asked */
};

#define SHAPE_FLAT 0 /* the first one, which two threads run at the same time */
#define SHAPES     6
const struct shape *shapes_get(void);

/* The name of shapes_get in a module. */
#define SHAPES_SYMBOL "shapes_get"

#endif

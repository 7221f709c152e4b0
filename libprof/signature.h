/* signature.h: the short name of a C++ function.
 *
 * Prof_Function gives the library the signature of a function, as
 * __PRETTY_FUNCTION__ spells it.
 *
 *   int game::Solver<T>::step(int) const [with T = float]   Solver::step
 *   void {anonymous}::load()                                load
 *   void (* Menu::handler(int))(double)                     Menu::handler
 *   Menu::open()::<lambda(int)>                             Menu::open::lambda
 *
 * The name is the last two parts of the qualified name: a class or a namespace,
 * and the function.  Template arguments are left out, as all instances of a
 * function are one zone.  Unnamed namespaces and classes are left out, too.  A
 * lambda stands behind the function that it is in.  gcc and clang write
 * signatures differently, but nearly all functions get the same name.
 */
#ifndef LIBPROF_SIGNATURE_H
#define LIBPROF_SIGNATURE_H

#include <stddef.h>

#define SIGNATURE_NAME 512 /* bytes of a name, and a NUL; a longer name is cut */

/* Writes the name of the function, and a NUL.  A text that is no signature of a
 * function stays as it is, cut to SIGNATURE_NAME.  Reads each byte of the
 * signature a few times at most, and allocates nothing. */
void prof__signature_name(const char *signature, char out[SIGNATURE_NAME]);

#endif

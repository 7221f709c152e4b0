/* core_other.c: core_module.c once more, with a zone of its own where that one has another. */
#define module_zone other_zone
#include "tests/core_module.c"

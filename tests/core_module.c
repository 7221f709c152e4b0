/* core_module.c: an instrumented module, to be loaded and unloaded. */
#include "tests/core_inline.h"

/* So that core_other.c can give its zone another name. */
#define BEGIN(zone) Prof_Begin(zone)

int module_run(int times);
int module_run(int times)
{
	Prof_Function;

	for (int i = 0; i < times; i++) {
		BEGIN(module_zone)
		included();
		Prof_End
	}
	return times;
}

/* Zones while the module comes and goes. */
__attribute__((constructor)) static void module_comes(void)
{
	Prof(module_comes);
}

__attribute__((destructor)) static void module_goes(void)
{
	Prof(module_goes);
}

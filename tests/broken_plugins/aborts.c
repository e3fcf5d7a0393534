/* The constructor of this plugin aborts the process that loads it. */
#include <stdlib.h>

#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("aborts", SLUICE_ABI_MAJOR, 2, NULL)
__attribute__((constructor)) static void start(void) { abort(); }

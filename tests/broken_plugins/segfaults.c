/* The constructor of this plugin writes to an unmapped page. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
static int* volatile nowhere;
BROKEN_PLUGIN("segfaults", SLUICE_ABI_MAJOR, 2, NULL)
__attribute__((constructor)) static void start(void) { *nowhere = 1; }

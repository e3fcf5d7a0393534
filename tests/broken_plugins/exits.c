/* The constructor of this plugin exits the process without a message. */
#include <unistd.h>

#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("exits", SLUICE_ABI_MAJOR, 2, NULL)
__attribute__((constructor)) static void start(void) { _exit(42); }

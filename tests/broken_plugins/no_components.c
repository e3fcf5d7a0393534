/* The table of this plugin is empty. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("no_components", SLUICE_ABI_MAJOR, 0, NULL)

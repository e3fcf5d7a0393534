/* The table of this plugin has another id of the layer than its manifest. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("somebody_else", SLUICE_ABI_MAJOR, 2, NULL)

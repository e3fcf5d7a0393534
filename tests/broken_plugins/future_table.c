/* The manifest of this plugin says ABI 1, but its table says ABI 2. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("future_table", 2, 2, NULL)

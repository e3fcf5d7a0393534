/* Its manifest says ABI 1, its table ABI 2. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("future_table", 2, 2, NULL)

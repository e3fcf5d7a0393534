/* The table of this layer has NULL for infer(). */
#include "layer.h"

static const sluice_layer layer = {layer_create, layer_destroy, layer_traits, NULL, NULL};
BROKEN_PLUGIN("null_slot", SLUICE_ABI_MAJOR, 2, NULL)

/* This plugin is sound. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("sound", SLUICE_ABI_MAJOR, 2, NULL)

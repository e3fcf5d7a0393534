/* This plugin is sound, too. Tests give it the id of another plugin. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("twin", SLUICE_ABI_MAJOR, 2, NULL)

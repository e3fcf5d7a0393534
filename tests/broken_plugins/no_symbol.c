/* This plugin has a manifest but does not export its table. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
SLUICE_EXPORT const void* some_other_symbol(void);
const void* some_other_symbol(void) { return &layer; }

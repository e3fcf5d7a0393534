/* Has a manifest and forgot to export its table. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
SLUICE_EXPORT const void* some_other_symbol(void);
const void* some_other_symbol(void) { return &layer; }

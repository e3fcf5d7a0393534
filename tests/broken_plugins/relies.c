/* This plugin is sound, but it needs the library of relied.c, which tests may break. */
#include "layer.h"

extern int relied(void);
static sluice_status ask(const sluice_host* host, sluice_error* error) {
    (void)host, (void)error;
    return relied() == 1 ? SLUICE_OK : SLUICE_FAILED;
}
static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("relies", SLUICE_ABI_MAJOR, 2, ask)

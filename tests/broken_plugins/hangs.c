/* The constructor of this plugin never returns. */
#include <unistd.h>

#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
BROKEN_PLUGIN("hangs", SLUICE_ABI_MAJOR, 2, NULL)
__attribute__((constructor)) static void start(void) {
    for (;;) {
        sleep(1000);
    }
}

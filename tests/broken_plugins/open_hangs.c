/* open() of this plugin never returns. */
#include <unistd.h>

#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
static sluice_status open_plugin(const sluice_host* host, sluice_error* error) {
    (void)host, (void)error;
    for (;;) {
        sleep(1000);
    }
    return SLUICE_OK;
}
BROKEN_PLUGIN("open_hangs", SLUICE_ABI_MAJOR, 2, open_plugin)

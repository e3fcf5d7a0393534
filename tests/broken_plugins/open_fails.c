/* open() of this plugin fails with a message. */
#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
static sluice_status open_plugin(const sluice_host* host, sluice_error* error) {
    const sluice_log* log = host->get(host, SLUICE_LOG_V1);
    const sluice_text line = SLUICE_TEXT("looking for a licence");
    log->write(host, SLUICE_LOG_WARNING, line);
    strcpy(error->message, "no licence was found");
    return SLUICE_FAILED;
}
BROKEN_PLUGIN("open_fails", SLUICE_ABI_MAJOR, 2, open_plugin)

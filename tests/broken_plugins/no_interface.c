/* The component of this plugin returns NULL for every interface. */
#include "sluice/plugin.h"

static const void* get(const sluice_component* self, const char* id) {
    (void)self, (void)id;
    return NULL;
}
static const sluice_component components[] = {{SLUICE_TEXT("test.no_interface.layer"), get}};
SLUICE_EXPORT const sluice_plugin sluice_plugin_v1 = {SLUICE_ABI_MAJOR, SLUICE_ABI_MINOR, 1, 0, components, NULL, NULL};

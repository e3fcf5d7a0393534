/* The constructor of this plugin writes to an unmapped page if SLUICE_TEST_SEGFAULT is set. So the same file may pass
 * the probe and crash later. */
#include <stdlib.h>

#include "layer.h"

static const sluice_layer layer = BROKEN_LAYER;
static int* volatile nowhere;
BROKEN_PLUGIN("segfaults_later", SLUICE_ABI_MAJOR, 2, NULL)
__attribute__((constructor)) static void start(void) {
    if (getenv("SLUICE_TEST_SEGFAULT") != NULL) {
        *nowhere = 1;
    }
}

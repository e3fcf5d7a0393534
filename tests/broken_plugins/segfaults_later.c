/* Its constructor writes to a page that is not there, where the environment says so: what it is like elsewhere is not
 * to be seen in its file. */
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

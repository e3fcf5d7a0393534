/* sluice/kind/usage.h - the current utilisation of a device. A device component may serve it in addition to
 * sluice.device/1; self is the object of that table. */
#ifndef SLUICE_KIND_USAGE_H
#define SLUICE_KIND_USAGE_H

#include "sluice/kind/device.h"

SLUICE_EXTERN_C_BEGIN

/* Every number is -1 before the call, and stays -1 if it is not known. */
typedef struct sluice_usage_figures {
    uint64_t struct_size;
    double busy_share;   /* share of the last moments in which any kernel ran, 0 to 1 */
    double used_bytes; /* of memory, by every process */
    double power_watts;
    double celsius;
    double clock_hertz; /* of the arithmetic units */
    char limit[48];     /* what limits the clock: "power", "heat"; empty: nothing, or not known */
} sluice_usage_figures;

#define SLUICE_USAGE_V1 "sluice.usage/1"
typedef struct sluice_usage {
    /* Fills *figures up to its struct_size. SLUICE_UNSUPPORTED, with the reason, if nothing is known. [any] */
    sluice_status (*read)(void *self, sluice_usage_figures *figures, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_usage;

SLUICE_EXTERN_C_END
#endif

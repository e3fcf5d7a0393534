/* sluice/kind/device_time.h - a clock of a device whose work runs later. A device component may serve it in addition to
 * sluice.device/1; self and the streams are those of that table. */
#ifndef SLUICE_KIND_DEVICE_TIME_H
#define SLUICE_KIND_DEVICE_TIME_H

#include "sluice/kind/device.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_DEVICE_TIME_V1 "sluice.device_time/1"
typedef struct sluice_device_time {
    /* Writes the device's clock to *nanoseconds, which is device memory, when the stream reaches this point. The clock
     * never goes back, and all streams of the device share it. The host may capture the call. [enqueue] */
    sluice_status (*stamp)(void *self, void *stream, uint64_t *nanoseconds, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_device_time;

SLUICE_EXTERN_C_END
#endif

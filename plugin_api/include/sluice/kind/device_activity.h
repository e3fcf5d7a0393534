/* sluice/kind/device_activity.h - what a device did, and when, as its driver's tools measure it. The host records
 * windows of a training with it if the work is replayed from a graph, where it cannot time single launches. A device
 * component may serve it in addition to sluice.device/1; self is the object of that table. */
#ifndef SLUICE_KIND_DEVICE_ACTIVITY_H
#define SLUICE_KIND_DEVICE_ACTIVITY_H

#include "sluice/kind/device.h"

SLUICE_EXTERN_C_BEGIN

/* What an activity is. */
enum {
    SLUICE_ACTIVITY_OTHER = 0,
    SLUICE_ACTIVITY_KERNEL = 1,
    SLUICE_ACTIVITY_UPLOAD = 2,   /* a copy from the host to the device */
    SLUICE_ACTIVITY_DOWNLOAD = 3, /* a copy from the device to the host */
    SLUICE_ACTIVITY_COPY = 4,     /* a copy within the device, or to another one */
    SLUICE_ACTIVITY_FILL = 5      /* memory is set to a value */
};

typedef struct sluice_activity {
    uint64_t struct_size;
    int64_t begin_ns; /* by CLOCK_MONOTONIC, the clock of std::chrono::steady_clock */
    int64_t end_ns;
    int64_t launch_ns;    /* when the host's call began that enqueued it or replayed its graph; -1: not known */
    uint64_t bytes;       /* that were copied or set; 0: none, or not known */
    uint64_t correlation; /* the same for all activities of one call of the host; 0: not known */
    uint32_t kind;
    uint32_t stream;  /* a number of the driver, not the host's pointer */
    sluice_text name; /* "void sluice::add_kernel<float>(float*)", "Memcpy HtoD" */
} sluice_activity;

/* stop() reports here; the host copies. */
typedef struct sluice_activity_sink {
    uint64_t struct_size;
    void *impl;
    /* In any order. */
    void (*add)(const struct sluice_activity_sink *sink, const sluice_activity *activity) SLUICE_NOEXCEPT;
    /* Counts activities that were lost, for want of memory. */
    void (*add_dropped)(const struct sluice_activity_sink *sink, uint64_t count) SLUICE_NOEXCEPT;
} sluice_activity_sink;

#define SLUICE_DEVICE_ACTIVITY_V1 "sluice.device_activity/1"
typedef struct sluice_device_activity {
    /* Begins to record what the device does for this process. Other devices of the process may record meanwhile.
     * SLUICE_UNSUPPORTED, with the reason, if the driver's tools are missing or must not be used. [serial] */
    sluice_status (*start)(void *self, sluice_error *error) SLUICE_NOEXCEPT;
    /* Waits for the work that is on the device, ends the recording, also if it fails, and reports what ran since
     * start(). Called once after each start() that succeeded, unless the object is destroyed before. [serial] */
    sluice_status (*stop)(void *self, const sluice_activity_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_device_activity;

SLUICE_EXTERN_C_END
#endif

/* sluice/kind/profile.h - a recorded window: what each thread and device did in some steps of a training, and when.
 *
 * An observer that wants SLUICE_EVENT_PROFILE gets one window with each such event:
 *
 *     for (uint64_t i = 0; i < profile->span_count; ++i) {
 *         const sluice_span *span = (const sluice_span *)((const char *)profile->spans + i * profile->span_size);
 *         print(profile->names[span->name], span->begin_ns, span->duration_ns);
 *     }
 *
 * Arrays of structs come with the size of one element, since elements may grow at their end. Everything is borrowed
 * until on_event() returns. Times are nanoseconds since the window began, by the clock of the host; times of a device
 * are converted to it. An index that names nothing is SLUICE_NONE. */
#ifndef SLUICE_KIND_PROFILE_H
#define SLUICE_KIND_PROFILE_H

#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_NONE 0xffffffffu

/* What a span is. Spans of one thread are nested or apart; they never overlap partly. */
enum {
    SLUICE_SPAN_STEP = 0,        /* a training step, from the end of the step before it */
    SLUICE_SPAN_STAGE = 1,       /* a stage of the step clock; name: the stage, such as "backward" */
    SLUICE_SPAN_FORWARD = 2,     /* a launch of a kernel: forward */
    SLUICE_SPAN_RECOMPUTE = 3,   /* the same: forward once more, during backward */
    SLUICE_SPAN_BACKWARD = 4,    /* the same: backward */
    SLUICE_SPAN_OPTIMIZER = 5,   /* the optimizer's launch */
    SLUICE_SPAN_READ = 6,        /* a sample in its source; name: the source; sample: its number in the data */
    SLUICE_SPAN_PREPROCESS = 7,  /* a sample or batch in a transform; name: the transform */
    SLUICE_SPAN_INPUT_WAIT = 8,  /* the loop waits for a batch */
    SLUICE_SPAN_UPLOAD = 9,      /* a batch is copied to a device */
    SLUICE_SPAN_DOWNLOAD = 10,   /* results are copied to the host */
    SLUICE_SPAN_EXCHANGE = 11,   /* a collective; name: what is exchanged, such as "gradients 1 of 3" */
    SLUICE_SPAN_OBSERVER = 12,   /* a call of an observer; name: the observer */
    SLUICE_SPAN_STORAGE = 13,    /* a checkpoint or another file is written */
    SLUICE_SPAN_ALLOCATION = 14, /* memory is allocated; bytes: how much */
    SLUICE_SPAN_RELEASE = 15,    /* memory is released; bytes: how much */
    SLUICE_SPAN_EVALUATION = 16, /* an evaluation */
    SLUICE_SPAN_KERNEL = 17,     /* a kernel on a stream, if it is not known which launch enqueued it: in a replayed graph */
    SLUICE_SPAN_CALL = 18        /* a call that enqueues work on a device; correlation: that of this work */
};

typedef struct sluice_span {
    int64_t begin_ns;
    int64_t duration_ns;
    int64_t step;   /* training step, from 1; 0: the span belongs to none, such as the spans of loader threads */
    int64_t sample; /* number of a sample or batch; -1: none */
    uint64_t bytes; /* that were read, copied, exchanged, allocated; 0: not known */
    uint32_t kind;
    uint32_t thread;      /* index in threads */
    uint32_t name;        /* index in names */
    uint32_t operation;   /* index in operations */
    uint64_t correlation; /* the same in a SLUICE_SPAN_CALL and in the spans on a device that it enqueued; 0: none */
} sluice_span;

enum {
    SLUICE_THREAD_LOOP = 0,     /* the training loop, which is also the first replica's thread if there is one */
    SLUICE_THREAD_COMPUTE = 1,  /* a replica, or a thread that computes with one */
    SLUICE_THREAD_INPUT = 2,    /* a loader thread */
    SLUICE_THREAD_OBSERVER = 3, /* calls the observers */
    SLUICE_THREAD_OTHER = 4,
    SLUICE_THREAD_STREAM = 5 /* a stream of a device, not a thread */
};

typedef struct sluice_profile_thread {
    sluice_text name;
    int64_t id; /* of the operating system; of a stream: a number of its own */
    uint32_t kind;
    uint32_t device; /* of a stream: number of the device; else SLUICE_NONE */
} sluice_profile_thread;

/* The work of a launch: a chain of layers in one direction. Of a SLUICE_SPAN_KERNEL only path and kernel are known, both
 * the kernel's name. */
typedef struct sluice_profile_operation {
    sluice_text path;   /* of the layer with most arithmetic: "residual/2/conv2d" */
    sluice_text type;   /* of the chain: "conv2d+batch_norm+relu" */
    sluice_text shape;  /* of its inputs and parameters: "8x64x64x256, 256x3x3x256" */
    sluice_text kernel; /* provider and its note: "onednn brgconv:avx512_core" */
    double flop;        /* by definition of the layers */
    double done_flop;   /* that the kernel really does, which is less for Winograd; the same if it does not say */
    double bytes;       /* that must be read and written at least */
    uint32_t span_kind; /* SLUICE_SPAN_FORWARD, _RECOMPUTE, _BACKWARD, _OPTIMIZER or _KERNEL */
    sluice_dtype dtype; /* of the arithmetic's operands */
} sluice_profile_operation;

/* A tensor in the arena of the first replica, and the operations between which it lives. */
typedef struct sluice_profile_tensor {
    sluice_text name;
    uint64_t bytes;
    uint64_t offset;          /* in the arena */
    uint32_t first_operation; /* index in operations */
    uint32_t last_operation;
} sluice_profile_tensor;

/* A value at one time, such as bytes of resident memory. The value holds until the next point of the same name. */
typedef struct sluice_profile_point {
    int64_t time_ns;
    double value;
    uint32_t name; /* index in names: "resident_bytes", "arena_bytes", "device_bytes", "cache_bytes", "batch_bytes" */
    uint32_t reserved;
} sluice_profile_point;

typedef struct sluice_profile {
    uint64_t struct_size;
    int64_t first_step;
    int64_t last_step;
    int64_t duration_ns;
    uint64_t began_unix_ns; /* the window's beginning, since 1970 */
    uint32_t rank;
    uint32_t ranks;
    uint64_t dropped_spans;   /* that found no room */
    double cost_seconds;      /* of a step, for recording; negative: not measured */
    double peak_flop;         /* per second, of this machine in the type that most arithmetic has; 0: not measured */
    double peak_bandwidth;    /* bytes per second of its memory; 0: not measured */
    sluice_text device;       /* the processor or GPU that computes */
    const sluice_span *spans; /* by begin_ns; of equal ones the longer first */
    uint64_t span_count;
    uint64_t span_size;
    const sluice_profile_thread *threads;
    uint64_t thread_count;
    uint64_t thread_size;
    const sluice_profile_operation *operations; /* in the order in which a step launches them */
    uint64_t operation_count;
    uint64_t operation_size;
    const sluice_profile_tensor *tensors;
    uint64_t tensor_count;
    uint64_t tensor_size;
    const sluice_profile_point *points; /* by time_ns */
    uint64_t point_count;
    uint64_t point_size;
    const sluice_text *names;
    uint64_t name_count;
} sluice_profile;

SLUICE_EXTERN_C_END
#endif

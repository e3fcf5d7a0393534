/* sluice/kind/observer.h - what leaves a run: progress, metrics, pictures. Observers cannot alter the run; they are
 * called on a thread of their own, and one that fails is named in the log and called again at the next event. If one fails
 * at SLUICE_EVENT_RUN_END, the run is saved and exits with code 8: what it writes is not complete. One that does not come
 * back is named too, and left at the end of the run with neither destroy() nor close(); that is code 8 as well. */
#ifndef SLUICE_KIND_OBSERVER_H
#define SLUICE_KIND_OBSERVER_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_EVENT_RUN_BEGIN = 0,  /* text: the run's folder; scalars: epochs, steps, steps_per_epoch, batch, first_step */
    SLUICE_EVENT_STEP = 1,       /* scalars: loss, rate, step_seconds, data_seconds, samples, gradient_norm (where clipped
                                  * or scaled); where the loss is scaled: loss_scale, skipped_steps, good_steps */
    SLUICE_EVENT_EPOCH_END = 2,  /* scalars: loss, seconds, samples_per_second; text: SHA-256 of the epoch's samples in
                                  * their order, empty where it is not known */
    SLUICE_EVENT_EVALUATION = 3, /* scalars: validation_loss, each metric by name */
    SLUICE_EVENT_SAMPLES = 4,    /* text: "batch_0", "epoch_001" or "step_000200"; tensors: input, output, target */
    SLUICE_EVENT_CHECKPOINT = 5, /* text: the file written */
    SLUICE_EVENT_RUN_END = 6     /* text: how it ended: "finished", "interrupted", "diverged", "failed" */
};

typedef struct sluice_scalar {
    sluice_text name;
    double value;
} sluice_scalar;

typedef struct sluice_named_tensor {
    sluice_text name;
    sluice_tensor tensor; /* host memory; images are uint8 [N, H, W, C] */
} sluice_named_tensor;

typedef struct sluice_event {
    uint64_t struct_size;
    uint32_t kind;
    uint32_t reserved;
    int64_t epoch;  /* from 1; 0 before the first */
    int64_t step;   /* steps done since the start of training */
    double seconds; /* since this process began the run */
    sluice_text text;
    const sluice_scalar *scalars;
    uint64_t scalar_count;
    const sluice_named_tensor *tensors;
    uint64_t tensor_count;
} sluice_event;

#define SLUICE_OBSERVER_V1 "sluice.observer/1"
typedef struct sluice_observer {
    /* *self is the plugin's, until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* After the last event. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Bit (1 << kind) for each kind of event that it wants; host copies of tensors are made only for those. Asked once.
     * [any] */
    uint64_t (*wants)(void *self) SLUICE_NOEXCEPT;
    /* One event, in order. Where observers are too slow, events of steps are left out; others never. [serial] */
    sluice_status (*on_event)(void *self, const sluice_event *event, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_observer;

SLUICE_EXTERN_C_END
#endif

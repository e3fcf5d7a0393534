/* sluice/kind/observer.h - receives the events of a run: progress, metrics, pictures. Observers cannot change the run
 * and are called on a thread of their own. If one fails, the log names it, and it is called again at the next event. If
 * it fails at SLUICE_EVENT_RUN_END, its output is incomplete: the run is saved and exits with code 8. If a call does
 * not return, the log names the observer. At the end of the run it gets neither destroy() nor close(): code 8 too. */
#ifndef SLUICE_KIND_OBSERVER_H
#define SLUICE_KIND_OBSERVER_H

#include "sluice/host.h"
#include "sluice/kind/profile.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_EVENT_RUN_BEGIN = 0,  /* text: the run's folder; scalars: epochs, steps, steps_per_epoch, batch, first_step */
    SLUICE_EVENT_STEP = 1,       /* scalars: loss, rate, step_seconds, data_seconds, samples, gradient_norm (if clipped
                                  * or scaled); if the loss is scaled: loss_scale, skipped_steps, good_steps. The parts
                                  * of step_seconds: read_, preprocess_, upload_, forward_, backward_, optimizer_,
                                  * exchange_, download_, output_, storage_, prepare_ and other_seconds. data_seconds
                                  * is the sum of the first two. What the loop does beside a busy GPU counts nowhere.
                                  * text: if the step waited for data for more than a tenth of its time, the stage of
                                  * the input that takes the most time, else empty. */
    SLUICE_EVENT_EPOCH_END = 2,  /* scalars: loss, seconds, samples_per_second; text: SHA-256 of the epoch's samples in
                                  * their order, empty if it is not known */
    SLUICE_EVENT_EVALUATION = 3, /* scalars: validation_loss, each metric by name; text: if this is the best evaluation
                                  * so far, the name of the score that decides, else empty */
    SLUICE_EVENT_SAMPLES = 4,    /* text: "batch_0", "epoch_001" or "step_000200"; tensors: input, output, target */
    SLUICE_EVENT_CHECKPOINT = 5, /* text: the written file */
    SLUICE_EVENT_RUN_END = 6,    /* text: the outcome: "finished", "interrupted", "diverged", "failed"; scalars: the time
                                  * of the run so far: start_, steps_, evaluation_, checkpoints_ and profiling_seconds;
                                  * other_seconds is the part of the last four that belongs to no stage; what input threads
                                  * did beside the loop: input_read_seconds, input_preprocess_seconds */
    SLUICE_EVENT_USAGE = 7,      /* scalars: what the run uses of the machine, about once a second; the columns of
                                  * usage.csv */
    SLUICE_EVENT_WEIGHTS = 8,    /* at the end of each epoch, and of a run that ends within one. tensors: each parameter
                                  * by its name, float32, and its gradient as "gradients/" and the name */
    SLUICE_EVENT_PROFILE = 9     /* profile: a recorded window of steps */
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
    const sluice_profile *profile; /* NULL unless the kind is SLUICE_EVENT_PROFILE */
} sluice_event;

#define SLUICE_OBSERVER_V1 "sluice.observer/1"
typedef struct sluice_observer {
    /* The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* Called after the last event. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Returns bit (1 << kind) for each kind of event that it wants; tensors are copied to the host only for those.
     * Called once. [any] */
    uint64_t (*wants)(void *self) SLUICE_NOEXCEPT;
    /* Receives one event; events come in order. If observers are too slow, events of steps, usage and profiles are
     * dropped; others never are. Processes after the first send RUN_BEGIN, PROFILE and RUN_END only, and only to
     * observers that want PROFILE. [serial] */
    sluice_status (*on_event)(void *self, const sluice_event *event, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_observer;

SLUICE_EXTERN_C_END
#endif

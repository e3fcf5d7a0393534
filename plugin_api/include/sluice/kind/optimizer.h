/* sluice/kind/optimizer.h - one update over flat ranges of parameters, gradients and states.
 *
 * The host keeps all parameters in one flat float32 buffer, their gradients in a second, and each state of the
 * optimizer in one more, all with the same layout. An optimizer is element-wise: it is called for any ranges, in any
 * order, several times in a step. Only scalars->step counts steps. */
#ifndef SLUICE_KIND_OPTIMIZER_H
#define SLUICE_KIND_OPTIMIZER_H

#include "sluice/kind/kernel.h"

SLUICE_EXTERN_C_BEGIN

typedef struct sluice_optimizer_sink {
    uint64_t struct_size;
    void *impl;
    /* Adds one flat float32 state, initially zero; name is its name in checkpoints ("moment1"). Copied. */
    void (*add_state)(const struct sluice_optimizer_sink *sink, sluice_text name) SLUICE_NOEXCEPT;
} sluice_optimizer_sink;

typedef struct sluice_optimizer_launch {
    uint64_t struct_size;
    float *parameters;      /* ranges are aligned for their elements and no more */
    const float *gradients; /* of the sum of the losses; times scalars->gradient_scale, of their mean */
    float *const *states;   /* in the order of add_state */
    uint64_t count;         /* elements of each range */
    const sluice_step_scalars *scalars; /* device memory */
    const sluice_threads *threads;      /* NULL on devices other than the CPU */
    void *stream;
} sluice_optimizer_launch;

#define SLUICE_OPTIMIZER_V1 "sluice.optimizer/1"
typedef struct sluice_optimizer {
    /* The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Names the states. [any] */
    sluice_status (*describe)(void *self, const sluice_optimizer_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
    /* Updates one range with the rate and the step in scalars, unless scalars->skip. [enqueue] */
    sluice_status (*update)(void *self, const sluice_optimizer_launch *launch, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_optimizer;

SLUICE_EXTERN_C_END
#endif

/* sluice/kind/step.h - what a training step computes besides its kernels and the optimizer, over flat buffers of one
 * device: the sum of the loss, the norm of the gradients, whether the update may happen, moving averages, rounded
 * copies.
 *
 * A device component serves it in addition to sluice.device/1; self is the object of that table. Each call reads what
 * earlier calls left in device memory, so that the host waits for nothing and all calls can be captured in a graph.
 * Structs in device memory have no struct_size: calls leave their reserved members unchanged. Ranges are aligned for
 * their elements and no more. */
#ifndef SLUICE_KIND_STEP_H
#define SLUICE_KIND_STEP_H

#include "sluice/host.h"
#include "sluice/kind/kernel.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_STEP_DONE = 0,    /* the optimizer updates */
    SLUICE_STEP_SKIPPED = 1, /* the loss is scaled and something was not finite: nothing may change */
    SLUICE_STEP_STOPPED = 2  /* this step or an earlier one stops the run: nothing may change any more */
};

/* What the host knows of a micro-batch when it puts it on the stream. Earlier steps may still be running then, and may
 * turn out to be skipped. Device memory. */
typedef struct sluice_step_start {
    double loss_seed;        /* before the loss is scaled */
    uint64_t random_counter;
    uint64_t first_update;   /* rates[i] is the learning rate of update number first_update + i */
    double rates[4];
    uint64_t reserved[9];
} sluice_step_start;

/* The result of a step, and the state that it passes to the next. Device memory; the host fills it before the first
 * step, with zeros except for loss_scale, updates, good_steps and skips_in_row, and copies it after each step. */
typedef struct sluice_step_report {
    double loss_sum;       /* of the losses of all micro-batches of the step */
    double loss_weight;    /* their mean is loss_sum / loss_weight */
    double square_sum;     /* of the gradients in memory, if sum_squares was called */
    double norm;           /* of the gradient of the mean, before it is clipped; 0 without square_sum */
    double rate;           /* the learning rate of the update */
    double loss_scale;     /* factor of the next step's loss, if the loss is scaled */
    uint64_t updates;      /* steps DONE, of the whole run */
    uint64_t good_steps;   /* of them in a row, since loss_scale last changed */
    uint64_t skips_in_row; /* steps SKIPPED, up to this one */
    uint32_t ending;       /* SLUICE_STEP_DONE, _SKIPPED or _STOPPED; STOPPED stays */
    uint32_t reserved_flags;
    uint64_t reserved[6];
} sluice_step_report;

/* The same in every step of a run. */
typedef struct sluice_step_rule {
    uint64_t struct_size;
    double clip_norm;     /* gradients are multiplied by min(1, clip_norm / (norm + 1e-6)); 0: they are not */
    uint32_t scales_loss; /* 1: a number that is not finite skips the step; 0: it stops the run */
    uint32_t has_norm;    /* 1: sum_squares was called for this step */
    /* For a scaled loss, see sluice_precision_traits. growth_interval 0: the scale never changes. */
    uint32_t growth_interval;
    uint32_t most_skips; /* in a row: the next step is STOPPED */
    double growth;
    double backoff;
    double floor;
    double ceiling;
} sluice_step_rule;

#define SLUICE_STEP_V1 "sluice.step/1"
typedef struct sluice_step {
    /* Called before the kernels of a micro-batch. With n = report->updates + 1 it sets:
     *   scalars->rate = rates[n - first_update];  scalars->step = n;  scalars->random_counter as in start;
     *   scalars->loss_seed = start->loss_seed, times report->loss_scale if the rule scales the loss.
     * [enqueue] */
    sluice_status (*begin)(void *self, const sluice_step_rule *rule, const sluice_step_start *start,
                           const sluice_step_report *report, sluice_step_scalars *scalars, void *stream,
                           sluice_error *error) SLUICE_NOEXCEPT;
    /* Adds `count` pairs of a loss's output, (sum, weight) of each sample, to report->loss_sum and loss_weight; sets
     * them instead if is_first, for the first micro-batch of a step. The order of the sum is fixed. [enqueue] */
    sluice_status (*add_loss)(void *self, const float *pairs, uint64_t count, uint32_t is_first,
                              sluice_step_report *report, const sluice_threads *threads, void *stream,
                              sluice_error *error) SLUICE_NOEXCEPT;
    /* Bytes of device memory that sum_squares needs for `count` elements. [any] */
    uint64_t (*workspace)(void *self, uint64_t count) SLUICE_NOEXCEPT;
    /* report->square_sum = the sum of the squares of `count` values, in float64, in an order that depends only on
     * count; not finite if one of them is not. [enqueue] */
    sluice_status (*sum_squares)(void *self, const float *values, uint64_t count, sluice_step_report *report,
                                 void *workspace, const sluice_threads *threads, void *stream, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* Called after the last micro-batch. scalars->loss_seed is the factor of the losses, weight = report->loss_weight:
     *   unscaled = weight > 0 ? 1 / (weight * loss_seed) : 0;  norm = unscaled * sqrt(square_sum), if has_norm;
     *   ending = STOPPED if it was, or if skips_in_row has reached most_skips; else, if loss_sum or norm is not finite,
     *   SKIPPED or STOPPED by the rule; else DONE;
     *   scalars->gradient_scale = unscaled * min(1, clip_norm / (norm + 1e-6)), the latter if clip_norm > 0;
     *   scalars->skip = 1 unless ending is DONE and weight > 0;
     *   DONE: updates and good_steps grow by 1, skips_in_row = 0, and if good_steps reaches growth_interval it becomes
     *   0 and loss_scale = min(loss_scale * growth, ceiling);
     *   SKIPPED: skips_in_row grows by 1, good_steps = 0 and, unless growth_interval is 0,
     *   loss_scale = max(loss_scale * backoff, floor).
     * [enqueue] */
    sluice_status (*decide)(void *self, const sluice_step_rule *rule, sluice_step_scalars *scalars,
                            sluice_step_report *report, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* If ending is not DONE: to[i] = from[i]. [enqueue] */
    sluice_status (*restore)(void *self, float *to, const float *from, uint64_t count, const sluice_step_report *report,
                             const sluice_threads *threads, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* If ending is DONE: average[i] += share * (values[i] - average[i]), with t = scalars->step,
     * share = 1 - min(decay, (1 + t) / (10 + t)), computed in float64 and rounded to float32. [enqueue] */
    sluice_status (*move_average)(void *self, float *average, const float *values, uint64_t count, double decay,
                                  const sluice_step_scalars *scalars, const sluice_step_report *report,
                                  const sluice_threads *threads, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* to[i] = values[i] rounded to nearest even. dtype is float16 or bfloat16; others return SLUICE_UNSUPPORTED.
     * [enqueue] */
    sluice_status (*round)(void *self, void *to, const float *values, uint64_t count, sluice_dtype dtype,
                           const sluice_threads *threads, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_step;

SLUICE_EXTERN_C_END
#endif

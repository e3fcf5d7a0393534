/* The interface sluice.step/1 of devices that compute synchronously. */
#ifndef DEVICE_STEP_H
#define DEVICE_STEP_H

#include <math.h>

#include "plain_objects.h"
#include "sluice/half.h"
#include "sluice/kind/step.h"

static uint64_t updates_of_all; /* shared by all runs, by mistake */

static sluice_status begin_step(void* self, const sluice_step_rule* rule, const sluice_step_start* start,
                                const sluice_step_report* report, sluice_step_scalars* scalars, void* stream,
                                sluice_error* error) {
    (void)self, (void)stream, (void)error;
    scalars->step = report->updates + 1;
    scalars->rate = start->rates[scalars->step - start->first_update];
    scalars->random_counter = start->random_counter;
    scalars->loss_seed = start->loss_seed * (rule->scales_loss != 0 ? report->loss_scale : 1.0);
    return SLUICE_OK;
}

static sluice_status add_loss(void* self, const float* pairs, uint64_t count, uint32_t is_first,
                              sluice_step_report* report, const sluice_threads* threads, void* stream,
                              sluice_error* error) {
    uint64_t i;
    (void)self, (void)threads, (void)stream, (void)error;
    if (is_first != 0) {
        report->loss_sum = report->loss_weight = 0.0;
    }
    for (i = 0; i < count; ++i) {
        report->loss_sum += (double)pairs[2 * i];
        report->loss_weight += (double)pairs[2 * i + 1];
    }
    return SLUICE_OK;
}

static uint64_t step_workspace(void* self, uint64_t count) {
    (void)self, (void)count;
    return 0;
}

static sluice_status sum_squares(void* self, const float* values, uint64_t count, sluice_step_report* report,
                                 void* workspace, const sluice_threads* threads, void* stream, sluice_error* error) {
    const struct object* device = self;
    uint64_t i;
    (void)workspace, (void)threads, (void)stream, (void)error;
    report->square_sum = 0.0;
    for (i = 0; i < count; ++i) {
        report->square_sum += (double)values[i] * (double)values[i];
        if (device->fault == FAULT_sums_in_floats) {
            report->square_sum = (double)(float)report->square_sum;
        }
    }
    return SLUICE_OK;
}

static void count_update(const struct object* device, const sluice_step_rule* rule, sluice_step_report* report) {
    report->updates = device->fault == FAULT_counts_for_itself ? ++updates_of_all : report->updates + 1;
    report->skips_in_row = 0;
    if (++report->good_steps == rule->growth_interval) {
        report->good_steps = 0;
        report->loss_scale = fmin(report->loss_scale * rule->growth, rule->ceiling);
    }
}

static void count_skip(const struct object* device, const sluice_step_rule* rule, sluice_step_report* report) {
    ++report->skips_in_row;
    report->good_steps = 0;
    if (rule->growth_interval != 0) {
        report->loss_scale *= rule->backoff;
        if (device->fault != FAULT_falls_through_the_floor) {
            report->loss_scale = fmax(report->loss_scale, rule->floor);
        }
    }
}

static sluice_status decide(void* self, const sluice_step_rule* rule, sluice_step_scalars* scalars,
                            sluice_step_report* report, void* stream, sluice_error* error) {
    const double unscaled = report->loss_weight > 0.0 ? 1.0 / (report->loss_weight * scalars->loss_seed) : 0.0;
    (void)stream, (void)error;
    report->norm = rule->has_norm != 0 ? unscaled * sqrt(report->square_sum) : 0.0;
    if (report->ending == SLUICE_STEP_STOPPED || report->skips_in_row >= rule->most_skips) {
        report->ending = SLUICE_STEP_STOPPED;
    } else if (isfinite(report->loss_sum) && isfinite(report->norm)) {
        report->ending = SLUICE_STEP_DONE;
    } else {
        report->ending = rule->scales_loss != 0 ? SLUICE_STEP_SKIPPED : SLUICE_STEP_STOPPED;
    }
    scalars->gradient_scale =
        unscaled * (rule->clip_norm > 0.0 ? fmin(1.0, rule->clip_norm / (report->norm + 1e-6)) : 1.0);
    scalars->skip = report->ending != SLUICE_STEP_DONE || !(report->loss_weight > 0.0);
    if (report->ending == SLUICE_STEP_DONE) {
        count_update(self, rule, report);
    } else if (report->ending == SLUICE_STEP_SKIPPED) {
        count_skip(self, rule, report);
    }
    return SLUICE_OK;
}

static sluice_status restore(void* self, float* to, const float* from, uint64_t count, const sluice_step_report* report,
                             const sluice_threads* threads, void* stream, sluice_error* error) {
    (void)self, (void)threads, (void)stream, (void)error;
    if (report->ending != SLUICE_STEP_DONE) {
        memcpy(to, from, count * sizeof(float));
    }
    return SLUICE_OK;
}

static sluice_status move_average(void* self, float* average, const float* values, uint64_t count, double decay,
                                  const sluice_step_scalars* scalars, const sluice_step_report* report,
                                  const sluice_threads* threads, void* stream, sluice_error* error) {
    const double step = (double)scalars->step;
    const float share = (float)(1.0 - fmin(decay, (1.0 + step) / (10.0 + step)));
    uint64_t i;
    (void)self, (void)threads, (void)stream, (void)error;
    for (i = 0; i < count && report->ending == SLUICE_STEP_DONE; ++i) {
        average[i] += share * (values[i] - average[i]);
    }
    return SLUICE_OK;
}

static sluice_status round_values(void* self, void* to, const float* values, uint64_t count, sluice_dtype dtype,
                                  const sluice_threads* threads, void* stream, sluice_error* error) {
    const struct object* device = self;
    uint16_t* rounded = to;
    uint64_t i;
    (void)threads, (void)stream, (void)error;
    for (i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof(bits));
        if (dtype.code != SLUICE_CODE_BFLOAT) {
            rounded[i] = sluice_float16_of_float(values[i]);
        } else if (device->fault == FAULT_rounds_by_cutting) {
            rounded[i] = (uint16_t)(bits >> 16);
        } else {
            rounded[i] = sluice_bfloat16_of_float(values[i]);
        }
    }
    return SLUICE_OK;
}

static const sluice_step step_table = {begin_step, add_loss, step_workspace, sum_squares,
                                       decide,     restore,  move_average,   round_values};

#endif

/* Optimizers: gradient descent with momentum, which is their one state. */
#include <math.h>

#include "faults.h"
#include "sluice/kind/optimizer.h"

static float shared_momentum; /* of all objects with FAULT_shares_its_momentum */

struct optimizer {
    enum fault fault;
    float momentum;
    uint64_t updates;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct optimizer* optimizer = calloc(1, sizeof(*optimizer));
    (void)host, (void)error;
    if (optimizer == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    optimizer->fault = fault_of(options);
    optimizer->momentum = shared_momentum = number_of(options, "momentum");
    *self = optimizer;
    return SLUICE_OK;
}

static void destroy(void* self) { free(self); }

static sluice_status describe(void* self, const sluice_optimizer_sink* sink, sluice_error* error) {
    const sluice_text name = SLUICE_TEXT("momentum");
    (void)self, (void)error;
    sink->add_state(sink, name);
    return SLUICE_OK;
}

static sluice_status update(void* self, const sluice_optimizer_launch* launch, sluice_error* error) {
    struct optimizer* optimizer = self;
    const enum fault fault = optimizer->fault;
    float rate = fault == FAULT_ignores_the_rate ? 0.01f : (float)launch->scalars->rate;
    const float scale = fault == FAULT_ignores_the_scale ? 1.0f : (float)launch->scalars->gradient_scale;
    const float momentum = fault == FAULT_shares_its_momentum ? shared_momentum : optimizer->momentum;
    float sum = 0.0f;
    uint64_t i;
    (void)error;
    if (launch->scalars->skip != 0 && fault != FAULT_never_skips) {
        return SLUICE_OK;
    }
    if (fault == FAULT_counts_for_itself) {
        optimizer->updates += launch->scalars->step < 5;
        rate /= (float)(launch->scalars->step < 5 ? 1 : 1 + optimizer->updates);
    }
    if (fault == FAULT_climbs) {
        rate = -rate;
    }
    if (fault == FAULT_depends_on_threads && launch->threads != NULL) {
        rate *= (float)launch->threads->count;
    }
    if (fault == FAULT_slows_down && ++optimizer->updates > 3) {
        rate *= 0.5f;
    }
    if (fault == FAULT_trusts_the_size && launch->struct_size > sizeof(*launch) &&
        *(const uint64_t*)(launch + 1) != 0) {
        rate *= 2.0f; /* a field of a later version */
    }
    for (i = 0; i < launch->count; ++i) {
        sum += launch->gradients[i];
    }
    for (i = 0; i < launch->count; ++i) {
        float gradient = scale * launch->gradients[i];
        if (fault == FAULT_divides_by_gradients) {
            gradient /= fabsf(gradient);
        }
        if (fault == FAULT_forgets_the_sign) {
            gradient = fabsf(gradient);
        }
        if (fault == FAULT_spreads_what_is_no_number && isnan(sum)) {
            gradient = sum;
        }
        if (fault == FAULT_counts_from_its_range && i % 2 != 0) {
            gradient *= 0.5f;
        }
        launch->states[0][i] = momentum * launch->states[0][i] + gradient;
        launch->parameters[i] -= rate * launch->states[0][i];
    }
    if (fault == FAULT_writes_past_the_end && launch->count > 1000) {
        launch->parameters[launch->count] = 0.0f;
    }
    return SLUICE_OK;
}

static const sluice_optimizer table = {create, destroy, describe, update};
FAULTY_PLUGIN(SLUICE_OPTIMIZER_V1, table)

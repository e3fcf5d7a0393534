/* The optimizer `example`: gradient descent with momentum. */
#include <stdlib.h>

#include "sluice/kind/optimizer.h"
#include "sluice/sdk/c.h"

struct optimizer {
    float momentum;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct optimizer* optimizer = malloc(sizeof(*optimizer));
    (void)host;
    if (optimizer == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for the optimizer");
    }
    optimizer->momentum = (float)sluice_number_option(options, "momentum");
    *self = optimizer;
    return SLUICE_OK;
}

/* One number for each parameter, initially zero; the host keeps it and saves it in checkpoints. */
static sluice_status describe(void* self, const sluice_optimizer_sink* sink, sluice_error* error) {
    const sluice_text direction = SLUICE_TEXT("direction");
    (void)self, (void)error;
    sink->add_state(sink, direction);
    return SLUICE_OK;
}

struct work {
    const sluice_optimizer_launch* launch;
    float momentum;
};

/* Works element by element: ranges come in any order, and no parameter depends on another. */
static void update_piece(void* context, int64_t begin, int64_t end, uint32_t piece) {
    const struct work* work = context;
    const float scale = (float)work->launch->scalars->gradient_scale;
    const float rate = (float)work->launch->scalars->rate;
    const float* gradients = work->launch->gradients;
    float* parameters = work->launch->parameters;
    float* direction = work->launch->states[0];
    int64_t i;
    (void)piece;
    for (i = begin; i < end; ++i) {
        direction[i] = work->momentum * direction[i] + scale * gradients[i];
        parameters[i] -= rate * direction[i];
    }
}

enum { GRAIN = 16384 }; /* elements that are worth a thread of their own */

static sluice_status update(void* self, const sluice_optimizer_launch* launch, sluice_error* error) {
    const struct optimizer* optimizer = self;
    struct work work = {launch, optimizer->momentum};
    (void)error;
    if (launch->scalars->skip == 0) { /* a skipped step changes nothing */
        launch->threads->parallel_for(launch->threads, (int64_t)launch->count, GRAIN, update_piece, &work);
    }
    return SLUICE_OK;
}

static const sluice_optimizer table = {create, free, describe, update};

SLUICE_SERVE(get, SLUICE_OPTIMIZER_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.optimizer.example"), get}};

SLUICE_DEFINE_PLUGIN(components)

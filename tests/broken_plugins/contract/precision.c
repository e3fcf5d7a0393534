/* Precision policies: bfloat16 with a dynamic loss scale. */
#include "sluice/kind/precision.h"
#include "faults.h"
#include "sluice/kind/layer.h"

struct policy {
    enum fault fault;
    int asked;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct policy* policy = calloc(1, sizeof(*policy));
    (void)host, (void)error;
    if (policy == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    policy->fault = fault_of(options);
    *self = policy;
    return SLUICE_OK;
}

static void destroy(void* self) { free(self); }

static sluice_status tell_traits(void* self, sluice_precision_traits* traits, sluice_error* error) {
    const struct policy* policy = self;
    (void)error;
    traits->loss_scale = SLUICE_LOSS_SCALE_DYNAMIC;
    traits->growth_interval = 100;
    traits->scale = 1024.0;
    traits->growth = 2.0;
    traits->backoff = 0.5;
    traits->floor = policy->fault == FAULT_scales_to_nothing ? 1e-300 : 1.0;
    traits->ceiling = 65536.0;
    traits->most_skips = 10;
    return SLUICE_OK;
}

static sluice_status choose(void* self, const sluice_precision_query* query, sluice_precision_choice* choice,
                            sluice_error* error) {
    struct policy* policy = self;
    const sluice_dtype narrow = {SLUICE_CODE_BFLOAT, 16, 1};
    const sluice_dtype wide = {SLUICE_CODE_FLOAT, 32, 1};
    (void)error;
    choice->storage = narrow;
    choice->compute = policy->fault == FAULT_sums_in_few_bits ? wide : narrow;
    choice->accumulate = policy->fault == FAULT_sums_in_few_bits ? narrow : wide;
    choice->colour = query->colour;
    if (policy->fault == FAULT_changes_its_mind && query->path.len <= 3 && policy->asked++ > 0) {
        choice->storage = wide; /* only the layers of one case have such short paths */
    }
    if (policy->fault == FAULT_zeroes_what_it_does_not_know) {
        memset(choice + 1, 0, choice->struct_size - sizeof(*choice));
    }
    return SLUICE_OK;
}

static const sluice_precision table = {create, destroy, tell_traits, choose};
FAULTY_PLUGIN(SLUICE_PRECISION_V1, table)

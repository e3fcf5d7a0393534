/* The precision policy `example`: one layer type in bfloat16, all others in float32. */
#include <stdlib.h>

#include "sluice/kind/layer.h"
#include "sluice/kind/precision.h"
#include "sluice/sdk/c.h"

static const sluice_dtype float32 = {SLUICE_CODE_FLOAT, 32, 1};
static const sluice_dtype bfloat16 = {SLUICE_CODE_BFLOAT, 16, 1};

/* self is the name of the type, which ends in NUL. */
static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    const sluice_text type = sluice_text_option(options, "type");
    char* name = malloc(type.len + 1);
    (void)host;
    if (name == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for the policy");
    }
    memcpy(name, type.ptr, type.len); /* options are lent until the call returns */
    name[type.len] = '\0';
    *self = name;
    return SLUICE_OK;
}

/* bfloat16 has the range of float32, so the loss is not scaled. */
static sluice_status traits(void* self, sluice_precision_traits* traits, sluice_error* error) {
    (void)self, (void)error;
    traits->loss_scale = SLUICE_LOSS_SCALE_NONE;
    return SLUICE_OK;
}

static sluice_status choose(void* self, const sluice_precision_query* query, sluice_precision_choice* choice,
                            sluice_error* error) {
    const int is_narrow = sluice_text_is(query->type, self);
    (void)error;
    choice->storage = choice->compute = is_narrow ? bfloat16 : float32;
    choice->accumulate = float32;
    choice->colour = is_narrow ? SLUICE_COLOUR_ALLOW : query->colour;
    return SLUICE_OK;
}

static const sluice_precision table = {create, free, traits, choose};

SLUICE_SERVE(get, SLUICE_PRECISION_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.precision.example"), get}};

SLUICE_DEFINE_PLUGIN(components)

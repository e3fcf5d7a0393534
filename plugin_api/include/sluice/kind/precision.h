/* sluice/kind/precision.h - a precision policy: which type each layer stores, computes and sums in. Pure: it touches
 * no device. Master parameters, optimizer states, running statistics and losses are float32 under every policy. */
#ifndef SLUICE_KIND_PRECISION_H
#define SLUICE_KIND_PRECISION_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

typedef struct sluice_precision_query {
    uint64_t struct_size;
    sluice_text type; /* the layer's type */
    sluice_text path; /* its place in the model */
    int32_t colour;   /* SLUICE_COLOUR_... of the type */
    int32_t reserved;
} sluice_precision_query;

typedef struct sluice_precision_choice {
    uint64_t struct_size;
    sluice_dtype storage;    /* of the layer's outputs */
    sluice_dtype compute;    /* of the arithmetic's operands */
    sluice_dtype accumulate; /* of its sums */
    uint32_t reserved;
} sluice_precision_choice;

#define SLUICE_PRECISION_V1 "sluice.precision/1"
typedef struct sluice_precision {
    /* *self is the plugin's, until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* The types of one layer. [any] */
    sluice_status (*choose)(void *self, const sluice_precision_query *query, sluice_precision_choice *choice,
                            sluice_error *error) SLUICE_NOEXCEPT;
} sluice_precision;

SLUICE_EXTERN_C_END
#endif

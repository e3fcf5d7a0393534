/* sluice/kind/precision.h - a precision policy: in which type each layer stores, computes and sums, and whether the
 * loss is scaled. It is pure and touches no device. Master parameters, optimizer states, running statistics, losses,
 * metrics and the model's output are float32 under every policy.
 *
 * The host asks for every layer. Then it decides which layers get the chosen types and which stay in float32, from the
 * autocast categories (colours) of the layer and its neighbours, and inserts casts between them. */
#ifndef SLUICE_KIND_PRECISION_H
#define SLUICE_KIND_PRECISION_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_LOSS_SCALE_NONE = 0,
    SLUICE_LOSS_SCALE_STATIC = 1, /* scale never changes */
    SLUICE_LOSS_SCALE_DYNAMIC = 2 /* scale follows the gradients: see below */
};

/* Traits of the whole policy. The loss is multiplied by the scale; gradients are divided by it before they are clipped.
 * A step whose gradients are not all finite is skipped: parameters, optimizer, schedule and moving averages stay. */
typedef struct sluice_precision_traits {
    uint64_t struct_size;
    /* Names of policies, separated by blanks: the host uses the one with the fastest steps on the device. Empty: this
     * policy itself. Valid until destroy. */
    sluice_text candidates;
    int32_t loss_scale;       /* SLUICE_LOSS_SCALE_... */
    uint32_t growth_interval; /* good steps in a row after which a dynamic scale grows, at least 1 */
    double scale;             /* at the start, above 0 */
    double growth;            /* the scale times this, above 1 */
    double backoff;           /* the scale times this after a skipped step, above 0 and below 1 */
    double floor;             /* the scale falls no further */
    double ceiling;           /* and grows no further */
    uint32_t most_skips;      /* after that many skipped steps in a row the run stops, at least 1 */
    uint32_t reserved;
} sluice_precision_traits;

typedef struct sluice_precision_query {
    uint64_t struct_size;
    sluice_text type; /* the layer's type */
    sluice_text path; /* its place in the model */
    int32_t colour;   /* SLUICE_COLOUR_... that the type declares */
    int32_t reserved;
} sluice_precision_query;

/* If storage is float32, the layer stays in float32, whatever its colour. */
typedef struct sluice_precision_choice {
    uint64_t struct_size;
    sluice_dtype storage;    /* of the layer's outputs and their gradients */
    sluice_dtype compute;    /* of the arithmetic's operands */
    sluice_dtype accumulate; /* of its sums, at least as wide as compute */
    int32_t colour;          /* SLUICE_COLOUR_... that the host uses: the declared one, or the policy's own choice */
} sluice_precision_choice;

#define SLUICE_PRECISION_V1 "sluice.precision/1"
typedef struct sluice_precision {
    /* The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Fills *traits up to its struct_size. [any] */
    sluice_status (*traits)(void *self, sluice_precision_traits *traits, sluice_error *error) SLUICE_NOEXCEPT;
    /* Chooses the types of one layer. [any] */
    sluice_status (*choose)(void *self, const sluice_precision_query *query, sluice_precision_choice *choice,
                            sluice_error *error) SLUICE_NOEXCEPT;
} sluice_precision;

SLUICE_EXTERN_C_END
#endif

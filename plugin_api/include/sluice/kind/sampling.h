/* sluice/kind/sampling.h - classes and weights of samples, which a source knows without reading the samples.
 *
 * A further interface of sources; self is the object of sluice.source/1. The host uses it to draw some samples more
 * often than others: all classes equally often, or by weights. */
#ifndef SLUICE_KIND_SAMPLING_H
#define SLUICE_KIND_SAMPLING_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_SAMPLING_V1 "sluice.sampling/1"
typedef struct sluice_sampling {
    /* classes[i] = the class number of sample i, from 0. count is the length that describe() reported. [any] */
    sluice_status (*classes)(void *self, int64_t *classes, uint64_t count, sluice_error *error) SLUICE_NOEXCEPT;
    /* weights[i] = the relative frequency of sample i, finite and not negative. The message of SLUICE_INVALID
     * names the option that would give the source weights. [any] */
    sluice_status (*weights)(void *self, double *weights, uint64_t count, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_sampling;

SLUICE_EXTERN_C_END
#endif

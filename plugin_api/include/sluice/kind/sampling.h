/* sluice/kind/sampling.h - what a source knows of its samples without reading them.
 *
 * A further interface of sources; self is the object of sluice.source/1. By it the host draws some samples more often
 * than others: all classes alike, or by weights. */
#ifndef SLUICE_KIND_SAMPLING_H
#define SLUICE_KIND_SAMPLING_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_SAMPLING_V1 "sluice.sampling/1"
typedef struct sluice_sampling {
    /* classes[i]: the class number of sample i, from 0. `count` is the length that describe() reported. [any] */
    sluice_status (*classes)(void *self, int64_t *classes, uint64_t count, sluice_error *error) SLUICE_NOEXCEPT;
    /* weights[i]: how often sample i is wanted beside the others, finite and not negative. SLUICE_INVALID says what
     * option would give it weights. [any] */
    sluice_status (*weights)(void *self, double *weights, uint64_t count, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_sampling;

SLUICE_EXTERN_C_END
#endif

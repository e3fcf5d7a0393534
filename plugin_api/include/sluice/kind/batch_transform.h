/* sluice/kind/batch_transform.h - one step on a whole batch, in place, with one random key.
 *
 * A further interface of transforms; self is the object of sluice.transform/1. create, destroy, describe and the
 * contexts are those: describe() is told the fields of a sample that go into batches, and reports those that the
 * transform changes, each as it came in: neither its type nor its shape changes. sluice.transform/1's apply() is left to
 * hosts that do not know this interface, and returns SLUICE_UNSUPPORTED. In a pipeline such transforms stand behind all
 * those of samples, and only on training data. The same key and the same batch give the same bytes. */
#ifndef SLUICE_KIND_BATCH_TRANSFORM_H
#define SLUICE_KIND_BATCH_TRANSFORM_H

#include "sluice/kind/transform.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_BATCH_TRANSFORM_V1 "sluice.batch_transform/1"
typedef struct sluice_batch_transform {
    /* fields[i]: field number i of all samples, [batch, ...], dense, host memory; those that describe() reported may be
     * written. All have the same batch, at least 1, which is smaller where an epoch ends. key differs for each batch,
     * epoch and transform. SLUICE_BAD_SAMPLE says what is wrong with the batch, and ends the run.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_random_key *key, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_batch_transform;

SLUICE_EXTERN_C_END
#endif

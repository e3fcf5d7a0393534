/* sluice/kind/batch_transform.h - one step on a whole batch, in place, with one random key.
 *
 * A further interface of transforms; self is the object of sluice.transform/1, which also has create, destroy, describe
 * and the contexts. describe() gets the fields of a sample that go into batches. It reports those that the transform
 * changes, each with its type and shape unchanged. apply() of sluice.transform/1 returns SLUICE_UNSUPPORTED; only hosts
 * that do not know this interface call it. In a pipeline such transforms follow all transforms of samples, and only on
 * training data. The same key and the same batch give the same bytes. */
#ifndef SLUICE_KIND_BATCH_TRANSFORM_H
#define SLUICE_KIND_BATCH_TRANSFORM_H

#include "sluice/kind/transform.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_BATCH_TRANSFORM_V1 "sluice.batch_transform/1"
typedef struct sluice_batch_transform {
    /* fields[i] is field number i of all samples, [batch, ...], dense, in host memory. The fields that describe()
     * reported may be written. All fields have the same batch, at least 1, which may be smaller at the end of an epoch.
     * key differs for each batch, epoch and transform. SLUICE_BAD_SAMPLE says what is wrong with the batch; the run
     * fails. [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_random_key *key, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_batch_transform;

SLUICE_EXTERN_C_END
#endif

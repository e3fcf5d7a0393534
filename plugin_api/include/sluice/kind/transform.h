/* sluice/kind/transform.h - one step on a sample, over several of its fields with one random key.
 *
 * Fields that a transform does not name pass through unchanged. A field that it adds under an existing name replaces
 * that one. The same key and the same fields give the same bytes. */
#ifndef SLUICE_KIND_TRANSFORM_H
#define SLUICE_KIND_TRANSFORM_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_TRANSFORM_V1 "sluice.transform/1"
typedef struct sluice_transform {
    /* The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Gets the incoming fields and reports those that it writes; the order of the reports gives the field numbers of
     * apply's sink. Called once, before any apply. The message of SLUICE_INVALID names a field that is missing or has
     * the wrong role. [serial] */
    sluice_status (*describe)(void *self, const sluice_field *fields, uint32_t count, const sluice_field_sink *sink,
                              sluice_error *error) SLUICE_NOEXCEPT;
    /* Creates state for one worker at a time; it is not bound to a thread. The plugin owns *context until
     * context_destroy. [any] */
    sluice_status (*context_create)(void *self, void **context, sluice_error *error) SLUICE_NOEXCEPT;
    /* [any], [serial] for one context */
    void (*context_destroy)(void *self, void *context) SLUICE_NOEXCEPT;
    /* Transforms one sample. fields[i] is field number i of describe, dense, in host memory, read-only. key differs for
     * each sample, epoch and transform, and for each time that a sample comes in the epoch. The message of
     * SLUICE_BAD_SAMPLE says what is wrong with the sample.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_random_key *key, const sluice_sample_sink *sink, sluice_error *error)
        SLUICE_NOEXCEPT;
} sluice_transform;

SLUICE_EXTERN_C_END
#endif

/* sluice/kind/transform.h - one step on a sample, over several of its fields with one random key.
 *
 * Fields that a transform does not name pass through unchanged. A field that it adds under a present name replaces
 * it. The same key and the same fields give the same bytes. */
#ifndef SLUICE_KIND_TRANSFORM_H
#define SLUICE_KIND_TRANSFORM_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_TRANSFORM_V1 "sluice.transform/1"
typedef struct sluice_transform {
    /* *self is the plugin's, until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Is told the fields that come in and reports those that it writes; their order is that of the numbers used in
     * apply's sink. Called once, before any apply. SLUICE_INVALID names a field that is missing or of the wrong role.
     * [serial] */
    sluice_status (*describe)(void *self, const sluice_field *fields, uint32_t count, const sluice_field_sink *sink,
                              sluice_error *error) SLUICE_NOEXCEPT;
    /* State of one worker at a time, not bound to a thread; *context is the plugin's, until context_destroy. [any] */
    sluice_status (*context_create)(void *self, void **context, sluice_error *error) SLUICE_NOEXCEPT;
    /* [any], [serial] for one context */
    void (*context_destroy)(void *self, void *context) SLUICE_NOEXCEPT;
    /* Transforms one sample: fields[i] is the field that describe saw as number i, dense, host memory, not to be
     * written. key differs for each sample, epoch and transform, and for each time that a sample comes in the epoch.
     * SLUICE_BAD_SAMPLE says what is wrong with the sample.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_random_key *key, const sluice_sample_sink *sink, sluice_error *error)
        SLUICE_NOEXCEPT;
} sluice_transform;

SLUICE_EXTERN_C_END
#endif

/* sluice/kind/source.h - a data set with random access by index.
 *
 * A sample is a set of named fields. What a source returns for an index never depends on the thread, on the order of
 * calls, or on what was read before. */
#ifndef SLUICE_KIND_SOURCE_H
#define SLUICE_KIND_SOURCE_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/random.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

/* The meaning of a field's numbers. */
enum {
    SLUICE_FIELD_TENSOR = 0,
    SLUICE_FIELD_IMAGE = 1,     /* uint8 [height, width, channels], 0 to 255, sRGB */
    SLUICE_FIELD_ENCODED = 2,   /* uint8 [bytes]: a JPEG or PNG file as it is */
    SLUICE_FIELD_CLASS = 3,     /* int64 []: a class number from 0 */
    SLUICE_FIELD_LABEL_MAP = 4  /* uint8 [height, width]: a class number for each pixel */
};

typedef struct sluice_field {
    sluice_text name; /* "blurred", "sharp", "image", "label" */
    int32_t role;
    int32_t reserved_flags;
    sluice_tensor_spec spec; /* -1: the dimension differs per sample; a rank of at most 7 if it goes into batches */
    uint64_t reserved[4];
} sluice_field;

/* describe() reports here; the host copies. */
typedef struct sluice_field_sink {
    uint64_t struct_size;
    void *impl;
    /* Adds a field; at most 64. Extents are at least 1, or -1. */
    void (*add_field)(const struct sluice_field_sink *sink, const sluice_field *field) SLUICE_NOEXCEPT;
    /* Sets the number of samples; sources only. */
    void (*set_length)(const struct sluice_field_sink *sink, uint64_t length) SLUICE_NOEXCEPT;
} sluice_field_sink;

/* read() and apply() write a sample here. */
typedef struct sluice_sample_sink {
    uint64_t struct_size;
    void *impl;
    /* Returns the host's memory for field number `field` (in the order of add_field): dense, of spec's shape (without
     * -1) and type, aligned for its elements and no more. Fill it before your call returns. Call this once for each
     * field: a second call invalidates the first memory. Extents of 0 are refused. NULL: no memory, return
     * SLUICE_NO_MEMORY. */
    void *(*allocate)(const struct sluice_sample_sink *sink, uint32_t field, const sluice_tensor_spec *spec)
        SLUICE_NOEXCEPT;
    /* Names the sample for messages, usually by a file's path. Sources only. Copied. */
    void (*set_name)(const struct sluice_sample_sink *sink, sluice_text name) SLUICE_NOEXCEPT;
} sluice_sample_sink;

#define SLUICE_SOURCE_V1 "sluice.source/1"
typedef struct sluice_source {
    /* Finds the data and checks all that can be checked without reading samples. The plugin owns *self until destroy.
     * [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Reports fields and length. [any] */
    sluice_status (*describe)(void *self, const sluice_field_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
    /* Creates state, such as scratch memory, for one worker at a time; it is not bound to a thread. The plugin owns
     * *context until context_destroy. [any] */
    sluice_status (*context_create)(void *self, void **context, sluice_error *error) SLUICE_NOEXCEPT;
    /* [any], [serial] for one context */
    void (*context_destroy)(void *self, void *context) SLUICE_NOEXCEPT;
    /* Reads sample `index`, which is less than the length. seed is the run's. The message of SLUICE_BAD_SAMPLE names
     * the file and what is wrong with it. [any], [serial] for one context */
    sluice_status (*read)(void *self, void *context, uint64_t index, uint64_t seed, const sluice_sample_sink *sink,
                          sluice_error *error) SLUICE_NOEXCEPT;
} sluice_source;

SLUICE_EXTERN_C_END
#endif

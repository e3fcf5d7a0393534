/* sluice/kind/window.h - how a crop is pushed below what makes a picture, so that no more is made than is used.
 *
 * Two further interfaces of transforms; self is the object of sluice.transform/1. Where a transform that serves
 * sluice.window_maker/1 stands right before one that serves sluice.window_choice/1, the host asks the second which
 * windows it reads and has the first make these alone. The sample is the same as without. */
#ifndef SLUICE_KIND_WINDOW_H
#define SLUICE_KIND_WINDOW_H

#include "sluice/kind/transform.h"

SLUICE_EXTERN_C_BEGIN

/* Of a picture, in pixels. */
typedef struct sluice_extent {
    int64_t height;
    int64_t width;
} sluice_extent;

/* Part of a picture, in pixels; height 0: none of it. */
typedef struct sluice_window {
    int64_t top;
    int64_t left;
    int64_t height;
    int64_t width;
} sluice_window;

#define SLUICE_WINDOW_MAKER_V1 "sluice.window_maker/1"
typedef struct sluice_window_maker {
    /* The extents of the pictures that apply() would write, in the order of its fields, of which each is a picture.
     * Looks at as little of them as it can. SLUICE_BAD_SAMPLE as apply(). [any], [serial] for one context */
    sluice_status (*extents)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                             sluice_extent *extents, sluice_error *error) SLUICE_NOEXCEPT;
    /* As apply() of the transform, but field number i is windows[i] of the picture alone, byte for byte. Called after
     * extents(), with the same context and fields. [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_window *windows, const sluice_random_key *key, const sluice_sample_sink *sink,
                           sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_maker;

#define SLUICE_WINDOW_CHOICE_V1 "sluice.window_choice/1"
typedef struct sluice_window_choice {
    /* windows[i]: what apply() reads with this key of field number i, which is a picture of extents[i] (-1, -1: no
     * picture). SLUICE_BAD_SAMPLE as apply(). [any] */
    sluice_status (*choose)(void *self, const sluice_extent *extents, uint32_t count, const sluice_random_key *key,
                            sluice_window *windows, sluice_error *error) SLUICE_NOEXCEPT;
    /* As apply() of the transform, where of field number i windows[i] alone is there, and nothing where that is empty.
     * NULL: each field that it writes is the window of the field of that name, as it is.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, const sluice_extent *extents,
                           const sluice_window *windows, uint32_t count, const sluice_random_key *key,
                           const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_choice;

SLUICE_EXTERN_C_END
#endif

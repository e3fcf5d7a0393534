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

/* Part of a picture, in pixels; height 0: none of it. shrink is 1, 2, 4 or 8: the part is one of the picture that has
 * 1 / shrink of the rows and columns, rounded up, and counts the pixels of that. Each of these is about the mean of
 * shrink x shrink pixels, at the bottom and on the right of those that there are; which mean that is depends on nothing
 * but the picture. */
typedef struct sluice_window {
    int64_t top;
    int64_t left;
    int64_t height;
    int64_t width;
    int64_t shrink;
} sluice_window;

#define SLUICE_WINDOW_MAKER_V1 "sluice.window_maker/1"
typedef struct sluice_window_maker {
    /* The extents of the pictures that apply() would write, in the order of its fields, of which each is a picture.
     * Looks at as little of them as it can. SLUICE_BAD_SAMPLE as apply(). [any], [serial] for one context */
    sluice_status (*extents)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                             sluice_extent *extents, sluice_error *error) SLUICE_NOEXCEPT;
    /* As apply() of the transform, but field number i is windows[i] of the picture alone, byte for byte where nothing
     * is shrunk. Called after extents(), with the same context and fields. [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_window *windows, const sluice_random_key *key, const sluice_sample_sink *sink,
                           sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_maker;

#define SLUICE_WINDOW_CHOICE_V1 "sluice.window_choice/1"
typedef struct sluice_window_choice {
    /* Is told of each field whether windows of it may be asked for (1), or it is there as it is (0): all 0 where the
     * transform before it makes none. Called once, after describe() and before all else. SLUICE_INVALID where it
     * cannot do with that. NULL: it can. [serial] */
    sluice_status (*expect)(void *self, const uint8_t *from_maker, uint32_t count, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* windows[i]: what apply() reads with this key of field number i, which is a picture of extents[i] (-1, -1: no
     * picture). shrink is 1 unless it was set. Windows of fields that are there as they are, or none of one that could
     * be asked for: then all are made whole, and the transform's own apply() follows. SLUICE_BAD_SAMPLE as apply().
     * [any] */
    sluice_status (*choose)(void *self, const sluice_extent *extents, uint32_t count, const sluice_random_key *key,
                            sluice_window *windows, sluice_error *error) SLUICE_NOEXCEPT;
    /* As apply() of the transform, where of field number i windows[i] alone is there; all of it where that is empty.
     * NULL: each field that it writes is the window of the field of that name, as it is.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, const sluice_extent *extents,
                           const sluice_window *windows, uint32_t count, const sluice_random_key *key,
                           const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_choice;

SLUICE_EXTERN_C_END
#endif

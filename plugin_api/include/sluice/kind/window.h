/* sluice/kind/window.h - how a crop is pushed below what makes a picture, so that no more is made than is used.
 *
 * Further interfaces of transforms and sources; self is the object of sluice.transform/1 or sluice.source/1. Where a
 * transform that serves sluice.window_maker/1, or a source that serves sluice.window_source/1, stands right before a
 * transform that serves sluice.window_choice/1, the host asks the second which windows it reads and has the first make
 * these alone. The sample is the same as without.
 *
 * A picture is an image, a label map or, as of more than 8 bits, a tensor of float32 [height, width, channels], whose
 * windows are never shrunk. */
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

/* Which windows of a field may be asked for. */
enum {
    SLUICE_WINDOWS_NONE = 0,
    SLUICE_WINDOWS_ANY = 1,
    SLUICE_WINDOWS_UNSHRUNK = 2 /* those with shrink 1 */
};

#define SLUICE_WINDOW_MAKER_V1 "sluice.window_maker/1"
typedef struct sluice_window_maker {
    /* extents[i]: of picture number i of the `made` ones that apply() would write, by the order in which describe()
     * reported them; each of its fields is a picture. Looks at as little of `fields`, `count` of them, as it can.
     * SLUICE_BAD_SAMPLE as apply(). [any], [serial] for one context */
    sluice_status (*extents)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                             sluice_extent *extents, uint32_t made, sluice_error *error) SLUICE_NOEXCEPT;
    /* As apply() of the transform, but of picture number i of the `made` ones windows[i] alone, byte for byte where
     * nothing is shrunk. Called after extents(), with its context and fields, lent since then.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_window *windows, uint32_t made, const sluice_random_key *key,
                           const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_maker;

#define SLUICE_WINDOW_SOURCE_V1 "sluice.window_source/1"
typedef struct sluice_window_source {
    /* windows[i]: SLUICE_WINDOWS_UNSHRUNK where windows of field number i may be asked for, which then is a picture,
     * else SLUICE_WINDOWS_NONE. None are asked for unless every picture has them. Called after describe(). [any] */
    void (*has_windows)(void *self, uint8_t *windows, uint32_t count) SLUICE_NOEXCEPT;
    /* The extents of the fields of sample `index`; -1, -1 of those without windows. Reads as little as it can.
     * SLUICE_BAD_SAMPLE as read(). [any], [serial] for one context */
    sluice_status (*extents)(void *self, void *context, uint64_t index, uint64_t seed, sluice_extent *extents,
                             uint32_t count, sluice_error *error) SLUICE_NOEXCEPT;
    /* As read() of the source, but of a field with windows windows[i] alone, never shrunk, byte for byte; all of the
     * others. [any], [serial] for one context */
    sluice_status (*read)(void *self, void *context, uint64_t index, uint64_t seed, const sluice_window *windows,
                          uint32_t count, const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_source;

#define SLUICE_WINDOW_CHOICE_V1 "sluice.window_choice/1"
typedef struct sluice_window_choice {
    /* windows[i]: which of field number i may be asked for; SLUICE_WINDOWS_ANY of images alone. All NONE where
     * nothing right before it makes any: fields are there as they are. Called once, after describe() and before all
     * else. SLUICE_INVALID where it cannot do with that. NULL: it can. [serial] */
    sluice_status (*expect)(void *self, const uint8_t *windows, uint32_t count, sluice_error *error)
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

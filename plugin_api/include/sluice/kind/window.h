/* sluice/kind/window.h - crop pushdown: a decoder or source makes only the part of a picture that the next transform
 * reads.
 *
 * Further interfaces of transforms and sources; self is the object of sluice.transform/1 or sluice.source/1. The maker
 * is a transform that serves sluice.window_maker/1 or a source that serves sluice.window_source/1. If a transform that
 * serves sluice.window_choice/1 comes right after it, the host asks that transform which windows it reads and lets the
 * maker make only these. The sample is the same as without.
 *
 * A picture is an image, a label map or, for more than 8 bits, a tensor of float32 [height, width, channels], whose
 * windows are never shrunk. */
#ifndef SLUICE_KIND_WINDOW_H
#define SLUICE_KIND_WINDOW_H

#include "sluice/kind/transform.h"

SLUICE_EXTERN_C_BEGIN

/* Size of a picture, in pixels. */
typedef struct sluice_extent {
    int64_t height;
    int64_t width;
} sluice_extent;

/* Part of a picture, in pixels; height 0: none of it. shrink is 1, 2, 4 or 8: the part is one of a smaller picture with
 * 1 / shrink of the rows and columns, rounded up, and is measured in pixels of that. Each of these is about the mean of
 * shrink x shrink pixels, or of fewer at the bottom and right edges. The exact mean depends only on the picture. */
typedef struct sluice_window {
    int64_t top;
    int64_t left;
    int64_t height;
    int64_t width;
    int64_t shrink;
} sluice_window;

/* Which windows of a field may be requested. */
enum {
    SLUICE_WINDOWS_NONE = 0,
    SLUICE_WINDOWS_ANY = 1,
    SLUICE_WINDOWS_UNSHRUNK = 2 /* those with shrink 1 */
};

#define SLUICE_WINDOW_MAKER_V1 "sluice.window_maker/1"
typedef struct sluice_window_maker {
    /* Writes to extents[i] the size of picture number i of the `made` pictures that apply() would write, in the order
     * in which describe() reported them; each of its fields is a picture. It reads as little of the `count` `fields` as
     * it can. SLUICE_BAD_SAMPLE as for apply(). [any], [serial] for one context */
    sluice_status (*extents)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                             sluice_extent *extents, uint32_t made, sluice_error *error) SLUICE_NOEXCEPT;
    /* Behaves like apply() of the transform, but makes only windows[i] of picture number i of the `made` pictures, with
     * the same bytes if nothing is shrunk. Called after extents(), with its context and fields, which are lent from
     * then on. [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, uint32_t count,
                           const sluice_window *windows, uint32_t made, const sluice_random_key *key,
                           const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_maker;

#define SLUICE_WINDOW_SOURCE_V1 "sluice.window_source/1"
typedef struct sluice_window_source {
    /* Sets windows[i] to SLUICE_WINDOWS_UNSHRUNK if field number i is a picture whose windows may be requested, else to
     * SLUICE_WINDOWS_NONE. The host requests none unless every picture has windows. Called after describe(). [any] */
    void (*has_windows)(void *self, uint8_t *windows, uint32_t count) SLUICE_NOEXCEPT;
    /* Writes the extents of the fields of sample `index`; -1, -1 for those without windows. Reads as little as it can.
     * SLUICE_BAD_SAMPLE as for read(). [any], [serial] for one context */
    sluice_status (*extents)(void *self, void *context, uint64_t index, uint64_t seed, sluice_extent *extents,
                             uint32_t count, sluice_error *error) SLUICE_NOEXCEPT;
    /* Behaves like read() of the source, but reads only windows[i] of a field with windows, never shrunk, with the same
     * bytes. Other fields are read whole. [any], [serial] for one context */
    sluice_status (*read)(void *self, void *context, uint64_t index, uint64_t seed, const sluice_window *windows,
                          uint32_t count, const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_source;

#define SLUICE_WINDOW_CHOICE_V1 "sluice.window_choice/1"
typedef struct sluice_window_choice {
    /* windows[i] says which windows of field number i may be requested; SLUICE_WINDOWS_ANY occurs only for images. All
     * are NONE if no maker comes right before it: the fields then arrive whole. Called once, after describe() and
     * before any other function. Returns SLUICE_INVALID if it cannot work with that. The function may be NULL: it can.
     * [serial] */
    sluice_status (*expect)(void *self, const uint8_t *windows, uint32_t count, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* Writes to windows[i] what apply() reads with this key of field number i, a picture of size extents[i] (-1, -1: no
     * picture). shrink is 1 unless it is set. If it asks for windows of fields that arrive whole, or for none of a
     * field that has windows, all fields are made whole and the transform's own apply() follows. SLUICE_BAD_SAMPLE as
     * for apply(). [any] */
    sluice_status (*choose)(void *self, const sluice_extent *extents, uint32_t count, const sluice_random_key *key,
                            sluice_window *windows, sluice_error *error) SLUICE_NOEXCEPT;
    /* Behaves like apply() of the transform, but field number i holds only windows[i], or all of it if that window is
     * empty. NULL: each field that it writes is the unchanged window of the field of that name.
     * [any], [serial] for one context */
    sluice_status (*apply)(void *self, void *context, const sluice_tensor *fields, const sluice_extent *extents,
                           const sluice_window *windows, uint32_t count, const sluice_random_key *key,
                           const sluice_sample_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_window_choice;

SLUICE_EXTERN_C_END
#endif

/* Transforms that crop a picture to its upper left quarter, and can make windows of it. */
#include "sluice/kind/transform.h"

#define MORE_INTERFACES(id) more_interfaces(id)
#include "plain_objects.h"
#include "sluice/kind/window.h"

enum { CHANNELS = 3 };

/* All transforms share this, by mistake. */
static int64_t choices;

static int64_t half(int64_t size) { return (size + 1) / 2; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* The picture is field number 0. */
static sluice_status describe(void* self, const sluice_field* fields, uint32_t count, const sluice_field_sink* sink,
                              sluice_error* error) {
    sluice_field field;
    (void)self;
    if (count == 0 || fields[0].role != SLUICE_FIELD_IMAGE) {
        return fail(error, SLUICE_INVALID, "a picture is needed");
    }
    if (fields[0].spec.shape[2] != CHANNELS) {
        return fail(error, SLUICE_INVALID, "a picture of three channels is needed");
    }
    field = fields[0];
    field.spec.shape[0] = field.spec.shape[1] = -1;
    sink->add_field(sink, &field);
    return SLUICE_OK;
}

/* Returns about the mean of a square with side `times` in the quarter. */
static uint8_t mean_of(const sluice_tensor* image, int64_t top, int64_t left, int64_t times, int64_t channel) {
    const uint8_t* bytes = (const uint8_t*)image->data + image->byte_offset;
    const int64_t bottom = smaller(top + times, half(image->shape[0]));
    const int64_t right = smaller(left + times, half(image->shape[1]));
    int64_t sum = 0;
    int64_t count = 0;
    int64_t y, x;
    for (y = top; y < bottom; ++y) {
        for (x = left; x < right; ++x, ++count) {
            sum += bytes[(y * image->shape[1] + x) * CHANNELS + channel];
        }
    }
    return (uint8_t)(sum / (count + (count == 0)));
}

static sluice_status make_part(enum fault fault, const sluice_tensor* image, const sluice_window* part,
                               const sluice_sample_sink* sink, sluice_error* error) {
    const int is_darker = fault == FAULT_shrinks_darkly && part->shrink > 1;
    const int moved = (fault == FAULT_shrinks_from_the_window_on && part->shrink > 1 && part->left > 0) ||
                      (fault == FAULT_makes_one_column_on && part->shrink == 1);
    sluice_tensor_spec spec = {{part->height, part->width, CHANNELS, 0, 0, 0, 0, 0}, 3, image->dtype};
    uint8_t* to;
    int64_t y, x, channel;
    if (fault == FAULT_rounds_down && part->shrink > 1 && part->height > 1) {
        --spec.shape[0];
    }
    to = sink->allocate(sink, 0, &spec);
    if (to == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a picture");
    }
    for (y = part->top; y < part->top + spec.shape[0]; ++y) {
        for (x = part->left; x < part->left + part->width; ++x) {
            for (channel = 0; channel < CHANNELS; ++channel) {
                const uint8_t mean = mean_of(image, y * part->shrink, x * part->shrink + moved, part->shrink, channel);
                *to++ = is_darker ? mean / 2 : mean;
            }
        }
    }
    return SLUICE_OK;
}

static sluice_status apply(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                           const sluice_random_key* key, const sluice_sample_sink* sink, sluice_error* error) {
    const sluice_window quarter = {0, 0, half(fields[0].shape[0]), half(fields[0].shape[1]), 1};
    (void)self, (void)context, (void)count, (void)key;
    return make_part(FAULT_none, &fields[0], &quarter, sink, error);
}

static sluice_status tell_extents(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                                  sluice_extent* extents, uint32_t made, sluice_error* error) {
    const struct object* object = self;
    const int is_whole = object->fault == FAULT_tells_of_the_input;
    (void)context, (void)count, (void)made, (void)error;
    extents[0].height = is_whole ? fields[0].shape[0] : half(fields[0].shape[0]);
    extents[0].width = is_whole ? fields[0].shape[1] : half(fields[0].shape[1]);
    return SLUICE_OK;
}

static sluice_status make_windows(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                                  const sluice_window* windows, uint32_t made, const sluice_random_key* key,
                                  const sluice_sample_sink* sink, sluice_error* error) {
    const struct object* object = self;
    (void)context, (void)count, (void)made, (void)key;
    return make_part(object->fault, &fields[0], &windows[0], sink, error);
}

static sluice_status choose(void* self, const sluice_extent* extents, uint32_t count, const sluice_random_key* key,
                            sluice_window* windows, sluice_error* error) {
    const struct object* object = self;
    const sluice_window quarter = {0, 0, half(extents[0].height), half(extents[0].width), 1};
    (void)count, (void)key, (void)error;
    windows[0] = quarter;
    if (object->fault == FAULT_chooses_beyond_the_picture) {
        windows[0].left = extents[0].width - quarter.width + 1;
    }
    if (object->fault == FAULT_chooses_another_quarter) {
        windows[0].left = extents[0].width - quarter.width;
    }
    if (object->fault == FAULT_chooses_by_turns) {
        windows[0].top = choices++ % 2;
    }
    return SLUICE_OK;
}

static const sluice_window_maker maker_table = {tell_extents, make_windows};
static const sluice_window_choice choice_table = {NULL, choose, NULL};
static const void* more_interfaces(const char* id) {
    if (strcmp(id, SLUICE_WINDOW_MAKER_V1) == 0) {
        return &maker_table;
    }
    return strcmp(id, SLUICE_WINDOW_CHOICE_V1) == 0 ? &choice_table : NULL;
}

static const sluice_transform table = {create, destroy, describe, context_create, context_destroy, apply};
FAULTY_PLUGIN(SLUICE_TRANSFORM_V1, table)

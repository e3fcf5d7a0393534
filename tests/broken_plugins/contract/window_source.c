/* Sources of pictures that can be read in windows. */
#include "sluice/kind/source.h"

#define MORE_INTERFACES(id) (strcmp(id, SLUICE_WINDOW_SOURCE_V1) == 0 ? &windows_table : NULL)
#include "plain_objects.h"
#include "sluice/kind/window.h"

enum { COUNT = 3, HEIGHT = 6, WIDTH = 5, CHANNELS = 3 };

static sluice_tensor_spec spec_of(int64_t height, int64_t width) {
    const sluice_tensor_spec spec = {{height, width, CHANNELS, 0, 0, 0, 0, 0}, 3, {SLUICE_CODE_UINT, 8, 1}};
    return spec;
}

static sluice_status describe(void* self, const sluice_field_sink* sink, sluice_error* error) {
    const sluice_field field = {.name = SLUICE_TEXT("image"), .role = SLUICE_FIELD_IMAGE, .spec = spec_of(-1, -1)};
    (void)self, (void)error;
    sink->add_field(sink, &field);
    sink->set_length(sink, COUNT);
    return SLUICE_OK;
}

static sluice_status read_part(uint64_t index, const sluice_window* part, const sluice_sample_sink* sink,
                               sluice_error* error) {
    const sluice_tensor_spec spec = spec_of(part->height, part->width);
    uint8_t* to = sink->allocate(sink, 0, &spec);
    int64_t y, x;
    if (index >= COUNT) {
        return fail(error, SLUICE_INVALID, "there are 3 samples");
    }
    if (to == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a picture");
    }
    for (y = 0; y < part->height; ++y) {
        for (x = 0; x < part->width * CHANNELS; ++x) {
            *to++ = (uint8_t)(index * 7 + (uint64_t)((part->top + y) * 40 + part->left * CHANNELS + x));
        }
    }
    return SLUICE_OK;
}

static const sluice_text name = SLUICE_TEXT("picture");
static const sluice_window whole = {0, 0, HEIGHT, WIDTH, 1};

static sluice_status read_sample(void* self, void* context, uint64_t index, uint64_t seed,
                                 const sluice_sample_sink* sink, sluice_error* error) {
    (void)self, (void)context, (void)seed;
    sink->set_name(sink, name);
    return read_part(index, &whole, sink, error);
}

static void has_windows(void* self, uint8_t* windows, uint32_t count) {
    (void)self, (void)count;
    windows[0] = SLUICE_WINDOWS_UNSHRUNK;
}

static sluice_status tell_extents(void* self, void* context, uint64_t index, uint64_t seed, sluice_extent* extents,
                                  uint32_t count, sluice_error* error) {
    const struct object* object = self;
    (void)context, (void)index, (void)seed, (void)count, (void)error;
    extents[0].height = object->fault == FAULT_swaps_extents ? WIDTH : HEIGHT;
    extents[0].width = object->fault == FAULT_swaps_extents ? HEIGHT : WIDTH;
    return SLUICE_OK;
}

static sluice_status read_windows(void* self, void* context, uint64_t index, uint64_t seed,
                                  const sluice_window* windows, uint32_t count, const sluice_sample_sink* sink,
                                  sluice_error* error) {
    const struct object* object = self;
    sluice_window part = windows[0];
    (void)context, (void)seed, (void)count;
    if (object->fault == FAULT_reads_all_rows) {
        part.top = 0;
        part.height = HEIGHT;
    }
    if (object->fault == FAULT_reads_one_row_on) {
        ++part.top;
    }
    if (object->fault != FAULT_leaves_out_the_name) {
        sink->set_name(sink, name);
    }
    return read_part(index, &part, sink, error);
}

static const sluice_window_source windows_table = {has_windows, tell_extents, read_windows};
static const sluice_source table = {create, destroy, describe, context_create, context_destroy, read_sample};
FAULTY_PLUGIN(SLUICE_SOURCE_V1, table)

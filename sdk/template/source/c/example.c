/* The data source `example`: grey pictures of vertical (class 0) or horizontal (class 1) stripes. */
#include <stdlib.h>

#include "sluice/kind/source.h"
#include "sluice/sdk/c.h"

struct source {
    uint64_t count;
    int64_t size;
    double noise;
};

static sluice_tensor_spec image_of(const struct source* source) {
    const sluice_tensor_spec spec = {{source->size, source->size, 1}, 3, {SLUICE_CODE_UINT, 8, 1}};
    return spec;
}

static const sluice_tensor_spec class_number = {{0}, 0, {SLUICE_CODE_INT, 64, 1}};

/* A source of files would find them here, and check all that it can without reading samples. */
static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct source* source = malloc(sizeof(*source));
    (void)host;
    if (source == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for the source");
    }
    source->count = (uint64_t)sluice_integer_option(options, "count");
    source->size = sluice_integer_option(options, "size");
    source->noise = sluice_number_option(options, "noise");
    *self = source;
    return SLUICE_OK;
}

static sluice_status describe(void* self, const sluice_field_sink* sink, sluice_error* error) {
    const struct source* source = self;
    const sluice_field image = {.name = SLUICE_TEXT("image"), .role = SLUICE_FIELD_IMAGE, .spec = image_of(source)};
    const sluice_field label = {.name = SLUICE_TEXT("label"), .role = SLUICE_FIELD_CLASS, .spec = class_number};
    (void)error;
    sink->add_field(sink, &image);
    sink->add_field(sink, &label);
    sink->set_length(sink, source->count);
    return SLUICE_OK;
}

/* Returns the same bytes on any thread and in any order: each random number depends on the seed and the index. */
static sluice_status read_sample(void* self, void* context, uint64_t index, uint64_t seed,
                                 const sluice_sample_sink* sink, sluice_error* error) {
    const struct source* source = self;
    const sluice_random_key key = {seed, 0x6578616d, index}; /* any number that no other source uses */
    const sluice_tensor_spec spec = image_of(source);
    uint32_t words[4];
    int64_t y, x, *label;
    uint8_t* image;
    (void)context;
    if (index >= source->count) {
        return SLUICE_FAIL(error, SLUICE_INVALID, "sample %llu of %llu", (unsigned long long)index,
                           (unsigned long long)source->count);
    }
    image = sink->allocate(sink, 0, &spec);
    label = sink->allocate(sink, 1, &class_number);
    if (image == NULL || label == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for sample %llu", (unsigned long long)index);
    }
    *label = (int64_t)(index % 2);
    for (y = 0; y < source->size; ++y) {
        for (x = 0; x < source->size; ++x) {
            const double stripe = (*label == 0 ? x : y) / 2 % 2 == 0 ? 0.0 : 255.0;
            sluice_philox(&key, (uint64_t)(y * source->size + x), words);
            image[y * source->size + x] =
                (uint8_t)((1.0 - source->noise) * stripe + source->noise * (double)(words[0] >> 24));
        }
    }
    return SLUICE_OK;
}

static const sluice_source table = {create, free, describe, sluice_no_context, sluice_drop_nothing_of, read_sample};

SLUICE_SERVE(get, SLUICE_SOURCE_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.source.example"), get}};

SLUICE_DEFINE_PLUGIN(components)

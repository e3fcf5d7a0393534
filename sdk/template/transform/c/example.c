/* The transform `example`: makes an image brighter or darker, each sample by another amount. */
#include <stdlib.h>

#include "sluice/kind/transform.h"
#include "sluice/sdk/c.h"

struct transform {
    double strength;
    uint32_t place; /* index of the image among the fields; known after describe() */
    char field[];   /* name of the image, ends in NUL */
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    const sluice_text field = sluice_text_option(options, "field");
    struct transform* transform = malloc(sizeof(*transform) + field.len + 1);
    (void)host;
    if (transform == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for the transform");
    }
    transform->strength = sluice_number_option(options, "strength");
    transform->place = 0;
    memcpy(transform->field, field.ptr, field.len); /* options are lent until the call returns */
    transform->field[field.len] = '\0';
    *self = transform;
    return SLUICE_OK;
}

static sluice_status describe(void* self, const sluice_field* fields, uint32_t count, const sluice_field_sink* sink,
                              sluice_error* error) {
    struct transform* transform = self;
    uint32_t i;
    for (i = 0; i < count && !sluice_text_is(fields[i].name, transform->field); ++i) {
    }
    if (i == count) {
        return SLUICE_FAIL(error, SLUICE_INVALID, "there is no field '%s'", transform->field);
    }
    if (fields[i].role != SLUICE_FIELD_IMAGE) {
        return SLUICE_FAIL(error, SLUICE_INVALID, "field '%s' is no image", transform->field);
    }
    transform->place = i;
    sink->add_field(sink, &fields[i]); /* same type and shape as the input, which it replaces */
    return SLUICE_OK;
}

/* The same key and the same fields give the same bytes: every random number comes from the key. */
static sluice_status apply(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                           const sluice_random_key* key, const sluice_sample_sink* sink, sluice_error* error) {
    const struct transform* transform = self;
    const sluice_tensor* image = &fields[transform->place];
    const uint8_t* from = (const uint8_t*)image->data + image->byte_offset;
    const int64_t bytes = sluice_element_count(image->shape, image->rank);
    sluice_tensor_spec spec = {{0}, image->rank, image->dtype};
    uint32_t words[4];
    double added;
    uint8_t* to;
    int64_t i;
    (void)context, (void)count;
    memcpy(spec.shape, image->shape, (size_t)image->rank * sizeof(int64_t));
    to = sink->allocate(sink, 0, &spec);
    if (to == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for field '%s'", transform->field);
    }
    sluice_philox(key, 0, words);
    added = transform->strength * 255.0 * (words[0] / 2147483648.0 - 1.0);
    for (i = 0; i < bytes; ++i) {
        const double value = from[i] + added;
        to[i] = (uint8_t)(value < 0.0 ? 0.0 : value > 255.0 ? 255.0 : value);
    }
    return SLUICE_OK;
}

static const sluice_transform table = {create, free, describe, sluice_no_context, sluice_drop_nothing_of, apply};

SLUICE_SERVE(get, SLUICE_TRANSFORM_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.transform.example"), get}};

SLUICE_DEFINE_PLUGIN(components)

/* The transform of whole batches `example`: moves the images towards their mean, each batch by another amount. */
#include <stdlib.h>

#include "sluice/kind/batch_transform.h"
#include "sluice/sdk/c.h"

struct transform {
    double strength;
    uint32_t place; /* index of the images among the fields; known after describe() */
    char field[];   /* name of the images, ends in NUL */
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
    sink->add_field(sink, &fields[i]); /* changed in place, so type and shape stay */
    return SLUICE_OK;
}

static sluice_status apply_to_sample(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                                     const sluice_random_key* key, const sluice_sample_sink* sink,
                                     sluice_error* error) {
    (void)self, (void)context, (void)fields, (void)count, (void)key, (void)sink;
    return SLUICE_FAIL(error, SLUICE_UNSUPPORTED, "it works on whole batches, which this host does not know");
}

/* The same key and the same batch give the same bytes: every random number comes from the key. */
static sluice_status apply(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                           const sluice_random_key* key, sluice_error* error) {
    const struct transform* transform = self;
    const sluice_tensor* images = &fields[transform->place];
    const int64_t samples = images->shape[0];
    const int64_t bytes = sluice_element_count(images->shape + 1, images->rank - 1); /* of a sample */
    uint8_t* data = (uint8_t*)images->data + images->byte_offset;
    uint32_t words[4];
    double share;
    int64_t sample, i;
    (void)context, (void)count, (void)error;
    sluice_philox(key, 0, words);
    share = transform->strength * words[0] / 4294967296.0;
    for (i = 0; i < bytes; ++i) {
        double sum = 0.0;
        for (sample = 0; sample < samples; ++sample) {
            sum += data[sample * bytes + i];
        }
        for (sample = 0; sample < samples; ++sample) {
            uint8_t* value = &data[sample * bytes + i];
            *value = (uint8_t)((1.0 - share) * *value + share * sum / (double)samples + 0.5);
        }
    }
    return SLUICE_OK;
}

static const sluice_transform table = {create,         free, describe, sluice_no_context, sluice_drop_nothing_of,
                                       apply_to_sample};
static const sluice_batch_transform batch_table = {apply};

static const void* get(const sluice_component* self, const char* id) {
    (void)self;
    if (strcmp(id, SLUICE_BATCH_TRANSFORM_V1) == 0) {
        return &batch_table;
    }
    return strcmp(id, SLUICE_TRANSFORM_V1) == 0 ? &table : NULL;
}

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.transform.example"), get}};

SLUICE_DEFINE_PLUGIN(components)

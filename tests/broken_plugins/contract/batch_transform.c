/* Transforms of batches that invert pictures. */
#include "sluice/kind/batch_transform.h"
#include "sluice/kind/transform.h"

static const void* more_interfaces(const char* id);
#define MORE_INTERFACES(id) more_interfaces(id)
#include "plain_objects.h"

static int64_t largest; /* size of all batches so far */

static sluice_status describe(void* self, const sluice_field* fields, uint32_t count, const sluice_field_sink* sink,
                              sluice_error* error) {
    (void)self;
    if (count == 0 || fields[0].role != SLUICE_FIELD_IMAGE) {
        return fail(error, SLUICE_INVALID, "a picture is needed first");
    }
    sink->add_field(sink, &fields[0]);
    return SLUICE_OK;
}

static sluice_status apply_to_sample(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                                     const sluice_random_key* key, const sluice_sample_sink* sink,
                                     sluice_error* error) {
    const struct object* object = self;
    (void)context, (void)fields, (void)count, (void)key, (void)sink;
    return object->fault == FAULT_takes_single_samples ? SLUICE_OK
                                                       : fail(error, SLUICE_UNSUPPORTED, "it works on whole batches");
}

static sluice_status apply(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                           const sluice_random_key* key, sluice_error* error) {
    const struct object* object = self;
    const sluice_tensor* images = &fields[0];
    uint8_t* data = (uint8_t*)images->data + images->byte_offset;
    uint8_t most = 255;
    int64_t elements = 1;
    int64_t i;
    (void)context, (void)count, (void)key, (void)error;
    for (i = 0; i < images->rank; ++i) {
        elements *= images->shape[i];
    }
    if (object->fault == FAULT_keeps_the_largest_batch) {
        largest = images->shape[0] > largest ? images->shape[0] : largest;
        most = (uint8_t)(255 * images->shape[0] / largest);
    }
    for (i = 0; i < elements; ++i) {
        data[i] = (uint8_t)(most - data[i]);
    }
    return SLUICE_OK;
}

static const sluice_batch_transform batches = {apply};

static const void* more_interfaces(const char* id) {
    return strcmp(id, SLUICE_BATCH_TRANSFORM_V1) == 0 ? &batches : NULL;
}

static const sluice_transform table = {create, destroy, describe, context_create, context_destroy, apply_to_sample};
FAULTY_PLUGIN(SLUICE_TRANSFORM_V1, table)

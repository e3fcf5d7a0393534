/* Transforms that count the bytes of an encoded file, which must end like a PNG file. */
#include "plain_objects.h"
#include "sluice/kind/transform.h"

static const sluice_tensor_spec one = {{1, 0, 0, 0, 0, 0, 0, 0}, 1, {SLUICE_CODE_INT, 64, 1}};

static sluice_status describe(void* self, const sluice_field* fields, uint32_t count, const sluice_field_sink* sink,
                              sluice_error* error) {
    sluice_field size = {.name = SLUICE_TEXT("size"), .role = SLUICE_FIELD_TENSOR, .spec = one};
    (void)self;
    if (count == 0 || fields[count - 1].role != SLUICE_FIELD_ENCODED) {
        return fail(error, SLUICE_INVALID, "an encoded file is needed last");
    }
    sink->add_field(sink, &size);
    return SLUICE_OK;
}

static sluice_status apply(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                           const sluice_random_key* key, const sluice_sample_sink* sink, sluice_error* error) {
    const struct object* object = self;
    const sluice_tensor* file = &fields[count - 1];
    const char* bytes = (const char*)file->data + file->byte_offset;
    const int64_t size = file->shape[0];
    int64_t* to;
    (void)context, (void)key;
    if (size < 8 || memcmp(bytes + size - 8, "IEND", 4) != 0) {
        if (object->fault == FAULT_believes_in_whole_files) {
            abort();
        }
        return fail(error, SLUICE_BAD_SAMPLE, "the file does not end as a PNG does");
    }
    to = sink->allocate(sink, 0, &one);
    if (to == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a number");
    }
    *to = size;
    return SLUICE_OK;
}

static const sluice_transform table = {create, destroy, describe, context_create, context_destroy, apply};
FAULTY_PLUGIN(SLUICE_TRANSFORM_V1, table)

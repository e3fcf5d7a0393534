/* Transforms that invert a picture. */
#include "sluice/kind/transform.h"
#include "faults.h"

/* Most cases use pictures of this many bytes. */
enum { USUAL = 24 * 32 * 3 };

/* All objects with a sharing fault share these. */
static float shared_strength = -1.0f;
static uint32_t shared_image;

enum { TABLE = 1000000 };
static volatile uint32_t shared_sum;

static uint32_t sum_of_table(void) {
    int i;
    shared_sum = 0;
    for (i = 0; i < TABLE; ++i) {
        ++shared_sum;
    }
    return shared_sum;
}

struct transform {
    uint32_t sum; /* of a table that create() computes for each object */
    enum fault fault;
    float strength;
    uint32_t image;                 /* number of the picture among the fields */
    const int64_t* kept;            /* a shape that was lent */
    uint8_t scratch[256 * 256 * 3]; /* shared by all contexts, by mistake */
};
struct context {
    uint64_t last;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct transform* transform = calloc(1, sizeof(*transform));
    (void)host, (void)error;
    if (transform == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    transform->fault = fault_of(options);
    transform->strength = number_of(options, "strength");
    transform->sum = transform->fault == FAULT_sums_in_a_static ? sum_of_table() : TABLE;
    if (transform->fault != FAULT_keeps_the_first_strength || shared_strength < 0.0f) {
        shared_strength = transform->strength;
    }
    *self = transform;
    return SLUICE_OK;
}

static void destroy(void* self) { free(self); }

static sluice_status describe(void* self, const sluice_field* fields, uint32_t count, const sluice_field_sink* sink,
                              sluice_error* error) {
    struct transform* transform = self;
    const enum fault fault = transform->fault;
    for (transform->image = 0; transform->image < count || fault == FAULT_needs_no_picture; ++transform->image) {
        if (fields[transform->image].role == SLUICE_FIELD_IMAGE || fault == FAULT_takes_any_role) {
            shared_image = transform->image;
            sink->add_field(sink, &fields[transform->image]);
            return SLUICE_OK;
        }
    }
    return fail(error, fault == FAULT_refuses_as_failed ? SLUICE_FAILED : SLUICE_INVALID, "a picture is needed");
}

static sluice_status context_create(void* self, void** context, sluice_error* error) {
    (void)self, (void)error;
    *context = calloc(1, sizeof(struct context));
    return *context != NULL ? SLUICE_OK : fail(error, SLUICE_NO_MEMORY, "no memory for a context");
}

static void context_destroy(void* self, void* context) {
    (void)self;
    free(context);
}

static sluice_status apply(void* self, void* context, const sluice_tensor* fields, uint32_t count,
                           const sluice_random_key* key, const sluice_sample_sink* sink, sluice_error* error) {
    struct transform* transform = self;
    struct context* own = context;
    const int is_strength_shared =
        transform->fault == FAULT_shares_its_strength || transform->fault == FAULT_keeps_the_first_strength;
    const float strength = is_strength_shared ? shared_strength : transform->strength;
    const sluice_tensor* image = &fields[transform->fault == FAULT_shares_its_place ? shared_image : transform->image];
    uint8_t* from = (uint8_t*)image->data + (transform->fault == FAULT_ignores_the_offset ? 0 : image->byte_offset);
    sluice_tensor_spec spec = {{0}, image->rank, image->dtype};
    uint64_t bytes = 1; /* of a picture */
    uint64_t written;
    uint8_t* to;
    uint64_t i;
    (void)count;
    for (i = 0; i < (uint64_t)image->rank; ++i) {
        bytes *= (uint64_t)image->shape[i];
    }
    if (transform->fault == FAULT_keeps_its_fields) {
        const int64_t* kept = transform->kept;
        transform->kept = image->shape;
        if (kept != NULL && *(const volatile int64_t*)kept < 0) {
            return fail(error, SLUICE_BAD_SAMPLE, "the picture before was odd");
        }
    }
    memcpy(spec.shape, image->shape, (size_t)image->rank * sizeof(int64_t));
    to = sink->allocate(sink, 0, &spec);
    if (to == NULL && transform->fault != FAULT_takes_memory_for_granted) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a picture");
    }
    written = bytes - (transform->fault == FAULT_leaves_a_hole && bytes == USUAL);
    if (transform->fault == FAULT_writes_blocks) {
        written = (bytes + 15) / 16 * 16;
    }
    if (transform->fault == FAULT_takes_all_for_rgb) {
        written = (uint64_t)(image->shape[0] * image->shape[1] * 3);
    }
    if (transform->fault == FAULT_leaves_the_last_of_odd_ones) {
        written = bytes / 2 * 2;
    }
    if (transform->fault == FAULT_shares_scratch && bytes <= sizeof(transform->scratch)) {
        memcpy(transform->scratch, from, bytes);
        from = transform->scratch;
    }
    for (i = 0; i < written; ++i) {
        to[i] = (uint8_t)((float)from[i] + strength * (float)(255 - 2 * from[i]));
    }
    switch (transform->fault) {
        case FAULT_writes_past_the_end:
            if (bytes == USUAL) {
                to[bytes] = 0;
            }
            break;
        case FAULT_writes_to_its_input:
            from[0] ^= (uint8_t)(bytes == USUAL);
            break;
        case FAULT_remembers:
            to[0] ^= (uint8_t)(key->counter < own->last);
            break;
        case FAULT_sums_in_a_static:
            to[0] ^= (uint8_t)(transform->sum != TABLE);
            break;
        case FAULT_trusts_the_size:
            to[0] ^= (uint8_t)(sink->struct_size > sizeof(*sink)); /* a field of a later version */
            break;
        case FAULT_draws:
            to[0] ^= (uint8_t)key->counter;
            break;
        case FAULT_divides_by_what_is_left:
            to[0] ^= (uint8_t)(bytes / (uint64_t)(image->shape[0] - 1) == 12345);
            break;
        default:
            break;
    }
    own->last = key->counter;
    return SLUICE_OK;
}

static const sluice_transform table = {create, destroy, describe, context_create, context_destroy, apply};
FAULTY_PLUGIN(SLUICE_TRANSFORM_V1, table)

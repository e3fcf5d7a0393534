/* Sources of twelve small pictures. */
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#define MORE_INTERFACES(id) more_interfaces(self, id)
#include "faults.h"
#include "sluice/kind/class_names.h"
#include "sluice/kind/identity.h"
#include "sluice/kind/sampling.h"
#include "sluice/kind/source.h"

enum { COUNT = 12, MANY = 256, HEIGHT = 96, WIDTH = 128, BYTES = HEIGHT * WIDTH * 3 };

struct source {
    enum fault fault;
    int described;
    int left;               /* files left open */
    uint8_t scratch[BYTES]; /* shared by all contexts, by mistake */
    uint8_t more[1000];
    void* kept; /* the last block that was kept */
    uint8_t seed;
};
struct context {
    uint64_t last;
};

static const sluice_tensor_spec image = {{HEIGHT, WIDTH, 3, 0, 0, 0, 0, 0}, 3, {SLUICE_CODE_UINT, 8, 1}};

static const sluice_tensor_spec number = {{0}, 0, {SLUICE_CODE_INT, 64, 1}};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct source* source = calloc(1, sizeof(*source));
    (void)host, (void)error;
    if (source == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    source->fault = fault_of(options);
    if (source->fault == FAULT_crashes_at_the_end_of_a_range && option(options, "size")->as.i == 1000) {
        abort();
    }
    if (source->fault == FAULT_follows_the_clock) {
        source->seed = (uint8_t)time(NULL);
    }
    if (source->fault == FAULT_takes_a_signal) {
        signal(SIGUSR1, SIG_IGN);
    }
    if (source->fault == FAULT_prints) {
        printf("hello from a source\n");
    }
    *self = source;
    return SLUICE_OK;
}

static void destroy(void* self) {
    struct source* source = self;
    if (source->fault != FAULT_leaks) {
        free(source);
    }
}

static uint64_t count_of(const struct source* source) {
    return source->fault == FAULT_aborts_in_the_middle || source->fault == FAULT_counts_from_below ||
                   source->fault == FAULT_remembers_in_the_middle
               ? MANY
               : COUNT;
}

static int names_classes(const struct source* source) {
    return source->fault == FAULT_names_few_classes || source->fault == FAULT_names_in_latin_1 ||
           source->fault == FAULT_names_into_one_buffer;
}

static int has_classes(const struct source* source) {
    return source->fault == FAULT_counts_from_below || names_classes(source);
}

static sluice_status describe(void* self, const sluice_field_sink* sink, sluice_error* error) {
    struct source* source = self;
    const sluice_field field = {.name = SLUICE_TEXT("image"), .role = SLUICE_FIELD_IMAGE, .spec = image};
    const sluice_field label = {.name = SLUICE_TEXT("class"), .role = SLUICE_FIELD_CLASS, .spec = number};
    (void)error;
    sink->add_field(sink, &field);
    if (has_classes(source)) {
        sink->add_field(sink, &label);
    }
    sink->set_length(sink, count_of(source) + (source->fault == FAULT_grows ? source->described++ : 0));
    return SLUICE_OK;
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

static sluice_status read_file(enum fault fault, sluice_error* error) {
    FILE* file = fopen("numbers.txt", "r");
    if (file == NULL && fault == FAULT_hangs) {
        for (;;) {
            sleep(1);
        }
    }
    if (file == NULL && (fault == FAULT_exits || fault == FAULT_ends_well)) {
        exit(fault == FAULT_exits ? 3 : 0);
    }
    if (file == NULL) {
        return fail(error, SLUICE_BAD_SAMPLE,
                    fault == FAULT_hides_the_file ? "cannot be read" : "numbers.txt: cannot be read");
    }
    fclose(file);
    return SLUICE_OK;
}

static void fill(struct source* source, struct context* context, uint64_t index, uint64_t seed, uint8_t* to) {
    uint8_t* bytes = source->fault == FAULT_shares_scratch ? source->scratch : to;
    int count = source->fault == FAULT_leaves_a_hole ? BYTES - 1 : BYTES;
    int i;
    for (i = 0; i < count; ++i) {
        bytes[i] = (uint8_t)(index * 7 + (uint64_t)i);
    }
    if (source->fault == FAULT_shares_scratch) {
        memcpy(to, source->scratch, BYTES);
    }
    if (source->fault == FAULT_remembers && index < context->last) {
        to[0] ^= 1;
    }
    if (source->fault == FAULT_remembers_in_the_middle && index > 3 && index < 30 && index != context->last + 1) {
        to[0] ^= 1;
    }
    if (source->fault == FAULT_aborts_in_the_middle && index == 5) {
        abort();
    }
    if (source->fault == FAULT_follows_the_seed) {
        to[0] ^= (uint8_t)seed;
    }
    if (source->fault == FAULT_writes_past_the_end) {
        to[BYTES] = 0;
    }
    to[0] ^= source->seed;
    context->last = index;
}

static int give_class(uint64_t index, const sluice_sample_sink* sink) {
    int64_t* to = sink->allocate(sink, 1, &number);
    if (to != NULL) {
        *to = index == 200 ? -1 : (int64_t)(index % 10);
    }
    return to != NULL;
}

static void* wait_for_ever(void* nothing) {
    for (;;) {
        pause();
    }
    return nothing;
}

static sluice_status read_sample(void* self, void* context, uint64_t index, uint64_t seed,
                                 const sluice_sample_sink* sink, sluice_error* error) {
    struct source* source = self;
    uint8_t* bytes;
    sluice_status status;
    if (index >= count_of(source) && source->fault == FAULT_stops_beyond_the_end) {
        abort();
    }
    if (index >= count_of(source) && source->fault != FAULT_knows_no_end) {
        return fail(error, SLUICE_FAILED, "there are 12 samples");
    }
    status = read_file(source->fault, error);
    if (status != SLUICE_OK && source->fault != FAULT_makes_up_samples) {
        return status;
    }
    if (source->fault == FAULT_trusts_the_size && sink->struct_size > sizeof(*sink)) {
        const void* const* next = (const void* const*)(sink + 1);
        return *(const int*)*next == 0 ? SLUICE_OK : SLUICE_FAILED; /* a field of a later version */
    }
    if (source->fault == FAULT_leaves_files_open && source->left < 500 && ++source->left > 0 &&
        open("numbers.txt", O_RDONLY) < 0) {
        return fail(error, SLUICE_BAD_SAMPLE, "numbers.txt: cannot be opened");
    }
    if (source->fault == FAULT_leaves_threads) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    }
    if (source->fault == FAULT_keeps_what_it_read || source->fault == FAULT_keeps_a_little) {
        source->kept = malloc(source->fault == FAULT_keeps_a_little ? 24 : 1 << 20);
        if (source->kept == NULL) {
            return fail(error, SLUICE_NO_MEMORY, "no memory to keep");
        }
    }
    bytes = sink->allocate(sink, 0, &image);
    if (bytes == NULL && source->fault == FAULT_says_nothing) {
        return SLUICE_NO_MEMORY;
    }
    if (bytes == NULL && source->fault != FAULT_takes_memory_for_granted) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a picture");
    }
    fill(source, context, index, seed, bytes);
    if (has_classes(source) && !give_class(index, sink)) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a class");
    }
    if (status != SLUICE_OK) {
        memset(bytes, 0, BYTES);
    }
    return SLUICE_OK;
}

static sluice_status tell_classes(void* self, int64_t* classes, uint64_t count, sluice_error* error) {
    (void)self, (void)error;
    memset(classes, 0, count * sizeof(*classes));
    return SLUICE_OK;
}

static sluice_status tell_weights(void* self, double* weights, uint64_t count, sluice_error* error) {
    uint64_t i;
    (void)self, (void)error;
    for (i = 0; i < count; ++i) {
        weights[i] = 5.0 - (double)i;
    }
    return SLUICE_OK;
}

static sluice_status tell_identity(void* self, uint64_t* identity, sluice_error* error) {
    (void)self, (void)error;
    identity[0] = identity[1] = 1;
    return SLUICE_OK;
}

static sluice_text tell_name(void* self, uint32_t field, uint64_t of_class) {
    static const char* const names[] = {"ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay"};
    static const char latin_1[] = {'\xe9', 'l', 'k'};
    static char buffer[8];
    struct source* source = self;
    sluice_text text = {NULL, 0};
    if (field != 1 || of_class >= (source->fault == FAULT_names_few_classes ? 5 : 10)) {
        return text;
    }
    text.ptr = names[of_class];
    text.len = strlen(text.ptr);
    if (source->fault == FAULT_names_in_latin_1 && of_class == 4) {
        text.ptr = latin_1;
    }
    if (source->fault == FAULT_names_into_one_buffer) {
        text.ptr = memcpy(buffer, text.ptr, text.len);
    }
    return text;
}

static const sluice_class_names names_table = {tell_name};
static const sluice_sampling sampling = {tell_classes, tell_weights};
static const sluice_identity identity_table = {tell_identity};

static const void* more_interfaces(const sluice_component* self, const char* id) {
    if (strcmp(id, SLUICE_SAMPLING_V1) == 0 && is_called(self, "weighs_below_zero")) {
        return &sampling;
    }
    if (strcmp(id, SLUICE_CLASS_NAMES_V1) == 0 &&
        (is_called(self, "names_few_classes") || is_called(self, "names_in_latin_1") ||
         is_called(self, "names_into_one_buffer"))) {
        return &names_table;
    }
    return strcmp(id, SLUICE_IDENTITY_V1) == 0 && is_called(self, "has_one_identity") ? &identity_table : NULL;
}

static const sluice_source table = {create, destroy, describe, context_create, context_destroy, read_sample};
FAULTY_PLUGIN(SLUICE_SOURCE_V1, table)

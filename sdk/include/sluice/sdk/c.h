/* Helpers for plugins in C: the table of components, failing a call, and reading options, texts and numbers. All [any].
 */
#ifndef SLUICE_SDK_C_H
#define SLUICE_SDK_C_H

#include <stdio.h>
#include <string.h>

#include "sluice/plugin.h"
#include "sluice/tensor.h"

/* Defines get() of a component that serves one table: SLUICE_SERVE(get_swish, SLUICE_LAYER_V1, swish_layer) */
#define SLUICE_SERVE(get, interface, table)                                \
    static const void* get(const sluice_component* self, const char* id) { \
        (void)self;                                                        \
        return strcmp(id, interface) == 0 ? &(table) : NULL;               \
    }

/* Comes last in every plugin; components: the array of its components. */
#define SLUICE_DEFINE_PLUGIN(components)     \
    const sluice_plugin sluice_plugin_v1 = { \
        SLUICE_ABI_MAJOR, SLUICE_ABI_MINOR, sizeof(components) / sizeof((components)[0]), 0, components, NULL, NULL};

/* For components without state: they have no object and no worker context. */
static inline sluice_status sluice_no_object(const sluice_host* host, const sluice_value* options, void** self,
                                             sluice_error* error) {
    (void)host, (void)options, (void)error;
    *self = NULL;
    return SLUICE_OK;
}
static inline sluice_status sluice_no_context(void* self, void** context, sluice_error* error) {
    (void)self, (void)error;
    *context = NULL;
    return SLUICE_OK;
}
static inline void sluice_drop_nothing(void* self) { (void)self; }
static inline void sluice_drop_nothing_of(void* self, void* context) { (void)self, (void)context; }

/* return SLUICE_FAIL(error, SLUICE_INVALID, "it has %d inputs; 1 is right", count); */
#define SLUICE_FAIL(error, status, ...)                                                              \
    ((error)->line = __LINE__, (void)snprintf((error)->file, sizeof((error)->file), "%s", __FILE__), \
     (void)snprintf((error)->message, sizeof((error)->message), __VA_ARGS__), (status))

/* True if struct_size of *object covers the field. A field that was added after 1.0 is not there on an older host. */
#define SLUICE_HAS_FIELD(object, field) \
    ((uint64_t)((const char*)(&(object)->field + 1) - (const char*)(object)) <= (object)->struct_size)

/* Returns element number i of an array that comes with the size of one element, as those of a recorded window do. */
static inline const void* sluice_element(const void* first, uint64_t size, uint64_t i) {
    return (const char*)first + i * size;
}

static inline int sluice_text_is(sluice_text text, const char* literal) {
    return text.len == strlen(literal) && memcmp(text.ptr, literal, text.len) == 0;
}

/* Returns the value of an option; nil if it was not given and has no default. */
static inline sluice_value sluice_option(const sluice_value* options, const char* name) {
    const sluice_value nil = {SLUICE_NIL, 0, 0, {0}};
    uint64_t i;
    for (i = 0; options != NULL && options->kind == SLUICE_TABLE && i < options->count; ++i) {
        if (sluice_text_is(options->as.pairs[i].key, name)) {
            return options->as.pairs[i].value;
        }
    }
    return nil;
}

/* Return an option that has a default or is required, and has this type in plugin.toml: int or bool, float, string. */
static inline int64_t sluice_integer_option(const sluice_value* options, const char* name) {
    return sluice_option(options, name).as.i;
}
static inline double sluice_number_option(const sluice_value* options, const char* name) {
    const sluice_value value = sluice_option(options, name);
    return value.kind == SLUICE_INT ? (double)value.as.i : value.as.f;
}
/* Borrowed from the options. */
static inline sluice_text sluice_text_option(const sluice_value* options, const char* name) {
    const sluice_value value = sluice_option(options, name);
    const sluice_text text = {value.kind == SLUICE_STRING ? value.as.text : NULL,
                              value.kind == SLUICE_STRING ? value.count : 0};
    return text;
}

static inline int sluice_dtype_is(sluice_dtype dtype, uint8_t code, uint8_t bits) {
    return dtype.code == code && dtype.bits == bits && dtype.lanes == 1;
}

/* Number i of float32, or of float64 if is_wide. */
static inline double sluice_number_at(const void* numbers, int is_wide, int64_t i) {
    return is_wide ? ((const double*)numbers)[i] : (double)((const float*)numbers)[i];
}
static inline void sluice_set_number(void* numbers, int is_wide, int64_t i, double value) {
    if (is_wide) {
        ((double*)numbers)[i] = value;
    } else {
        ((float*)numbers)[i] = (float)value;
    }
}

/* The shape has no -1. */
static inline int64_t sluice_element_count(const int64_t* shape, int32_t rank) {
    int64_t count = 1;
    int32_t axis;
    for (axis = 0; axis < rank; ++axis) {
        count *= shape[axis];
    }
    return count;
}

#endif

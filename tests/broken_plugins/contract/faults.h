/* A plugin of one kind with many components. Each has one fault, which is the only choice of its option "fault".
 * CMakeLists.txt writes fault_list.h: FAULTS(X) calls X(name) for each fault, and FAULT_KIND is the kind. */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_list.h"
#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/plugin.h"

#define FAULT_NUMBER(name) FAULT_##name,
enum fault { FAULT_unknown, FAULTS(FAULT_NUMBER) };

static inline const sluice_value* option(const sluice_value* options, const char* name) {
    uint64_t i;
    for (i = 0; i < options->count; ++i) {
        const sluice_pair* pair = &options->as.pairs[i];
        if (pair->key.len == strlen(name) && memcmp(pair->key.ptr, name, pair->key.len) == 0) {
            return &pair->value;
        }
    }
    return NULL;
}

static inline enum fault fault_of(const sluice_value* options) {
    const sluice_value* value = option(options, "fault");
#define FAULT_NAME(name)                                                                             \
    if (value->count == strlen(#name) && memcmp(value->as.text, #name, (size_t)value->count) == 0) { \
        return FAULT_##name;                                                                         \
    }
    FAULTS(FAULT_NAME)
    return FAULT_unknown;
}

/* Returns an option that all components of the plugin have. */
static inline float number_of(const sluice_value* options, const char* name) {
    return (float)option(options, name)->as.f;
}

static inline sluice_status fail(sluice_error* error, sluice_status status, const char* message) {
    snprintf(error->message, sizeof(error->message), "%s", message);
    return status;
}

/* A plugin may define more components, of other kinds. */
#ifndef MORE_COMPONENTS
#define MORE_COMPONENTS
#endif

/* A plugin may define its open(), which the host calls first. */
#ifndef FAULTY_OPEN
#define FAULTY_OPEN NULL
#endif

static inline int is_called(const sluice_component* self, const char* name) {
    const size_t length = strlen(name);
    return self->id.len >= length && memcmp(self->id.ptr + self->id.len - length, name, length) == 0;
}

/* Returns a copy of the table, each time at another address. */
static inline const void* another_copy(const void* table, size_t size) {
    static uint64_t copies[2][64];
    static int next;
    next ^= 1;
    return memcpy(copies[next], table, size);
}

/* A plugin may define more interfaces: the macro returns the table for an id. */
#ifndef MORE_INTERFACES
#define MORE_INTERFACES(id) NULL
#endif

/* Defines the table of the plugin; `interface_id` is that of its kind. All components also serve its next version,
 * which the contract allows. */
#define FAULTY_COMPONENT(name) {SLUICE_TEXT("test.broken." FAULT_KIND "." #name), get},
#define FAULTY_PLUGIN(interface_id, table)                                                     \
    static const void* get(const sluice_component* self, const char* id) SLUICE_NOEXCEPT {     \
        const int knows_all = is_called(self, "knows_all");                                    \
        const size_t length = strlen(interface_id);                                            \
        if (strncmp(id, interface_id, length - 1) == 0 && strcmp(id + length - 1, "2") == 0) { \
            return &table;                                                                     \
        }                                                                                      \
        if (strcmp(id, interface_id) == 0 && is_called(self, "has_two_tables")) {              \
            return another_copy(&table, sizeof(table));                                        \
        }                                                                                      \
        if (strncmp(id, interface_id, knows_all ? length : strlen(id) + 1) == 0) {             \
            return &table;                                                                     \
        }                                                                                      \
        return MORE_INTERFACES(id);                                                            \
    }                                                                                          \
    static const sluice_component components[] = {FAULTS(FAULTY_COMPONENT) MORE_COMPONENTS};   \
    const sluice_plugin sluice_plugin_v1 = {SLUICE_ABI_MAJOR,                                  \
                                            SLUICE_ABI_MINOR,                                  \
                                            sizeof(components) / sizeof(*components),          \
                                            0,                                                 \
                                            components,                                        \
                                            FAULTY_OPEN,                                       \
                                            NULL};

#endif

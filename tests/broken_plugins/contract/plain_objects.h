/* Objects that store only their fault, and contexts that store nothing. */
#ifndef PLAIN_OBJECTS_H
#define PLAIN_OBJECTS_H

#include "faults.h"

struct object {
    enum fault fault;
};

static inline sluice_status create(const sluice_host* host, const sluice_value* options, void** self,
                                   sluice_error* error) {
    struct object* object = malloc(sizeof(*object));
    (void)host;
    if (object == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    object->fault = fault_of(options);
    *self = object;
    return SLUICE_OK;
}

static inline void destroy(void* self) { free(self); }

static inline sluice_status context_create(void* self, void** context, sluice_error* error) {
    (void)self;
    *context = malloc(1);
    return *context != NULL ? SLUICE_OK : fail(error, SLUICE_NO_MEMORY, "no memory for a context");
}

static inline void context_destroy(void* self, void* context) {
    (void)self;
    free(context);
}

#endif

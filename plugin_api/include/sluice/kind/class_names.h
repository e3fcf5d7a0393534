/* sluice/kind/class_names.h - the names of a source's classes.
 *
 *     sluice_text name = names->name(self, 1, 0);   "cat": class 0 of the second field of describe()
 *
 * A further interface of sources; self is the object of sluice.source/1. The host shows names in messages about class
 * numbers, and stores them in checkpoints. It asks from 0 upwards until a class has no name, at most 65536 times.
 *
 * The source owns a name, which stays unchanged until destroy(). It is one line of UTF-8; other bytes are shown
 * escaped. The function cannot fail: create() reads the names. */
#ifndef SLUICE_KIND_CLASS_NAMES_H
#define SLUICE_KIND_CLASS_NAMES_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_CLASS_NAMES_V1 "sluice.class_names/1"
typedef struct sluice_class_names {
    /* Returns the name of class `number` of field number `field` (in the order of add_field). Called after describe().
     * Absent text: neither this class nor a higher one has a name. [any] */
    sluice_text (*name)(void *self, uint32_t field, uint64_t number) SLUICE_NOEXCEPT;
} sluice_class_names;

SLUICE_EXTERN_C_END
#endif

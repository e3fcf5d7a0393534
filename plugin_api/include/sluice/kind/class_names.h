/* sluice/kind/class_names.h - what a source calls its classes.
 *
 *     sluice_text name = names->name(self, 1, 0);   "cat": class 0 of the second field of describe()
 *
 * A further interface of sources; self is the object of sluice.source/1. The host shows names in messages about class
 * numbers, and keeps them in checkpoints. It asks from 0 on until there is none, for the first 65536 at most.
 *
 * A name is the source's and stays as it is until destroy(). It is one line of UTF-8; what is not is shown escaped.
 * Nothing can fail: what names are read from is read in create(). */
#ifndef SLUICE_KIND_CLASS_NAMES_H
#define SLUICE_KIND_CLASS_NAMES_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_CLASS_NAMES_V1 "sluice.class_names/1"
typedef struct sluice_class_names {
    /* The name of class `number` of field number `field` (in the order of add_field), after describe(). Absent text:
     * that class has none, nor have those above it. [any] */
    sluice_text (*name)(void *self, uint32_t field, uint64_t number) SLUICE_NOEXCEPT;
} sluice_class_names;

SLUICE_EXTERN_C_END
#endif

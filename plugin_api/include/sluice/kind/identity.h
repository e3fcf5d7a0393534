/* sluice/kind/identity.h - how a source reports that its data have changed.
 *
 * A further interface of sources; self is the object of sluice.source/1. The host reuses samples that it keeps on disk
 * only if the identity is the same. */
#ifndef SLUICE_KIND_IDENTITY_H
#define SLUICE_KIND_IDENTITY_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_IDENTITY_V1 "sluice.identity/1"
typedef struct sluice_identity {
    /* Writes a hash of all that its samples depend on besides its options: names, sizes and modification times of
     * files, not their bytes. identity: two numbers in the caller's memory. [any] */
    sluice_status (*identity)(void *self, uint64_t *identity, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_identity;

SLUICE_EXTERN_C_END
#endif

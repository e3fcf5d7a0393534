/* sluice/kind/identity.h - how a source tells that its data have changed.
 *
 * A further interface of sources; self is the object of sluice.source/1. What the host keeps on disk of samples is used
 * again only where this has stayed the same. */
#ifndef SLUICE_KIND_IDENTITY_H
#define SLUICE_KIND_IDENTITY_H

#include "sluice/kind/source.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_IDENTITY_V1 "sluice.identity/1"
typedef struct sluice_identity {
    /* A hash of all that its samples are made of beside its options: names, sizes and times of change of files, not
     * their bytes. identity: two numbers, the caller's. [any] */
    sluice_status (*identity)(void *self, uint64_t *identity, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_identity;

SLUICE_EXTERN_C_END
#endif

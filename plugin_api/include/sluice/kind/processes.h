/* sluice/kind/processes.h - a strategy whose replicas live in several processes.
 *
 * A further interface of strategies; self is the object of sluice.strategy/1. By it the host agrees with itself in the
 * other processes on what is not of a step: when to stop, what an evaluation has found. */
#ifndef SLUICE_KIND_PROCESSES_H
#define SLUICE_KIND_PROCESSES_H

#include "sluice/kind/strategy.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_PROCESSES_V1 "sluice.processes/1"
typedef struct sluice_processes {
    /* The number of this process, from 0, and how many there are. Each has as many replicas,
     * which are numbered by their processes. [any] */
    sluice_status (*place)(void *self, uint32_t *number, uint32_t *count, sluice_error *error) SLUICE_NOEXCEPT;
    /* Every process brings a block of the same number of bytes, and all get all of them, in the order of the processes:
     * `all` has room for bytes * count. Host memory, the caller's. All come with the same name, copied. Who does not
     * come within `seconds` (0: without limit) is named: SLUICE_REPLICA_LOST. Collectives may be under way meanwhile.
     * [serial] */
    sluice_status (*gather)(void *self, const void *own, uint64_t bytes, void *all, sluice_text name, double seconds,
                            sluice_error *error) SLUICE_NOEXCEPT;
} sluice_processes;

SLUICE_EXTERN_C_END
#endif

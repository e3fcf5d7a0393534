/* sluice/kind/processes.h - a strategy whose replicas live in several processes.
 *
 * A further interface of strategies; self is the object of sluice.strategy/1. The host uses it to agree across
 * processes on what is not part of a step: when to stop, or the result of an evaluation. */
#ifndef SLUICE_KIND_PROCESSES_H
#define SLUICE_KIND_PROCESSES_H

#include "sluice/kind/strategy.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_PROCESSES_V1 "sluice.processes/1"
typedef struct sluice_processes {
    /* Returns the number of this process, from 0, and the number of processes. All have equally many replicas, which
     * are numbered in the order of their processes. [any] */
    sluice_status (*place)(void *self, uint32_t *number, uint32_t *count, sluice_error *error) SLUICE_NOEXCEPT;
    /* Gathers a block of equally many bytes from every process into `all` of every process, in the order of the
     * processes: `all` has room for bytes * count. Both are host memory of the caller. All processes call it with the
     * same name, which is copied. If one does not call it within `seconds` (0: no limit), SLUICE_REPLICA_LOST names it.
     * Collectives may be in flight at the same time. [serial] */
    sluice_status (*gather)(void *self, const void *own, uint64_t bytes, void *all, sluice_text name, double seconds,
                            sluice_error *error) SLUICE_NOEXCEPT;
} sluice_processes;

SLUICE_EXTERN_C_END
#endif

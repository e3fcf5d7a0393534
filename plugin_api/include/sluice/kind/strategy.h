/* sluice/kind/strategy.h - where replicas live and how they talk. The host decides what is reduced and when. */
#ifndef SLUICE_KIND_STRATEGY_H
#define SLUICE_KIND_STRATEGY_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

typedef struct sluice_topology {
    uint64_t struct_size;
    uint32_t local_replicas; /* in this process */
    uint32_t first_replica;  /* global number of the first of them */
    uint32_t world_replicas; /* in all processes */
    uint32_t reserved;
} sluice_topology;

/* A range of replica number `replica` to be reduced in place with the same range of all others. */
typedef struct sluice_reduction {
    uint64_t struct_size;
    void *data; /* device memory, count elements */
    uint64_t count;
    sluice_dtype dtype;
    uint32_t replica; /* local number */
    void *stream;     /* the data is ready when this stream has come here; what follows on it waits for the result */
} sluice_reduction;

#define SLUICE_STRATEGY_V1 "sluice.strategy/1"
typedef struct sluice_strategy {
    /* device_count devices of one kind are at hand. *self is the plugin's, until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, uint32_t device_count, void **self,
                            sluice_error *error) SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Fills *topology up to its struct_size. [any] */
    sluice_status (*topology)(void *self, sluice_topology *topology, sluice_error *error) SLUICE_NOEXCEPT;
    /* Sums the range over all replicas; every replica calls it for the same ranges in the same order. Returns when the
     * result is there (CPU) or enqueued (device). [any], [serial] for one replica */
    sluice_status (*all_reduce)(void *self, const sluice_reduction *reduction, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_strategy;

SLUICE_EXTERN_C_END
#endif

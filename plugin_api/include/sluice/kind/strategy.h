/* sluice/kind/strategy.h - where replicas live and how they exchange numbers. The host decides what is reduced and
 * when. */
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

enum {
    SLUICE_COLLECTIVE_SUM = 0,  /* all-reduce: every replica gets the sums over all */
    SLUICE_COLLECTIVE_MEAN = 1, /* the sums, divided by world_replicas */
    SLUICE_COLLECTIVE_MAX = 2,  /* the maximum of each element */
    /* Ranges of world_replicas slices of equal length, one for each replica by its rank (global number): */
    SLUICE_COLLECTIVE_REDUCE_SCATTER = 3, /* every replica gets the sums of its slice; its others are undefined */
    SLUICE_COLLECTIVE_ALL_GATHER = 4      /* every replica provides its slice and gets those of the others */
};

/* An operation of all replicas together, each with a range of its own of the same length. The order of sums depends
 * only on the number of replicas: sum(0, n) = sum(0, m) + sum(m, n), m the largest power of two below n, over the
 * ranks, element by element. Devices other than the CPU may use another order. */
typedef struct sluice_collective {
    uint64_t struct_size;
    uint32_t kind;
    uint32_t replica;              /* local number of the replica that owns the range */
    void *data;                    /* device memory, count elements, aligned for them and no more, changed in place */
    uint64_t count;                /* of elements, of all slices together if there are slices */
    sluice_dtype dtype;            /* float32 or float64 */
    sluice_dtype wire;             /* as dtype; or bfloat16, in which float32 is sent: inputs, and results that all
                                      replicas get, are rounded to it, equally on all. Sums are computed in float32;
                                      those of reduce_scatter, which one replica gets, stay in float32 */
    sluice_text name;              /* for messages: "gradients 2 of 7" */
    const sluice_threads *threads; /* of the replica; NULL on devices other than the CPU */
    void *stream;                  /* the data is ready when this stream reaches this point */
} sluice_collective;

#define SLUICE_STRATEGY_V1 "sluice.strategy/1"
typedef struct sluice_strategy {
    /* device_count is the number of replicas that this process can run well: its devices of one kind, on a CPU shares
     * of its cores. If the manifest has a text option `wire`, the host sets it to the narrowest type in which ranges
     * will be sent: "float32" or "bfloat16". The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, uint32_t device_count, void **self,
                            sluice_error *error) SLUICE_NOEXCEPT;
    /* Called when no replica is in a call. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Fills *topology up to its struct_size. [any] */
    sluice_status (*topology)(void *self, sluice_topology *topology, sluice_error *error) SLUICE_NOEXCEPT;
    /* Starts a collective with a replica's range, which is ready. Range, name and threads are lent until finish;
     * threads are used only inside calls of start and finish of this replica, on their thread. Every replica starts the
     * same collectives in the same order, each on its own thread. If one starts another collective, SLUICE_REPLICA_LOST
     * gives both names. An unknown kind, element type or wire is SLUICE_UNSUPPORTED. All replicas capture their
     * streams, or none does. May do a part of the work, and never waits for another replica.
     * [any], [serial] for one replica */
    sluice_status (*start)(void *self, const sluice_collective *collective, sluice_error *error) SLUICE_NOEXCEPT;
    /* Returns when all collectives that the replica started are done (CPU), or when their streams will wait for them.
     * If a replica does not join within `seconds` (0: no limit), SLUICE_REPLICA_LOST names it and the collective that
     * it missed, and the ranges are undefined. If that shows only later on the streams, the next call reports it. The
     * host also calls it with nothing started, before and after work on devices other than the CPU, which may have been
     * captured: then it returns at once, and `seconds` is the timeout of that work. [any], [serial] for one replica */
    sluice_status (*finish)(void *self, uint32_t replica, double seconds, sluice_error *error) SLUICE_NOEXCEPT;
    /* Makes all waits of all replicas, now and later, return SLUICE_REPLICA_LOST with `reason`. It is copied. [any] */
    void (*abort)(void *self, sluice_text reason) SLUICE_NOEXCEPT;
} sluice_strategy;

SLUICE_EXTERN_C_END
#endif

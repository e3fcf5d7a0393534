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

enum {
    SLUICE_COLLECTIVE_SUM = 0,  /* every replica gets the sums of all */
    SLUICE_COLLECTIVE_MEAN = 1, /* the sums, divided by the replicas of the world */
    SLUICE_COLLECTIVE_MAX = 2,  /* of each element the largest */
    /* Of ranges in world_replicas slices of equal length, one for each replica by its global number: */
    SLUICE_COLLECTIVE_REDUCE_SCATTER = 3, /* every replica gets the sums of its slice; its others are undefined */
    SLUICE_COLLECTIVE_ALL_GATHER = 4      /* every replica brings its slice and gets those of the others */
};

/* What all replicas of the world do together, each with a range of its own of the same length. Sums are made in an order
 * that depends on the number of replicas alone: as sum(0, n) = sum(0, m) + sum(m, n), m the largest power of two below n,
 * over the replicas by their global numbers, element by element; devices other than the CPU may take another order. */
typedef struct sluice_collective {
    uint64_t struct_size;
    uint32_t kind;
    uint32_t replica;              /* local number of the one whose range this is */
    void *data;                    /* device memory, count elements, aligned for them and no more, changed in place */
    uint64_t count;                /* of elements, in all slices where there are slices */
    sluice_dtype dtype;            /* float32 or float64 */
    sluice_dtype wire;             /* as dtype; or float32 may travel as bfloat16: what is brought and what all replicas
                                      get is rounded to it, alike on all. Sums are made in float32, and those of
                                      reduce_scatter, which one replica gets, stay so */
    sluice_text name;              /* for messages: "gradients 2 of 7" */
    const sluice_threads *threads; /* of the replica; NULL on devices other than the CPU */
    void *stream;                  /* the data is ready when this stream has come here */
} sluice_collective;

#define SLUICE_STRATEGY_V1 "sluice.strategy/1"
typedef struct sluice_strategy {
    /* device_count: replicas that this process can carry well: its devices of one kind, on a CPU shares of its cores.
     * Where the manifest has a text option `wire`, the host gives it the narrowest type in which ranges will travel:
     * "float32" or "bfloat16". *self is the plugin's, until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, uint32_t device_count, void **self,
                            sluice_error *error) SLUICE_NOEXCEPT;
    /* When no replica is in a call. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Fills *topology up to its struct_size. [any] */
    sluice_status (*topology)(void *self, sluice_topology *topology, sluice_error *error) SLUICE_NOEXCEPT;
    /* Tells that a replica's range is ready; range and name are lent until finish, threads too, but used only inside the
     * calls of start and finish of this replica, on their thread. Every replica starts the same collectives in the same
     * order, each on its own thread; one that comes with another than the others is SLUICE_REPLICA_LOST, with both names.
     * A kind, an element type or a wire that it does not know is SLUICE_UNSUPPORTED. Streams are recorded by all replicas
     * or by none. May do a part of the work, and waits for nobody. [any], [serial] for one replica */
    sluice_status (*start)(void *self, const sluice_collective *collective, sluice_error *error) SLUICE_NOEXCEPT;
    /* Returns when all that the replica has started is done (CPU), or when the streams that it was started on will wait
     * for it. Who does not come within `seconds` (0: without limit) is named with the collective that he missed:
     * SLUICE_REPLICA_LOST, and the ranges are undefined; where it shows later on the streams, the next call says so. The
     * host also calls it with nothing started, before and after work on devices other than the CPU, which may have been
     * recorded: it returns at once, and `seconds` are those for what runs then. [any], [serial] for one replica */
    sluice_status (*finish)(void *self, uint32_t replica, double seconds, sluice_error *error) SLUICE_NOEXCEPT;
    /* Ends the waits of all replicas, now and from now on, with SLUICE_REPLICA_LOST and `reason`, copied. [any] */
    void (*abort)(void *self, sluice_text reason) SLUICE_NOEXCEPT;
} sluice_strategy;

SLUICE_EXTERN_C_END
#endif

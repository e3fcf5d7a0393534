/* Strategies for replicas on threads of one process. The last replica that joins a collective computes it for all. */
#include <pthread.h>
#include <time.h>

#include "faults.h"
#include "sluice/kind/strategy.h"

enum { MOST = 8, ROUNDS = 64 };

struct round {
    uint32_t arrived, left;
    int is_there[MOST];
    sluice_collective members[MOST];
};

struct strategy {
    enum fault fault;
    uint32_t replicas;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t started[MOST], finished[MOST];
    struct round rounds[ROUNDS];
    char reason[200];
};

/* Returns how many collectives may be started and not finished. */
static uint64_t rounds_of(const struct strategy* strategy) {
    return strategy->fault == FAULT_keeps_few_rounds ? 8 : ROUNDS;
}

static sluice_status create(const sluice_host* host, const sluice_value* options, uint32_t device_count, void** self,
                            sluice_error* error) {
    struct strategy* strategy;
    const int64_t replicas = option(options, "replicas")->as.i;
    (void)host, (void)device_count;
    if (replicas > MOST) {
        return fail(error, SLUICE_INVALID, "replicas: 8 at most");
    }
    strategy = calloc(1, sizeof(*strategy));
    if (strategy == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    strategy->fault = fault_of(options);
    strategy->replicas = (uint32_t)replicas;
    pthread_mutex_init(&strategy->mutex, NULL);
    pthread_cond_init(&strategy->changed, NULL);
    *self = strategy;
    return SLUICE_OK;
}

static void destroy(void* self) {
    struct strategy* strategy = self;
    pthread_cond_destroy(&strategy->changed);
    pthread_mutex_destroy(&strategy->mutex);
    free(strategy);
}

static sluice_status tell_topology(void* self, sluice_topology* topology, sluice_error* error) {
    const struct strategy* strategy = self;
    (void)error;
    topology->local_replicas = strategy->replicas;
    topology->first_replica = 0;
    topology->world_replicas = strategy->replicas;
    if (strategy->fault == FAULT_zeroes_what_it_does_not_know) {
        memset(topology + 1, 0, topology->struct_size - sizeof(*topology));
    }
    return SLUICE_OK;
}

/* Converts to bfloat16 and back. */
static float cut(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits &= 0xFFFF0000U;
    memcpy(&value, &bits, sizeof(bits));
    return value;
}

/* The order of the sum is sum(0, n) = sum(0, m) + sum(m, n), where m is the largest power of two below n. With
 * `from_left`, it is from left to right, by mistake. */
#define COMPUTE(T, name)                                                                                         \
    static T sum_##name(const struct round* round, uint64_t i, uint32_t begin, uint32_t count, int from_left) {  \
        uint32_t left = 1;                                                                                       \
        if (count == 1) {                                                                                        \
            return ((const T*)round->members[begin].data)[i];                                                    \
        }                                                                                                        \
        while (2 * left < count) {                                                                               \
            left *= 2;                                                                                           \
        }                                                                                                        \
        left = from_left ? count - 1 : left;                                                                     \
        return sum_##name(round, i, begin, left, from_left) +                                                    \
               sum_##name(round, i, begin + left, count - left, from_left);                                      \
    }                                                                                                            \
    static void compute_##name(const struct strategy* strategy, struct round* round) {                           \
        const sluice_collective* first = &round->members[0];                                                     \
        const uint64_t slice = first->count / strategy->replicas;                                                \
        const int is_narrow = first->wire.bits != first->dtype.bits;                                             \
        uint64_t i;                                                                                              \
        uint32_t replica;                                                                                        \
        for (i = 0; i < first->count; ++i) {                                                                     \
            T value = sum_##name(round, i, 0, strategy->replicas, strategy->fault == FAULT_sums_from_the_left);  \
            if (first->kind == SLUICE_COLLECTIVE_MEAN) {                                                         \
                value = (T)(value / strategy->replicas);                                                         \
            } else if (first->kind == SLUICE_COLLECTIVE_MAX) {                                                   \
                value = ((const T*)first->data)[i];                                                              \
                for (replica = 1; replica < strategy->replicas; ++replica) {                                     \
                    const T other = ((const T*)round->members[replica].data)[i];                                 \
                    value = other > value ? other : value;                                                       \
                }                                                                                                \
            } else if (first->kind == SLUICE_COLLECTIVE_ALL_GATHER) {                                            \
                value = ((const T*)round->members[i / slice].data)[i];                                           \
            }                                                                                                    \
            for (replica = 0; replica < strategy->replicas; ++replica) {                                         \
                ((T*)round->members[replica].data)[i] = replica > 0 && is_narrow ? (T)cut((float)value) : value; \
            }                                                                                                    \
        }                                                                                                        \
    }
COMPUTE(float, floats)
COMPUTE(double, doubles)

static sluice_status lost(struct strategy* strategy, sluice_error* error) {
    pthread_cond_broadcast(&strategy->changed);
    return fail(error, SLUICE_REPLICA_LOST, strategy->reason);
}

static int is_same(const sluice_collective* a, const sluice_collective* b) {
    return a->name.len == b->name.len && memcmp(a->name.ptr, b->name.ptr, (size_t)a->name.len) == 0;
}

static sluice_status start_locked(struct strategy* strategy, const sluice_collective* collective, sluice_error* error) {
    struct round* round = &strategy->rounds[strategy->started[collective->replica] % rounds_of(strategy)];
    uint32_t i;
    if (strategy->reason[0] != '\0') {
        return lost(strategy, error);
    }
    for (i = 0; i < strategy->replicas && strategy->fault != FAULT_trusts_the_order; ++i) {
        if (round->is_there[i] && !is_same(&round->members[i], collective)) {
            snprintf(strategy->reason, sizeof(strategy->reason), "replica %u came with '%.*s', replica %u with '%.*s'",
                     i, (int)round->members[i].name.len, round->members[i].name.ptr, collective->replica,
                     (int)collective->name.len, collective->name.ptr);
            return lost(strategy, error);
        }
    }
    ++strategy->started[collective->replica];
    round->is_there[collective->replica] = 1;
    round->members[collective->replica] = *collective;
    if (++round->arrived == strategy->replicas) {
        (collective->dtype.bits == 64 ? compute_doubles : compute_floats)(strategy, round);
        pthread_cond_broadcast(&strategy->changed);
    }
    return SLUICE_OK;
}

/* Waits for three seconds at most. */
static void wait_for_the_others(struct strategy* strategy, uint64_t number) {
    const struct round* round = &strategy->rounds[number % rounds_of(strategy)];
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3;
    while (round->arrived < strategy->replicas && strategy->reason[0] == '\0' &&
           pthread_cond_timedwait(&strategy->changed, &strategy->mutex, &deadline) == 0) {
    }
}

static sluice_status start(void* self, const sluice_collective* collective, sluice_error* error) {
    struct strategy* strategy = self;
    sluice_status status;
    if ((collective->kind > SLUICE_COLLECTIVE_ALL_GATHER && strategy->fault != FAULT_takes_any_kind) ||
        (collective->wire.bits != collective->dtype.bits && strategy->fault != FAULT_rounds_for_the_others)) {
        return fail(error, SLUICE_UNSUPPORTED, "not by this one");
    }
    pthread_mutex_lock(&strategy->mutex);
    status = start_locked(strategy, collective, error);
    if (status == SLUICE_OK && strategy->fault == FAULT_waits_in_start) {
        wait_for_the_others(strategy, strategy->started[collective->replica] - 1);
    }
    pthread_mutex_unlock(&strategy->mutex);
    return status;
}

static void name_who_is_late(struct strategy* strategy, const struct round* round, uint32_t replica) {
    uint32_t absent = 0;
    while (round->is_there[absent]) {
        ++absent;
    }
    if (strategy->fault == FAULT_names_nobody) {
        strcpy(strategy->reason, "somebody did not join");
        return;
    }
    snprintf(strategy->reason, sizeof(strategy->reason), "replica %u did not join '%.*s'", absent,
             (int)round->members[replica].name.len, round->members[replica].name.ptr);
}

static sluice_status finish_locked(struct strategy* strategy, uint32_t replica, const struct timespec* deadline,
                                   sluice_error* error) {
    while (strategy->fault == FAULT_waits_for_the_first && strategy->started[replica] == 0 &&
           pthread_cond_timedwait(&strategy->changed, &strategy->mutex, deadline) == 0) {
    }
    while (strategy->finished[replica] < strategy->started[replica]) {
        struct round* round = &strategy->rounds[strategy->finished[replica] % rounds_of(strategy)];
        while (round->arrived < strategy->replicas && strategy->reason[0] == '\0') {
            if (strategy->fault == FAULT_waits_for_ever) {
                pthread_cond_wait(&strategy->changed, &strategy->mutex);
            } else if (pthread_cond_timedwait(&strategy->changed, &strategy->mutex, deadline) != 0) {
                name_who_is_late(strategy, round, replica);
            }
        }
        if (strategy->reason[0] != '\0') {
            return lost(strategy, error);
        }
        ++strategy->finished[replica];
        if (++round->left == strategy->replicas) {
            memset(round, 0, sizeof(*round));
        }
    }
    return SLUICE_OK;
}

static sluice_status finish(void* self, uint32_t replica, double seconds, sluice_error* error) {
    struct strategy* strategy = self;
    struct timespec deadline;
    sluice_status status;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += (time_t)(seconds > 0.0 ? seconds : 1e6);
    pthread_mutex_lock(&strategy->mutex);
    status = finish_locked(strategy, replica, &deadline, error);
    pthread_mutex_unlock(&strategy->mutex);
    return status;
}

static void give_up(void* self, sluice_text reason) {
    struct strategy* strategy = self;
    if (strategy->fault == FAULT_never_gives_up) {
        return;
    }
    pthread_mutex_lock(&strategy->mutex);
    snprintf(strategy->reason, sizeof(strategy->reason), "%.*s", (int)reason.len, reason.ptr);
    pthread_cond_broadcast(&strategy->changed);
    pthread_mutex_unlock(&strategy->mutex);
}

static const sluice_strategy table = {create, destroy, tell_topology, start, finish, give_up};
FAULTY_PLUGIN(SLUICE_STRATEGY_V1, table)

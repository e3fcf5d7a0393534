/* The strategy `example`: replicas are threads of one process. Once all have started a collective, one of the waiting
 * threads computes it for all. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "sluice/kind/strategy.h"
#include "sluice/sdk/c.h"

struct member { /* a replica's part of a collective; sluice_collective may grow, so only used fields are copied */
    int is_there;
    uint32_t kind;
    void* data;
    uint64_t count;
    sluice_dtype dtype;
    sluice_text name;
};

struct round { /* a collective that some replica has started and none has computed */
    struct round* next;
    uint32_t arrived;
    struct member members[]; /* by replica */
};

struct strategy {
    uint32_t replicas;
    pthread_mutex_t mutex; /* guards the members below */
    pthread_cond_t changed;
    struct round* first; /* number `taken` */
    uint64_t taken;      /* collectives that a replica is computing or has computed */
    uint64_t done;       /* of these, those that are finished */
    char reason[300];    /* why it was aborted; empty: it was not */
    uint64_t started[];  /* collectives, by replica */
};

static sluice_status create(const sluice_host* host, const sluice_value* options, uint32_t device_count, void** self,
                            sluice_error* error) {
    const uint32_t replicas = (uint32_t)sluice_integer_option(options, "replicas");
    struct strategy* strategy = calloc(1, sizeof(*strategy) + replicas * sizeof(strategy->started[0]));
    pthread_condattr_t monotonic;
    (void)host, (void)device_count;
    if (strategy == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for the strategy");
    }
    strategy->replicas = replicas;
    pthread_mutex_init(&strategy->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&strategy->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *self = strategy;
    return SLUICE_OK;
}

static struct round* take_first(struct strategy* strategy) {
    struct round* first = strategy->first;
    strategy->first = first->next;
    return first;
}

static void destroy(void* self) {
    struct strategy* strategy = self;
    if (strategy == NULL) {
        return;
    }
    while (strategy->first != NULL) {
        free(take_first(strategy));
    }
    pthread_cond_destroy(&strategy->changed);
    pthread_mutex_destroy(&strategy->mutex);
    free(strategy);
}

static sluice_status topology(void* self, sluice_topology* topology, sluice_error* error) {
    const struct strategy* strategy = self;
    (void)error;
    topology->local_replicas = topology->world_replicas = strategy->replicas;
    topology->first_replica = 0;
    return SLUICE_OK;
}

static double load(const struct member* member, uint64_t i) {
    return member->dtype.bits == 64 ? ((const double*)member->data)[i] : (double)((const float*)member->data)[i];
}

/* The contract fixes the order of the sum: a tree over the ranks, whichever replica arrives first. */
static double fold(const struct member* members, uint32_t count, uint64_t i) {
    uint32_t left = 1;
    double a, b;
    if (count == 1) {
        return load(members, i);
    }
    while (left * 2 < count) {
        left *= 2;
    }
    a = fold(members, left, i);
    b = fold(members + left, count - left, i);
    if (members->kind == SLUICE_COLLECTIVE_MAX) {
        return a < b ? b : a;
    }
    return members->dtype.bits == 64 ? a + b : (double)(float)(a + b);
}

static void exchange(const struct member* members, uint32_t replicas) {
    const uint64_t slice = members->count / replicas;
    uint64_t i;
    for (i = 0; i < members->count; ++i) {
        const int gathers = members->kind == SLUICE_COLLECTIVE_ALL_GATHER;
        double value = gathers ? load(&members[i / slice], i) : fold(members, replicas, i);
        uint32_t r;
        if (members->kind == SLUICE_COLLECTIVE_MEAN) {
            value = members->dtype.bits == 64 ? value * (1.0 / replicas)
                                              : (double)((float)value * (1.0F / (float)replicas));
        }
        for (r = 0; r < replicas; ++r) { /* all replicas get all slices: those of others are undefined anyway */
            if (members->dtype.bits == 64) {
                ((double*)members[r].data)[i] = value;
            } else {
                ((float*)members[r].data)[i] = (float)value;
            }
        }
    }
}

static sluice_status lost(struct strategy* strategy, sluice_error* error) {
    pthread_cond_broadcast(&strategy->changed);
    return SLUICE_FAIL(error, SLUICE_REPLICA_LOST, "%s", strategy->reason);
}

static int same(const struct member* a, const struct member* b) {
    return a->kind == b->kind && a->count == b->count && a->dtype.bits == b->dtype.bits && a->name.len == b->name.len &&
           memcmp(a->name.ptr, b->name.ptr, a->name.len) == 0;
}

/* Adds this replica's range to those of the others. */
static sluice_status join(struct strategy* strategy, uint32_t replica, const struct member* own, sluice_error* error) {
    struct round** place = &strategy->first;
    uint64_t skipped = strategy->started[replica] - strategy->taken;
    uint32_t r;
    for (; skipped > 0; --skipped) {
        place = &(*place)->next;
    }
    if (*place == NULL) {
        *place = calloc(1, sizeof(**place) + strategy->replicas * sizeof((*place)->members[0]));
        if (*place == NULL) {
            return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for a collective");
        }
    }
    for (r = 0; r < strategy->replicas; ++r) {
        const struct member* other = &(*place)->members[r];
        if (other->is_there && !same(own, other)) {
            (void)snprintf(strategy->reason, sizeof(strategy->reason),
                           "replica %u is out of step: it comes with '%.*s', and replica %u with '%.*s'", replica,
                           (int)own->name.len, own->name.ptr, r, (int)other->name.len, other->name.ptr);
            return lost(strategy, error);
        }
    }
    (*place)->members[replica] = *own;
    ++strategy->started[replica];
    if (++(*place)->arrived == strategy->replicas) {
        pthread_cond_broadcast(&strategy->changed);
    }
    return SLUICE_OK;
}

static sluice_status start(void* self, const sluice_collective* own, sluice_error* error) {
    struct strategy* strategy = self;
    const struct member member = {1, own->kind, own->data, own->count, own->dtype, own->name};
    const int is_cut = own->kind == SLUICE_COLLECTIVE_REDUCE_SCATTER || own->kind == SLUICE_COLLECTIVE_ALL_GATHER;
    sluice_status status;
    if (own->kind > SLUICE_COLLECTIVE_ALL_GATHER || memcmp(&own->wire, &own->dtype, sizeof(own->wire)) != 0 ||
        !(sluice_dtype_is(own->dtype, SLUICE_CODE_FLOAT, 32) || sluice_dtype_is(own->dtype, SLUICE_CODE_FLOAT, 64))) {
        return SLUICE_FAIL(error, SLUICE_UNSUPPORTED, "only kinds up to 4, and float32 and float64 in their own type");
    }
    if (is_cut && own->count % strategy->replicas != 0) {
        return SLUICE_FAIL(error, SLUICE_INVALID, "%llu elements in %u slices", (unsigned long long)own->count,
                           strategy->replicas);
    }
    pthread_mutex_lock(&strategy->mutex);
    status = strategy->reason[0] != '\0' ? lost(strategy, error) : join(strategy, own->replica, &member, error);
    pthread_mutex_unlock(&strategy->mutex);
    return status;
}

static void name_missing(struct strategy* strategy, double seconds) {
    const struct round* round = strategy->first;
    uint32_t r, there = 0, missing = 0;
    for (r = 0; r < strategy->replicas; ++r) {
        if (round->members[r].is_there) {
            there = r;
        } else {
            missing = r;
        }
    }
    (void)snprintf(strategy->reason, sizeof(strategy->reason), "replica %u did not join '%.*s' within %g s", missing,
                   (int)round->members[there].name.len, round->members[there].name.ptr, seconds);
}

/* Called with the mutex locked. It unlocks the mutex while it computes, so that no start() has to wait. */
static void exchange_first(struct strategy* strategy) {
    struct round* round = take_first(strategy);
    ++strategy->taken;
    pthread_mutex_unlock(&strategy->mutex);
    exchange(round->members, strategy->replicas);
    free(round);
    pthread_mutex_lock(&strategy->mutex);
    ++strategy->done;
    pthread_cond_broadcast(&strategy->changed);
}

static sluice_status finish(void* self, uint32_t replica, double seconds, sluice_error* error) {
    struct strategy* strategy = self;
    sluice_status status = SLUICE_OK;
    struct timespec until;
    int is_late = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&strategy->mutex);
    while (strategy->done < strategy->started[replica]) {
        const int is_worked_on = strategy->done < strategy->taken; /* then none returns: ranges are being written */
        if (!is_worked_on && strategy->reason[0] != '\0') {
            break;
        } else if (!is_worked_on && strategy->first->arrived == strategy->replicas) {
            exchange_first(strategy);
        } else if (!is_worked_on && is_late) {
            name_missing(strategy, seconds);
        } else if (is_worked_on || seconds <= 0.0) {
            pthread_cond_wait(&strategy->changed, &strategy->mutex);
        } else {
            is_late = pthread_cond_timedwait(&strategy->changed, &strategy->mutex, &until) != 0;
        }
    }
    if (strategy->reason[0] != '\0') {
        status = lost(strategy, error);
    }
    pthread_mutex_unlock(&strategy->mutex);
    return status;
}

static void end(void* self, sluice_text reason) {
    struct strategy* strategy = self;
    pthread_mutex_lock(&strategy->mutex);
    if (strategy->reason[0] == '\0') {
        (void)snprintf(strategy->reason, sizeof(strategy->reason), "%.*s", (int)reason.len, reason.ptr);
    }
    if (strategy->reason[0] == '\0') {
        strcpy(strategy->reason, "it was aborted");
    }
    pthread_cond_broadcast(&strategy->changed);
    pthread_mutex_unlock(&strategy->mutex);
}

static const sluice_strategy table = {create, destroy, topology, start, finish, end};

SLUICE_SERVE(get, SLUICE_STRATEGY_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.strategy.example"), get}};

SLUICE_DEFINE_PLUGIN(components)

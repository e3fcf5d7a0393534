/* sluice/random.h - the one random generator: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011). Counter-based: the n-th number of a key is a pure function, so a stream of samples is the same
 * for any number of threads, and a resumed run needs no generator state. */
#ifndef SLUICE_RANDOM_H
#define SLUICE_RANDOM_H

#include "sluice/abi.h"

SLUICE_EXTERN_C_BEGIN

/* A random choice depends on three numbers: the run's seed; the stream, a hash of the place of the component or node
 * that draws; and the counter, made of the epoch, the sample and its occurrence in the epoch, or of the step. */
typedef struct sluice_random_key {
    uint64_t seed;
    uint64_t stream;
    uint64_t counter;
} sluice_random_key;

/* Writes four 32-bit random words: block number `block` of `key`. Block 0 of key {0, 0, 0} is 0x6627e8d5, 0xe169c58d,
 * 0xbc57ac4c, 0x9b00dbd8. [any] */
static inline void sluice_philox(const sluice_random_key *key, uint64_t block, uint32_t out[4]) {
    const uint64_t mixed = key->seed ^ (key->stream * UINT64_C(0x9E3779B97F4A7C15));
    uint32_t k0 = (uint32_t)mixed;
    uint32_t k1 = (uint32_t)(mixed >> 32);
    uint32_t c0 = (uint32_t)block;
    uint32_t c1 = (uint32_t)(block >> 32);
    uint32_t c2 = (uint32_t)key->counter;
    uint32_t c3 = (uint32_t)(key->counter >> 32);
    int round;
    for (round = 0; round < 10; ++round) {
        const uint64_t p0 = UINT64_C(0xD2511F53) * c0;
        const uint64_t p1 = UINT64_C(0xCD9E8D57) * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

SLUICE_EXTERN_C_END
#endif

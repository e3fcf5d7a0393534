/* sluice/half.h - numbers of 16 bits, to and from float32. bfloat16 has the exponent of float32 and 8 bits of
 * precision; float16 has 11 bits and magnitudes from 6e-8 to 65504. Rounding is to nearest, ties to even; numbers that
 * are too large become infinite, and NaN stays NaN. No function branches, so compilers vectorize loops over them. */
#ifndef SLUICE_HALF_H
#define SLUICE_HALF_H

#include <string.h>

#include "sluice/abi.h"

SLUICE_EXTERN_C_BEGIN

static inline float sluice_float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t sluice_bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* [any] */
static inline float sluice_float_of_bfloat16(uint16_t bits) { return sluice_float_of_bits((uint32_t)bits << 16); }

/* [any] */
static inline uint16_t sluice_bfloat16_of_float(float value) {
    const uint32_t bits = sluice_bits_of_float(value);
    const uint32_t rounded = bits + 0x7FFFu + (bits >> 16 & 1u);
    return (uint16_t)(((bits & 0x7FFFFFFFu) > 0x7F800000u ? bits | 0x400000u : rounded) >> 16);
}

/* [any] */
static inline float sluice_float_of_float16(uint16_t bits) {
    const uint32_t magnitude = bits & 0x7FFFu;
    /* 2^112: the difference of the exponents of the two types. */
    const float scaled = sluice_float_of_bits(magnitude << 13) * 5192296858534827628530496329220096.0f;
    const uint32_t endless = magnitude >= 0x7C00u ? 0x7F800000u : 0u;
    return sluice_float_of_bits(sluice_bits_of_float(scaled) | endless | (uint32_t)(bits & 0x8000u) << 16);
}

/* [any] */
static inline uint16_t sluice_float16_of_float(float value) {
    const uint32_t bits = sluice_bits_of_float(value);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    /* Below 2^-14 the last bit is worth 2^-24, as it is in float32 from 0.5 to 1: the sum rounds. */
    const uint32_t small = sluice_bits_of_float(sluice_float_of_bits(magnitude) + 0.5f) - 0x3F000000u;
    const uint32_t normal = (magnitude - (112u << 23) + 0xFFFu + (magnitude >> 13 & 1u)) >> 13;
    uint32_t half = magnitude < 113u << 23 ? small : normal;
    half = magnitude >= 0x477FF000u ? 0x7C00u : half; /* 65520 and more */
    half = magnitude > 0x7F800000u ? 0x7E00u : half;
    return (uint16_t)(half | (bits >> 16 & 0x8000u));
}

SLUICE_EXTERN_C_END
#endif

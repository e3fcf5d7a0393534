// CUDA's additions to C++ inside kernels: qualifiers, the place of a thread, barriers, exchange within a warp.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "emulated/vectors.h"

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
// The blocks of a grid run one after another on one thread of the host. All thread-local variables of a plugin are in
// one range of memory, which can be filled with NaN before a block runs.
#define __shared__ static thread_local

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
inline constexpr int warpSize = 32;

namespace emulated {

enum class Meeting : unsigned char { block, warp };

// Returns when every thread of the block has called it.
void wait_for_block();
// Returns when every lane of `mask` has called it. The result is the bits that lane `from` gave; NaN: that lane is not
// in `mask`.
std::uint64_t exchange(unsigned mask, std::uint64_t bits, int from);
// Waits in the same way. Bit n of the result is set if lane n gave true.
unsigned ballot(unsigned mask, bool vote);
// Returns the lane of the calling thread in its warp.
int lane();

template <class T>
T exchange_value(unsigned mask, T value, int from, int width) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    const int first = lane() & ~(width - 1);
    const bool is_inside = from >= first && from < first + width;  // outside, a lane keeps its own value
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = exchange(mask, bits, is_inside ? from : lane());
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

}  // namespace emulated

inline void __syncthreads() { emulated::wait_for_block(); }
inline void __syncwarp(unsigned mask = 0xFFFFFFFFU) { emulated::ballot(mask, false); }
inline unsigned __ballot_sync(unsigned mask, int vote) { return emulated::ballot(mask, vote != 0); }
inline int __any_sync(unsigned mask, int vote) { return emulated::ballot(mask, vote != 0) != 0 ? 1 : 0; }
inline int __all_sync(unsigned mask, int vote) { return emulated::ballot(mask, vote == 0) == 0 ? 1 : 0; }
template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = warpSize) {
    const int first = emulated::lane() & ~(width - 1);
    return emulated::exchange_value(mask, value, first + (from & (width - 1)), width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int turned, int width = warpSize) {
    return emulated::exchange_value(mask, value, emulated::lane() ^ turned, width);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned ahead, int width = warpSize) {
    return emulated::exchange_value(mask, value, emulated::lane() + static_cast<int>(ahead), width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned behind, int width = warpSize) {
    return emulated::exchange_value(mask, value, emulated::lane() - static_cast<int>(behind), width);
}

// Nanoseconds of the GPU's clock; stands for the register %globaltimer.
std::uint64_t read_globaltimer();

inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(std::uint64_t{a} * b >> 32); }
template <class T>
T __ldg(const T* from) {
    return *from;
}
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline float __int_as_float(int bits) { return std::bit_cast<float>(bits); }
inline int __float_as_int(float value) { return std::bit_cast<int>(value); }

inline float rsqrtf(float x) { return 1.0F / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __logf(float x) { return std::log(x); }
inline float __fdividef(float a, float b) { return a / b; }

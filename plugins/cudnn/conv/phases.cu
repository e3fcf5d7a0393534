// Squares of 32 filters and 32 channels of one written tap go through shared memory. The two axes swap, and this keeps
// reads and writes in order. Taps that several written taps need are read from the cache.
#include "conv/phases.hpp"
#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

constexpr unsigned kPhaseEdge = 32;
constexpr unsigned kPhaseRows = kThreads / kPhaseEdge;

// Taps [first, first + count) along one axis, whose sum is a tap of the other side.
struct Taps {
    int first;
    int count;
};

struct ToPhases {
    static constexpr int kFrom = 3;
    static constexpr int kTo = 4;
    __device__ static Taps of(int to) { return {to == 0 ? 2 : to == 1 ? 1 : 0, to == 0 || to == 3 ? 1 : 2}; }
};

struct FromPhases {
    static constexpr int kFrom = 4;
    static constexpr int kTo = 3;
    __device__ static Taps of(int to) { return {2 - to, 2}; }
};

// from [A, kFrom, kFrom, B] -> to [B, kTo, kTo, A]; block: (part of B, part of A, written tap)
template <class Map, class From, class To>
__global__ void phase_kernel(int count_a, int count_b, const From* from, To* to, bool add) {
    __shared__ float square[kPhaseEdge * (kPhaseEdge + 1)];  // the extra column avoids bank conflicts
    const int tap = static_cast<int>(blockIdx.z);
    const Taps rows = Map::of(tap / Map::kTo);
    const Taps columns = Map::of(tap % Map::kTo);
    const int lane = static_cast<int>(threadIdx.x % kPhaseEdge);
    const int first_a = static_cast<int>(blockIdx.y * kPhaseEdge);
    const int first_b = static_cast<int>(blockIdx.x * kPhaseEdge);
    for (unsigned row = threadIdx.x / kPhaseEdge; row < kPhaseEdge; row += kPhaseRows) {
        const int a = first_a + static_cast<int>(row);
        const int b = first_b + lane;
        float sum = 0.0F;
        if (a < count_a && b < count_b) {
            for (int r = rows.first; r < rows.first + rows.count; ++r) {
                for (int s = columns.first; s < columns.first + columns.count; ++s) {
                    const std::int64_t at = (static_cast<std::int64_t>(a) * Map::kFrom + r) * Map::kFrom + s;
                    sum += to_float(from[at * count_b + b]);
                }
            }
        }
        square[row * (kPhaseEdge + 1) + static_cast<unsigned>(lane)] = sum;
    }
    __syncthreads();
    for (unsigned row = threadIdx.x / kPhaseEdge; row < kPhaseEdge; row += kPhaseRows) {
        const int b = first_b + static_cast<int>(row);
        const int a = first_a + lane;
        if (a < count_a && b < count_b) {
            To* const target = to + (static_cast<std::int64_t>(b) * Map::kTo * Map::kTo + tap) * count_a + a;
            const float value = square[static_cast<unsigned>(lane) * (kPhaseEdge + 1) + row];
            *target = from_float<To>(add ? to_float(*target) + value : value);
        }
    }
}

template <class Map, class From, class To>
void convert(void* stream, std::int64_t count_a, std::int64_t count_b, const From* from, To* to, bool add) {
    const auto parts = [](std::int64_t n) { return static_cast<unsigned>((n + kPhaseEdge - 1) / kPhaseEdge); };
    launch(stream, dim3(parts(count_b), parts(count_a), Map::kTo * Map::kTo), kThreads, phase_kernel<Map, From, To>,
           static_cast<int>(count_a), static_cast<int>(count_b), from, to, add);
}

}  // namespace

void make_phases(void* stream, cudnnDataType_t type, const ConvProblem& extents, const float* kernels, void* phases) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        convert<ToPhases>(stream, extents.channels, extents.filters, kernels, static_cast<T*>(phases), false);
    });
}

void fold_phases(void* stream, cudnnDataType_t type, const ConvProblem& extents, const void* phases, float* kernels,
                 bool add) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        convert<FromPhases>(stream, extents.filters, extents.channels, static_cast<const T*>(phases), kernels, add);
    });
}

}  // namespace sluice::cudnn

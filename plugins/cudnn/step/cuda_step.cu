// Each call is one pass over memory. Kernels read the step's decisions on the device. Products and sums are rounded one
// by one, as on the CPU (see CMakeLists.txt).
#include "step/cuda_step.hpp"

#include <cmath>

#include "cuda/flat.cuh"
#include "cuda/launch.cuh"
#include "cuda/reduce.cuh"
#include "sluice/sdk/step_rules.hpp"

namespace sluice::cudnn {
namespace {

// Runs in one thread.
__global__ void begin_kernel(sluice_step_rule rule, const sluice_step_start* start, const sluice_step_report* report,
                             sluice_step_scalars* scalars) {
    sdk::begin_step(rule, *start, *report, *scalars);
}

// Runs in one block.
__global__ void add_loss_kernel(const float* pairs, std::int64_t count, bool is_first, sluice_step_report* report) {
    double sum = 0.0;
    double weight = 0.0;
    for (std::int64_t i = threadIdx.x; i < count; i += kThreads) {
        sum += pairs[2 * i];
        weight += pairs[2 * i + 1];
    }
    sum = sum_over_block<kThreads>(sum);
    weight = sum_over_block<kThreads>(weight);
    if (threadIdx.x == 0) {
        report->loss_sum = is_first ? sum : report->loss_sum + sum;
        report->loss_weight = is_first ? weight : report->loss_weight + weight;
    }
}

// Returns the blocks that sum squares: a thread gets at least 16 elements, and a thread of the last launch at most four
// partial sums.
unsigned square_blocks(std::uint64_t count) {
    constexpr std::uint64_t kLeast = std::uint64_t{16} * kThreads;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(count / kLeast, 1, std::uint64_t{4} * kThreads));
}

__device__ double square(float value) { return static_cast<double>(value) * static_cast<double>(value); }

// partial [blocks]
__global__ void square_kernel(const float* values, std::int64_t count, std::int64_t packs, double* partial) {
    double sum = 0.0;
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        const Pack<float> pack = load_pack(values + p * Pack<float>::kSize);
        sum += (square(pack.values[0]) + square(pack.values[1])) + (square(pack.values[2]) + square(pack.values[3]));
    }
    for (std::int64_t i = packs * Pack<float>::kSize + first_index(); i < count; i += index_stride()) {
        sum += square(values[i]);
    }
    sum = sum_over_block<kThreads>(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
}

// Runs in one block.
__global__ void finish_square_kernel(const double* partial, unsigned count, sluice_step_report* report) {
    double sum = 0.0;
    for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        sum += partial[i];
    }
    sum = sum_over_block<kThreads>(sum);
    if (threadIdx.x == 0) {
        report->square_sum = sum;
    }
}

// Runs in one thread.
__global__ void decide_kernel(sluice_step_rule rule, sluice_step_scalars* scalars, sluice_step_report* report) {
    sdk::decide_step(rule, std::sqrt(report->square_sum), *scalars, *report);
}

__global__ void restore_kernel(float* to, const float* from, std::int64_t count, std::int64_t packs,
                               const sluice_step_report* report) {
    if (report->ending == SLUICE_STEP_DONE) {
        return;
    }
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        store_pack(to + p * Pack<float>::kSize, load_pack(from + p * Pack<float>::kSize));
    }
    for (std::int64_t i = packs * Pack<float>::kSize + first_index(); i < count; i += index_stride()) {
        to[i] = from[i];
    }
}

__global__ void average_kernel(float* average, const float* values, std::int64_t count, std::int64_t packs,
                               double decay, const sluice_step_scalars* scalars, const sluice_step_report* report) {
    if (report->ending != SLUICE_STEP_DONE) {
        return;
    }
    const float share = sdk::average_share(decay, scalars->step);
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        const std::int64_t at = p * Pack<float>::kSize;
        Pack<float> mean = load_pack(average + at);
        const Pack<float> value = load_pack(values + at);
        for (int k = 0; k < Pack<float>::kSize; ++k) {
            mean.values[k] += share * (value.values[k] - mean.values[k]);
        }
        store_pack(average + at, mean);
    }
    for (std::int64_t i = packs * Pack<float>::kSize + first_index(); i < count; i += index_stride()) {
        average[i] += share * (values[i] - average[i]);
    }
}

// A thread rounds a pack of T, 16 bytes.
template <class T>
__global__ void round_kernel(T* to, const float* values, std::int64_t count, std::int64_t packs) {
    constexpr int kSize = Pack<T>::kSize;
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        Pack<T> out;
        for (int part = 0; part < kSize; part += Pack<float>::kSize) {
            const Pack<float> in = load_pack(values + p * kSize + part);
            for (int k = 0; k < Pack<float>::kSize; ++k) {
                out.values[part + k] = from_float<T>(in.values[k]);
            }
        }
        store_pack(to + p * kSize, out);
    }
    for (std::int64_t i = packs * kSize + first_index(); i < count; i += index_stride()) {
        to[i] = from_float<T>(values[i]);
    }
}

// Returns the blocks for a pass with one pack per thread, or one element per thread if there are no packs.
unsigned pass_blocks(std::uint64_t count, std::int64_t packs) {
    return blocks_for(packs > 0 ? packs : static_cast<std::int64_t>(count));
}

template <class T>
void round_to(T* to, const float* values, std::uint64_t count, void* stream) {
    const bool aligned = is_pack_aligned(to) && is_pack_aligned(values);
    const std::int64_t packs = aligned ? static_cast<std::int64_t>(count) / Pack<T>::kSize : 0;
    launch(stream, pass_blocks(count, packs), kThreads, round_kernel<T>, to, values, count, packs);
}

}  // namespace

void CudaStep::begin(const sluice_step_rule& rule, const sluice_step_start* start, const sluice_step_report* report,
                     sluice_step_scalars* scalars, void* stream) {
    launch(stream, 1, 1, begin_kernel, rule, start, report, scalars);
}

void CudaStep::add_loss(const float* pairs, std::uint64_t count, bool is_first, sluice_step_report* report,
                        const sluice_threads* /*threads*/, void* stream) {
    launch(stream, 1, kThreads, add_loss_kernel, pairs, count, is_first, report);
}

std::uint64_t CudaStep::workspace(std::uint64_t count) const noexcept { return square_blocks(count) * sizeof(double); }

void CudaStep::sum_squares(const float* values, std::uint64_t count, sluice_step_report* report, void* workspace,
                           const sluice_threads* /*threads*/, void* stream) {
    auto* const partial = static_cast<double*>(workspace);
    const unsigned blocks = square_blocks(count);
    launch(stream, blocks, kThreads, square_kernel, values, count, whole_packs(count, values), partial);
    launch(stream, 1, kThreads, finish_square_kernel, partial, blocks, report);
}

void CudaStep::decide(const sluice_step_rule& rule, sluice_step_scalars* scalars, sluice_step_report* report,
                      void* stream) {
    launch(stream, 1, 1, decide_kernel, rule, scalars, report);
}

void CudaStep::restore(float* to, const float* from, std::uint64_t count, const sluice_step_report* report,
                       const sluice_threads* /*threads*/, void* stream) {
    const std::int64_t packs = whole_packs(count, to, from);
    launch(stream, pass_blocks(count, packs), kThreads, restore_kernel, to, from, count, packs, report);
}

void CudaStep::move_average(float* average, const float* values, std::uint64_t count, double decay,
                            const sluice_step_scalars* scalars, const sluice_step_report* report,
                            const sluice_threads* /*threads*/, void* stream) {
    const std::int64_t packs = whole_packs(count, average, values);
    launch(stream, pass_blocks(count, packs), kThreads, average_kernel, average, values, count, packs, decay, scalars,
           report);
}

void CudaStep::round(void* to, const float* values, std::uint64_t count, sluice_dtype dtype,
                     const sluice_threads* /*threads*/, void* stream) {
    if (sdk::same(dtype, sdk::kFloat16)) {
        round_to(static_cast<Half*>(to), values, count, stream);
    } else {
        round_to(static_cast<Bfloat*>(to), values, count, stream);
    }
}

}  // namespace sluice::cudnn

#include "conv/bias.hpp"

#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"
#include "cuda/reduce.cuh"

namespace sluice::cudnn {
namespace {

template <class T>
__global__ void add_kernel(T* image, std::int64_t n, unsigned channels, const float* bias, bool relu) {
    constexpr int kSize = Pack<T>::kSize;
    const std::int64_t packs = n / kSize;
    const auto finished = [&](T value, std::int64_t at) {
        const float sum = to_float(value) + (bias == nullptr ? 0.0F : bias[static_cast<unsigned>(at) % channels]);
        return from_float<T>(relu && sum < 0.0F ? 0.0F : sum);
    };
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        Pack<T> pack = load_pack(image + p * kSize);
        for (int k = 0; k < kSize; ++k) {
            pack.values[k] = finished(pack.values[k], p * kSize + k);
        }
        store_pack(image + p * kSize, pack);
    }
    for (std::int64_t i = packs * kSize + first_index(); i < n; i += index_stride()) {
        image[i] = finished(image[i], i);
    }
}

// Several rows of few channels are summed as one wider row, so that neighbouring threads read neighbouring elements.
// `at_once`, the rows in a wide row, is a power of two that divides the number of rows.
struct WideRows {
    WideRows(std::int64_t row_count, std::int64_t channels) : rows(row_count) {
        while (at_once * channels < kWide && rows % 2 == 0) {
            at_once *= 2;
            rows /= 2;
        }
        width = at_once * channels;
        // The parts fill a GPU of 132 multiprocessors with about 8 blocks each; a part has at least 64 rows.
        const std::int64_t wanted = std::max<std::int64_t>(132 * 8 * kWide / width, 1);
        parts = std::clamp<std::int64_t>(rows / 64, 1, std::min(wanted, kMostParts));
    }
    static constexpr std::int64_t kWide = 32;
    static constexpr std::int64_t kMostParts = 256;
    std::int64_t at_once = 1;
    std::int64_t rows;
    std::int64_t width = 0;
    std::int64_t parts = 0;
};

// A block of the first launch sums the rows of one part for some columns. Its threads form lanes of kPacks packs.
template <int kSize>
inline constexpr unsigned kPacks = kSize == 1 ? 32 : 8;

// sums: [parts, width]
template <class T, int kSize>
__global__ void part_kernel(const T* dy, WideRows wide, float* sums) {
    constexpr unsigned kLanes = kThreads / kPacks<kSize>;
    constexpr unsigned kColumns = kPacks<kSize> * kSize;
    constexpr int kAhead = 4;  // loads in flight
    __shared__ float shared[kThreads * kSize];
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kColumns;
    const std::int64_t column = first + threadIdx.x % kPacks<kSize> * kSize;
    const std::int64_t end = wide.rows * (blockIdx.y + 1) / wide.parts;
    float sum[kSize] = {};
    if (column < wide.width) {
        std::int64_t row = wide.rows * blockIdx.y / wide.parts + threadIdx.x / kPacks<kSize>;
        for (; row < end; row += kAhead * kLanes) {
            Pack<T, kSize> read[kAhead] = {};
            for (int i = 0; i < kAhead && row + i * kLanes < end; ++i) {
                read[i] = load_pack<kSize>(dy + (row + i * kLanes) * wide.width + column);
            }
            for (const Pack<T, kSize>& pack : read) {
                for (int k = 0; k < kSize; ++k) {
                    sum[k] += to_float(pack.values[k]);
                }
            }
        }
    }
    for (int k = 0; k < kSize; ++k) {
        shared[threadIdx.x * kSize + k] = sum[k];
    }
    __syncthreads();
    if (threadIdx.x < kColumns && first + threadIdx.x < wide.width) {
        float total = 0.0F;
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            total += shared[lane * kColumns + threadIdx.x];
        }
        sums[blockIdx.y * wide.width + first + threadIdx.x] = total;
    }
}

// block: channel
__global__ void total_kernel(const float* sums, WideRows wide, float* to, bool add) {
    const std::int64_t channels = gridDim.x;
    float total = 0.0F;
    for (std::int64_t i = threadIdx.x; i < wide.parts * wide.at_once; i += kThreads) {
        total += sums[i * channels + blockIdx.x];  // a row of `width` holds at_once sums of each channel
    }
    total = sum_over_block<kThreads>(total);
    if (threadIdx.x == 0) {
        to[blockIdx.x] = add ? to[blockIdx.x] + total : total;
    }
}

template <class T, int kSize>
void sum_parts(void* stream, const void* dy, const WideRows& wide, float* sums) {
    constexpr std::int64_t kColumns = kPacks<kSize> * kSize;
    launch(stream,
           dim3(static_cast<unsigned>((wide.width + kColumns - 1) / kColumns), static_cast<unsigned>(wide.parts)),
           kThreads, part_kernel<T, kSize>, static_cast<const T*>(dy), wide, sums);
}

}  // namespace

void add_bias(void* stream, cudnnDataType_t type, void* image, std::int64_t rows, std::int64_t channels,
              const float* bias, bool relu) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        const std::int64_t n = rows * channels;
        launch(stream, blocks_for(n / Pack<T>::kSize), kThreads, add_kernel<T>, static_cast<T*>(image), n,
               static_cast<unsigned>(channels), bias, relu);
    });
}

std::uint64_t bias_gradient_bytes(std::int64_t rows, std::int64_t channels) {
    const WideRows wide(rows, channels);
    return static_cast<std::uint64_t>(wide.parts * wide.width) * sizeof(float);
}

void bias_gradient(void* stream, cudnnDataType_t type, const void* dy, std::int64_t rows, std::int64_t channels,
                   float* to, bool add, void* workspace) {
    const WideRows wide(rows, channels);
    auto* const sums = static_cast<float*>(workspace);
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        wide.width % Pack<T>::kSize == 0 ? sum_parts<T, Pack<T>::kSize>(stream, dy, wide, sums)
                                         : sum_parts<T, 1>(stream, dy, wide, sums);
    });
    launch(stream, static_cast<unsigned>(channels), kThreads, total_kernel, sums, wide, to, add);
}

}  // namespace sluice::cudnn

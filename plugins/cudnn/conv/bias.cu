#include "conv/bias.hpp"

#include "conv/element_type.cuh"
#include "cuda/launch.cuh"

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

// A block of the first launch sums the rows of one part for kColumns channels: its threads form kLanes rows of
// kColumns, so that neighbours read neighbouring channels.
constexpr unsigned kColumns = 32;
constexpr unsigned kLanes = kThreads / kColumns;
constexpr std::int64_t kMostParts = 256;

unsigned column_blocks(std::int64_t channels) { return static_cast<unsigned>((channels + kColumns - 1) / kColumns); }

// Enough parts to fill a GPU, of 64 rows or more.
std::int64_t parts_of(std::int64_t rows, std::int64_t channels) {
    const std::int64_t wanted = std::max<std::int64_t>(132 * 8 / column_blocks(channels), 1);
    return std::clamp<std::int64_t>(rows / 64, 1, std::min(wanted, kMostParts));
}

// sums: [parts, C]
template <class T>
__global__ void part_kernel(const T* dy, std::int64_t rows, std::int64_t channels, float* sums) {
    __shared__ float shared[kThreads];
    const unsigned lane = threadIdx.x / kColumns;
    const std::int64_t c = static_cast<std::int64_t>(blockIdx.x) * kColumns + threadIdx.x % kColumns;
    const std::int64_t begin = rows * blockIdx.y / gridDim.y;
    const std::int64_t end = rows * (blockIdx.y + 1) / gridDim.y;
    float sum[4] = {};
    if (c < channels) {
        std::int64_t row = begin + lane;
        for (; row + 3 * kLanes < end; row += 4 * kLanes) {  // four loads in flight
            for (int k = 0; k < 4; ++k) {
                sum[k] += to_float(dy[(row + k * kLanes) * channels + c]);
            }
        }
        for (; row < end; row += kLanes) {
            sum[0] += to_float(dy[row * channels + c]);
        }
    }
    shared[threadIdx.x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    __syncthreads();
    if (lane == 0 && c < channels) {
        float total = 0.0F;
        for (unsigned k = 0; k < kLanes; ++k) {
            total += shared[k * kColumns + threadIdx.x];
        }
        sums[blockIdx.y * channels + c] = total;
    }
}

__global__ void total_kernel(const float* sums, std::int64_t parts, std::int64_t channels, float* to, bool add) {
    for (std::int64_t c = first_index(); c < channels; c += index_stride()) {
        float total = 0.0F;
        for (std::int64_t part = 0; part < parts; ++part) {
            total += sums[part * channels + c];
        }
        to[c] = add ? to[c] + total : total;
    }
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
    return static_cast<std::uint64_t>(parts_of(rows, channels) * channels) * sizeof(float);
}

void bias_gradient(void* stream, cudnnDataType_t type, const void* dy, std::int64_t rows, std::int64_t channels,
                   float* to, bool add, void* workspace) {
    const std::int64_t parts = parts_of(rows, channels);
    auto* const sums = static_cast<float*>(workspace);
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        launch(stream, dim3(column_blocks(channels), static_cast<unsigned>(parts)), kThreads, part_kernel<T>,
               static_cast<const T*>(dy), rows, channels, sums);
    });
    launch(stream, blocks_for(channels), kThreads, total_kernel, sums, parts, channels, to, add);
}

}  // namespace sluice::cudnn

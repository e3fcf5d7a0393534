#include "conv/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "conv/bench_memory.hpp"
#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"
#include "cuda/reduce.cuh"

namespace sluice::cudnn {
namespace {

#ifdef SLUICE_MOST_BLOCKS  // threads are emulated
constexpr unsigned kSampleThreads = 16;
constexpr unsigned kSamples = 18;
#else
constexpr unsigned kSampleThreads = kThreads;
constexpr unsigned kSamples = 72;
#endif

// The indices of an element along four axes. The last axis is contiguous.
struct SampledPlace {
    std::int64_t at[4];
};

// The problem in a form that kernels take as an argument.
struct SampledExtents {
    std::int64_t batch;
    std::int64_t channels;
    std::int64_t filters;
    std::int64_t group_channels;
    std::int64_t group_filters;
    std::int64_t in[2];  // of x as the convolution reads it
    std::int64_t out[2];
    std::int64_t taps[2];
    std::int64_t stride[2];
    std::int64_t dilation[2];
    std::int64_t before[2];
    std::int64_t enlarged;  // pixels of that x for a pixel of the given image, along each axis: 2 if upsampled, else 1
    std::int64_t result[4];
};

SampledExtents extents_of(const ConvProblem& p) {
    SampledExtents e{};
    e.batch = p.batch;
    e.channels = p.channels;
    e.filters = p.filters;
    e.group_channels = p.channels / p.groups;
    e.group_filters = p.filters / p.groups;
    e.enlarged = p.upsampled ? 2 : 1;
    for (int axis = 0; axis < 2; ++axis) {
        e.in[axis] = p.in[axis];
        e.out[axis] = p.out[axis];
        e.taps[axis] = p.taps[axis];
        e.stride[axis] = p.stride[axis];
        e.dilation[axis] = p.dilation[axis];
        e.before[axis] = p.before[axis];
    }
    const SampledPlace result = p.direction == Direction::forward
                                    ? SampledPlace{{e.batch, e.out[0], e.out[1], e.filters}}
                                : p.direction == Direction::backward_data
                                    ? SampledPlace{{e.batch, e.in[0] / e.enlarged, e.in[1] / e.enlarged, e.channels}}
                                    : SampledPlace{{e.filters, e.taps[0], e.taps[1], e.group_channels}};
    std::copy(std::begin(result.at), std::end(result.at), e.result);
    return e;
}

// Returns the first, the last or any index, because errors tend to be at edges.
constexpr std::int64_t spread(unsigned way, unsigned mixed, std::int64_t extent) {
    return way == 0 ? 0 : way == 1 ? extent - 1 : static_cast<std::int64_t>(mixed) % extent;
}

constexpr SampledPlace place_of(unsigned sample, const SampledExtents& e) {
    const unsigned mixed = sample * 2654435761U;
    return {{static_cast<std::int64_t>(mixed >> 16) % e.result[0], spread(sample % 3, mixed >> 8, e.result[1]),
             spread(sample / 3 % 3, mixed >> 12, e.result[2]), static_cast<std::int64_t>(mixed >> 4) % e.result[3]}};
}

constexpr std::int64_t index_of(const SampledPlace& p, const SampledExtents& e) {
    return ((p.at[0] * e.result[1] + p.at[1]) * e.result[2] + p.at[2]) * e.result[3] + p.at[3];
}

// Splits the last index off a number that counts through several indices.
__device__ std::int64_t take(std::int64_t& number, std::int64_t extent) {
    const std::int64_t index = number % extent;
    number /= extent;
    return index;
}

template <class T>
struct Operands {
    const T* x;
    const T* w;
    const T* y;
};

// The indices of one of the products that the convolution sums.
struct Product {
    std::int64_t n, h, w;  // of x, as the convolution reads it
    std::int64_t oh, ow;   // of y
    std::int64_t r, s;     // the tap
    std::int64_t c, k;     // channel and filter
};

template <class T>
__device__ float x_at(const Operands<T>& from, const SampledExtents& e, const Product& p) {
    const std::int64_t height = e.in[0] / e.enlarged;
    const std::int64_t width = e.in[1] / e.enlarged;
    return to_float(from.x[((p.n * height + p.h / e.enlarged) * width + p.w / e.enlarged) * e.channels + p.c]);
}

template <class T>
__device__ float w_at(const Operands<T>& from, const SampledExtents& e, const Product& p) {
    const std::int64_t c = p.c % e.group_channels;
    return to_float(from.w[((p.k * e.taps[0] + p.r) * e.taps[1] + p.s) * e.group_channels + c]);
}

template <class T>
__device__ float y_at(const Operands<T>& from, const SampledExtents& e, const Product& p) {
    return to_float(from.y[((p.n * e.out[0] + p.oh) * e.out[1] + p.ow) * e.filters + p.k]);
}

__device__ bool is_in(std::int64_t index, std::int64_t extent) { return index >= 0 && index < extent; }

// Sets the place in x from the place in y and the tap. Returns false if it is in the zeros around x.
__device__ bool find_x(const SampledExtents& e, Product& p) {
    p.h = p.oh * e.stride[0] - e.before[0] + p.r * e.dilation[0];
    p.w = p.ow * e.stride[1] - e.before[1] + p.s * e.dilation[1];
    return is_in(p.h, e.in[0]) && is_in(p.w, e.in[1]);
}

// Sets the place in y from the place in x and the tap. Returns false if no y reads that place with this tap.
__device__ bool find_y(const SampledExtents& e, Product& p) {
    const std::int64_t top = p.h + e.before[0] - p.r * e.dilation[0];
    const std::int64_t left = p.w + e.before[1] - p.s * e.dilation[1];
    p.oh = top / e.stride[0];
    p.ow = left / e.stride[1];
    return top >= 0 && left >= 0 && top % e.stride[0] == 0 && left % e.stride[1] == 0 && p.oh < e.out[0] &&
           p.ow < e.out[1];
}

// Returns product `number` of those that add up to the result at `place`; 0 if it does not exist.
template <Direction kDirection, class T>
__device__ float product(const Operands<T>& from, const SampledExtents& e, const SampledPlace& place,
                         std::int64_t number) {
    Product p{};
    if (kDirection == Direction::backward_weights) {
        p.k = place.at[0];
        p.r = place.at[1];
        p.s = place.at[2];
        p.c = p.k / e.group_filters * e.group_channels + place.at[3];
        p.ow = take(number, e.out[1]);
        p.oh = take(number, e.out[0]);
        p.n = number;
        return find_x(e, p) ? x_at(from, e, p) * y_at(from, e, p) : 0.0F;
    }
    p.n = place.at[0];
    if (kDirection == Direction::forward) {
        p.k = place.at[3];
        p.c = p.k / e.group_filters * e.group_channels + take(number, e.group_channels);
        p.s = take(number, e.taps[1]);
        p.r = number;
        p.oh = place.at[1];
        p.ow = place.at[2];
        return find_x(e, p) ? x_at(from, e, p) * w_at(from, e, p) : 0.0F;
    }
    p.c = place.at[3];
    p.k = p.c / e.group_channels * e.group_filters + take(number, e.group_filters);
    p.s = take(number, e.taps[1]);
    p.r = take(number, e.taps[0]);
    p.w = place.at[2] * e.enlarged + take(number, e.enlarged);
    p.h = place.at[1] * e.enlarged + number;
    return find_y(e, p) ? w_at(from, e, p) * y_at(from, e, p) : 0.0F;
}

std::int64_t products_of(const ConvProblem& p, const SampledExtents& e) {
    const std::int64_t taps = e.taps[0] * e.taps[1];
    return p.direction == Direction::backward_weights ? e.batch * e.out[0] * e.out[1]
           : p.direction == Direction::forward        ? taps * e.group_channels
                                                      : taps * e.group_filters * e.enlarged * e.enlarged;
}

// A block computes one sample: the sum of its products and the sum of their squares.
template <Direction kDirection, class T>
__global__ void sum_kernel(Operands<T> from, SampledExtents e, std::int64_t products, double* sums) {
    for (unsigned sample = blockIdx.x; sample < kSamples; sample += gridDim.x) {
        const SampledPlace place = place_of(sample, e);
        double sum = 0.0;
        double squares = 0.0;
        for (std::int64_t i = threadIdx.x; i < products; i += kSampleThreads) {
            const double value = product<kDirection>(from, e, place, i);
            sum += value;
            squares += value * value;
        }
        sum = sum_over_block<kSampleThreads>(sum);
        squares = sum_over_block<kSampleThreads>(squares);
        if (threadIdx.x == 0) {
            sums[2 * sample] = sum;
            sums[2 * sample + 1] = squares;
        }
    }
}

template <class T>
__global__ void gather_kernel(const T* from, SampledExtents e, float* to) {
    for (std::int64_t i = first_index(); i < kSamples; i += index_stride()) {
        to[i] = to_float(from[index_of(place_of(static_cast<unsigned>(i), e), e)]);
    }
}

template <class Value>
std::vector<Value> read(void* stream, const BenchMemory& from, std::size_t count) {
    std::vector<Value> values(count);
    check(cudaMemcpyAsync(values.data(), from.get(), count * sizeof(Value), cudaMemcpyDefault,
                          static_cast<cudaStream_t>(stream)),
          "copying samples of a convolution");
    check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "computing samples of a convolution");
    return values;
}

unsigned sample_blocks() { return static_cast<unsigned>(std::min<std::int64_t>(kSamples, kFullGrid)); }

const void* result_of(const ConvProblem& p, const ConvMemory& memory) {
    return p.direction == Direction::forward ? memory.y : p.direction == Direction::backward_data ? memory.x : memory.w;
}

// Returns the numbers of the result at the samples' places.
std::vector<float> gathered(const ConvProblem& p, void* stream, const ConvMemory& memory) {
    const BenchMemory to(kSamples * sizeof(float));
    const bool is_weights = p.direction == Direction::backward_weights;
    with_element_type(is_weights ? p.kernels : p.image, [&](auto zero) {
        using T = decltype(zero);
        launch(stream, blocks_for(kSamples), kThreads, gather_kernel<T>, static_cast<const T*>(result_of(p, memory)),
               extents_of(p), static_cast<float*>(to.get()));
    });
    return read<float>(stream, to, kSamples);
}

// Returns two numbers for each sample: the sum of its products and the sum of their squares.
std::vector<double> summed(const ConvProblem& p, void* stream, const ConvMemory& memory) {
    const BenchMemory to(2 * kSamples * sizeof(double));
    const SampledExtents extents = extents_of(p);
    with_element_type(p.image, [&](auto zero) {
        using T = decltype(zero);
        const Operands<T> from{static_cast<const T*>(memory.x), static_cast<const T*>(memory.w),
                               static_cast<const T*>(memory.y)};
        const auto put = [&](auto kernel) {
            launch(stream, sample_blocks(), kSampleThreads, kernel, from, extents, products_of(p, extents),
                   static_cast<double*>(to.get()));
        };
        switch (p.direction) {
            case Direction::forward:
                return put(sum_kernel<Direction::forward, T>);
            case Direction::backward_data:
                return put(sum_kernel<Direction::backward_data, T>);
            case Direction::backward_weights:
                return put(sum_kernel<Direction::backward_weights, T>);
        }
    });
    return read<double>(stream, to, 2 * kSamples);
}

// Returns the bias of each channel of the computed image; zeros if there is none.
std::vector<float> biases(const ConvProblem& p, void* stream, const ConvMemory& memory) {
    const auto count = static_cast<std::size_t>(p.direction == Direction::forward ? p.filters : p.channels);
    std::vector<float> values(count);
    if (p.bias) {
        check(cudaMemcpyAsync(values.data(), memory.bias, count * sizeof(float), cudaMemcpyDefault,
                              static_cast<cudaStream_t>(stream)),
              "copying the bias of a convolution");
        check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "copying the bias of a convolution");
    }
    return values;
}

}  // namespace

Samples::Samples(const ConvProblem& problem, void* stream, const ConvMemory& memory) : problem_(problem) {
    // The tolerance relative to the norm of the products. A wrong sum is off by about that norm; Winograd's sums in 16
    // bits lose a hundredth of it.
    constexpr double kOfProducts = 1.0 / 16;
    constexpr double kOfRounded = 1.0 / 64;  // relative to numbers that are rounded to 16 bits
    const SampledExtents extents = extents_of(problem);
    const std::vector<float> there = problem.add ? gathered(problem, stream, memory) : std::vector<float>(kSamples);
    const std::vector<double> sums = summed(problem, stream, memory);
    const std::vector<float> bias = biases(problem, stream, memory);
    for (unsigned i = 0; i < kSamples; ++i) {
        const bool is_image = problem.direction != Direction::backward_weights;
        const double added =
            double{there[i]} + (is_image ? double{bias[static_cast<std::size_t>(place_of(i, extents).at[3])]} : 0.0);
        const double right = sums[2 * i] + added;
        samples_.push_back(
            {problem.relu ? std::max(right, 0.0) : right,
             kOfProducts * std::sqrt(sums[2 * i + 1]) + kOfRounded * (std::abs(sums[2 * i]) + std::abs(added)) + 1e-6});
    }
}

std::optional<std::string> Samples::difference(void* stream, const ConvMemory& memory) const {
    const std::vector<float> found = gathered(problem_, stream, memory);
    const SampledExtents extents = extents_of(problem_);
    for (unsigned i = 0; i < kSamples; ++i) {
        if (!(std::abs(found[i] - samples_[i].right) <= samples_[i].allowed)) {
            const SampledPlace place = place_of(i, extents);
            std::string text = "it computes " + std::to_string(found[i]) + " at [";
            for (const std::int64_t index : place.at) {
                text += (text.back() == '[' ? "" : ", ") + std::to_string(index);
            }
            return text + "], expected " + std::to_string(samples_[i].right);
        }
    }
    return std::nullopt;
}

}  // namespace sluice::cudnn

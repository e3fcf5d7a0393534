// Class labels and class weights on the device.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/launch.cuh"
#include "sluice/sdk/kernel.hpp"
#include "sluice/sdk/labels.hpp"

namespace sluice::cudnn {

// A tensor of uint8, int32 or int64. The host has checked that each number is a class or the label to ignore.
struct ClassLabels {
    const void* data;
    int bits;
    bool ignores;
    std::int64_t ignored;

    // Returns -1 if place i does not count.
    __device__ std::int64_t operator[](std::int64_t i) const {
        std::int64_t label = 0;
        if (bits == 8) {
            label = static_cast<const std::uint8_t*>(data)[i];
        } else if (bits == 32) {
            label = static_cast<const std::int32_t*>(data)[i];
        } else {
            label = static_cast<const std::int64_t*>(data)[i];
        }
        return ignores && label == ignored ? -1 : label;
    }
};

// Reads the type of the target's labels and the option ignore_label.
class LabelReader {
public:
    explicit LabelReader(const sdk::Node& node)
        : bits_(node.inputs()[1].dtype.bits), ignored_(node.options().maybe_integer("ignore_label")) {}
    [[nodiscard]] ClassLabels of(const void* data) const {
        return {data, bits_, ignored_.has_value(), ignored_.value_or(0)};
    }

private:
    int bits_;
    std::optional<std::int64_t> ignored_;
};

// A part of a list of numbers. A kernel takes it by value, so that forward neither allocates nor copies.
struct NumberPart {
    static constexpr unsigned kMost = 512;
    float values[kMost];
};

template <class Number>
__global__ void write_numbers_kernel(Number* to, NumberPart part, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        to[i] = part.values[i];
    }
}

// The numbers of an option, which kernels read from the workspace.
class NumberList {
public:
    NumberList() = default;
    explicit NumberList(const std::vector<double>& numbers) : numbers_(numbers.begin(), numbers.end()) {}

    [[nodiscard]] std::uint64_t bytes() const { return numbers_.size() * sizeof(float); }
    [[nodiscard]] float sum() const {
        double sum = 0.0;
        for (const float number : numbers_) {
            sum += number;
        }
        return static_cast<float>(sum);
    }

    // Writes the numbers to `to`, of bytes(), and returns it; NULL: the list is empty.
    [[nodiscard]] const float* write(float* to, void* stream) const {
        for (std::size_t first = 0; first < numbers_.size(); first += NumberPart::kMost) {
            NumberPart part{};
            const std::size_t count = std::min<std::size_t>(NumberPart::kMost, numbers_.size() - first);
            std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(first), count, part.values);
            launch(stream, 1, kThreads, write_numbers_kernel<float>, to + first, part, static_cast<unsigned>(count));
        }
        return numbers_.empty() ? nullptr : to;
    }

private:
    std::vector<float> numbers_;
};

}  // namespace sluice::cudnn

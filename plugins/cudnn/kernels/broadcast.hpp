// How the inputs of one node are broadcast to its output, and where their elements are.
#pragma once

#include <vector>

#include "cuda/divide.cuh"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

inline constexpr int kMostAxes = SLUICE_MAX_RANK;

// Numbers the places in some axes of a dense tensor, last axis fastest, and maps them to offsets in another tensor. A
// step is the other tensor's stride along an axis.
class AxisWalk {
public:
    void add_axis(std::int64_t extent, std::int64_t step) {
        extents_[count_] = Divider(extent);
        steps_[count_++] = static_cast<std::uint32_t>(step);
    }

    // Product of the extents.
    [[nodiscard]] constexpr std::uint32_t places() const {
        std::uint32_t product = 1;
        for (int axis = 0; axis < count_; ++axis) {
            product *= extents_[axis].divisor();
        }
        return product;
    }
    [[nodiscard]] constexpr std::uint32_t offset(std::uint32_t place) const {
        std::uint32_t sum = 0;
        for (int axis = kMostAxes - 1; axis >= 0; --axis) {
            sum += axis < count_ ? extents_[axis].split(place) * steps_[axis] : 0;
        }
        return sum;
    }

private:
    Divider extents_[kMostAxes];
    std::uint32_t steps_[kMostAxes] = {};
    int count_ = 0;
};

// Merges neighbouring axes of the output along which all inputs behave alike. Gating [N, H, W, C] by [N, 1, 1, C] then
// has the axes N, HW and C, and a product of equal shapes has one axis.
class Broadcast {
public:
    explicit Broadcast(const sdk::Node& node);

    struct Axis {
        std::int64_t extent;
        std::uint64_t pattern;  // bit k: input k is not broadcast along it
    };
    [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }

    [[nodiscard]] bool is_broadcast(std::size_t k) const;
    // Returns the steps of input k along each axis, 0 for an axis along which it is broadcast. k = kOutput: of the
    // output.
    static constexpr std::size_t kOutput = 64;
    [[nodiscard]] std::vector<std::int64_t> steps(std::size_t k) const;
    // Returns a walk over the output's axes along which input k is broadcast, or over those along which it is not.
    [[nodiscard]] AxisWalk walk(std::size_t k, bool stretched) const;

    // The output as [slices, rows, width] if input k is broadcast along the rows alone; empty: it is broadcast in
    // another way.
    struct Columns {
        std::int64_t slices = 1;
        std::int64_t rows = 1;
        std::int64_t width = 1;
    };
    [[nodiscard]] std::optional<Columns> columns(std::size_t k) const;

private:
    [[nodiscard]] bool keeps(const Axis& axis, std::size_t k) const {
        return k == kOutput || (axis.pattern >> k & 1) != 0;
    }

    std::vector<Axis> axes_;
};

}  // namespace sluice::cudnn

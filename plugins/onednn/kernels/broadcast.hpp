// How the inputs of one node are broadcast to its output. Axes that behave alike for all inputs are merged. Gating [N,
// H, W, C] by [N, 1, 1, C] has the axes N, HW and C; a product of equal shapes has one axis.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

class Broadcast {
public:
    explicit Broadcast(const sdk::Node& node);

    // No input is broadcast along the first axis, so threads divide it.
    [[nodiscard]] std::int64_t slices() const { return extents_.front(); }
    // Rows of one slice, and their length. If there is only one axis, a slice is one row of one number.
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t row_length() const { return extents_.size() == 1 ? 1 : extents_.back(); }
    [[nodiscard]] bool one_axis() const { return extents_.size() == 1; }

    // Returns the numbers in one slice of input k.
    [[nodiscard]] std::int64_t slice_length(std::size_t k) const { return steps_[k].front(); }
    // Returns where a row of the output begins in the slice of input k.
    [[nodiscard]] std::int64_t row_offset(std::size_t k, std::int64_t row) const;
    // True if a row of the output uses a single number of input k.
    [[nodiscard]] bool repeats(std::size_t k) const { return !one_axis() && steps_[k].back() == 0; }
    // True if input k is broadcast along any axis.
    [[nodiscard]] bool is_broadcast(std::size_t k) const { return broadcast_[k] != 0; }

private:
    void add_axis(std::int64_t extent, std::uint64_t pattern);
    void set_steps(std::size_t inputs);

    std::int64_t rows_ = 1;
    std::vector<std::int64_t> extents_;
    std::vector<std::uint64_t> patterns_;           // of each axis; bit k: input k is not broadcast along it
    std::vector<std::vector<std::int64_t>> steps_;  // of input k along each axis; 0 if it is broadcast
    std::vector<std::uint8_t> broadcast_;
};

}  // namespace sluice::onednn

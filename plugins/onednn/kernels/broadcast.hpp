// How the inputs of one node are stretched to its output: axes that behave alike for all inputs made one, so that
// gating [N, H, W, C] by [N, 1, 1, C] has the axes N, HW and C, and a product of equal shapes has one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

class Broadcast {
public:
    explicit Broadcast(const sdk::Node& node);

    // Along the first axis no input is stretched: threads divide it.
    [[nodiscard]] std::int64_t slices() const { return extents_.front(); }
    // Rows of one slice, and their length; where there is one axis only, a slice is one number of one row.
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t row_length() const { return extents_.size() == 1 ? 1 : extents_.back(); }
    [[nodiscard]] bool one_axis() const { return extents_.size() == 1; }

    // Numbers of one slice of input k.
    [[nodiscard]] std::int64_t slice_length(std::size_t k) const { return steps_[k].front(); }
    // Where in its slice input k begins for a row.
    [[nodiscard]] std::int64_t row_offset(std::size_t k, std::int64_t row) const;
    // Whether a row of the output meets one number of input k.
    [[nodiscard]] bool repeats(std::size_t k) const { return !one_axis() && steps_[k].back() == 0; }
    // Whether input k is stretched along any axis.
    [[nodiscard]] bool is_stretched(std::size_t k) const { return stretched_[k] != 0; }

private:
    void add_axis(std::int64_t extent, std::uint64_t pattern);
    void set_steps(std::size_t inputs);

    std::int64_t rows_ = 1;
    std::vector<std::int64_t> extents_;
    std::vector<std::uint64_t> patterns_;           // of each axis: bit k, input k is not stretched along it
    std::vector<std::vector<std::int64_t>> steps_;  // of input k along each axis; 0 where it is stretched
    std::vector<std::uint8_t> stretched_;
};

}  // namespace sluice::onednn

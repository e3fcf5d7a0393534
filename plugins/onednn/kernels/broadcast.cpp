#include "kernels/broadcast.hpp"

#include <algorithm>

namespace sluice::onednn {

Broadcast::Broadcast(const sdk::Node& node) {
    const sluice_tensor_spec& output = node.outputs()[0];
    const std::size_t inputs = node.inputs().size();
    for (std::int32_t axis = 0; axis < output.rank; ++axis) {
        std::uint64_t pattern = 0;
        for (std::size_t k = 0; k < inputs; ++k) {
            pattern |= std::uint64_t{node.inputs()[k].shape[axis] == output.shape[axis]} << k;
        }
        add_axis(output.shape[axis], pattern);
    }
    set_steps(inputs);
}

void Broadcast::add_axis(std::int64_t extent, std::uint64_t pattern) {
    if (!extents_.empty() && extent == 1) {
        return;
    }
    if (!extents_.empty() && patterns_.back() == pattern) {
        extents_.back() *= extent;
        return;
    }
    extents_.push_back(extent);
    patterns_.push_back(pattern);
}

void Broadcast::set_steps(std::size_t inputs) {
    for (std::size_t k = 0; k < inputs; ++k) {
        std::vector<std::int64_t> steps(extents_.size(), 0);
        std::int64_t step = 1;
        bool stretched = false;
        for (std::size_t axis = extents_.size(); axis-- > 0;) {
            if ((patterns_[axis] >> k & 1) != 0) {
                steps[axis] = step;
                step *= extents_[axis];
            } else {
                stretched = true;
            }
        }
        steps_.push_back(std::move(steps));
        broadcast_.push_back(stretched ? 1 : 0);
    }
    for (std::size_t axis = 1; axis + 1 < extents_.size(); ++axis) {
        rows_ *= extents_[axis];
    }
}

std::int64_t Broadcast::row_offset(std::size_t k, std::int64_t row) const {
    std::int64_t offset = 0;
    for (std::size_t axis = extents_.size() - 1; axis-- > 1;) {
        offset += row % extents_[axis] * steps_[k][axis];
        row /= extents_[axis];
    }
    return offset;
}

}  // namespace sluice::onednn

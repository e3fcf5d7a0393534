#include "kernels/broadcast.hpp"

namespace sluice::cudnn {

Broadcast::Broadcast(const sdk::Node& node) {
    const sluice_tensor_spec& output = node.outputs()[0];
    for (std::int32_t axis = 0; axis < output.rank; ++axis) {
        const std::int64_t extent = output.shape[axis];
        std::uint64_t pattern = 0;
        for (std::size_t k = 0; k < node.inputs().size(); ++k) {
            pattern |= std::uint64_t{node.inputs()[k].shape[axis] == extent} << k;
        }
        if (axes_.empty() || (extent > 1 && axes_.back().pattern != pattern)) {
            axes_.push_back({extent, pattern});
        } else {
            axes_.back().extent *= extent;
        }
    }
}

bool Broadcast::is_broadcast(std::size_t k) const { return walk(k, true).places() > 1; }

std::vector<std::int64_t> Broadcast::steps(std::size_t k) const {
    std::vector<std::int64_t> steps(axes_.size(), 0);
    std::int64_t step = 1;
    for (std::size_t i = axes_.size(); i-- > 0;) {
        if (keeps(axes_[i], k)) {
            steps[i] = step;
            step *= axes_[i].extent;
        }
    }
    return steps;
}

AxisWalk Broadcast::walk(std::size_t k, bool stretched) const {
    const std::vector<std::int64_t> steps = this->steps(kOutput);
    AxisWalk walk;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        if (keeps(axes_[i], k) != stretched) {
            walk.add_axis(axes_[i].extent, steps[i]);
        }
    }
    return walk;
}

std::optional<Broadcast::Columns> Broadcast::columns(std::size_t k) const {
    Columns columns;
    bool is_after_rows = false;
    for (const Axis& axis : axes_) {
        if (!keeps(axis, k)) {
            if (columns.width > 1) {
                return std::nullopt;
            }
            columns.rows *= axis.extent;
            is_after_rows = true;
        } else {
            (is_after_rows ? columns.width : columns.slices) *= axis.extent;
        }
    }
    return columns.rows > 1 && columns.width > 1 ? std::optional(columns) : std::nullopt;
}

}  // namespace sluice::cudnn

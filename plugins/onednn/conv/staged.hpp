// An activation brought from nhwc into the layout that oneDNN computes with.
#pragma once

#include <optional>

#include "operation.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

class Staged {
public:
    Staged(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout)
        : reorder_(from == to ? std::nullopt : std::optional(make_reorder(engine, from, to))),
          offset_(layout.take(reorder_ ? to.get_size() : 0)) {}

    // The same values in the other layout, in the workspace; data itself where it is in that layout already.
    const float* stage(const sluice_launch& launch, const float* data) {
        if (!reorder_) {
            return data;
        }
        reorder_->execute({{DNNL_ARG_FROM, data}, {DNNL_ARG_TO, at(launch, offset_)}});
        return at(launch, offset_);
    }

private:
    std::optional<Operation> reorder_;
    std::uint64_t offset_;
};

}  // namespace sluice::onednn

// The gradients of a convolution's weights and bias.
#pragma once

#include <optional>

#include "conv/geometry.hpp"
#include "operation.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

class ConvBackwardWeights {
public:
    ConvBackwardWeights(const dnnl::engine& engine, const ConvGeometry& geometry,
                        const dnnl::convolution_backward_weights::primitive_desc& desc);
    // Which layout of the activations is the faster one for weight gradients: nhwc, or any.
    static dnnl::memory::format_tag best_layout(const ConvGeometry& geometry);

    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    void run(const sluice_launch& launch);

private:
    // An activation brought into the layout that oneDNN computes with.
    struct Staged {
        Staged(const dnnl::engine& engine, const Md& from, const Md& to, Layout& layout);
        const float* stage(const sluice_launch& launch, const float* data);
        std::optional<Operation> reorder;  // none where it is in that layout already
        std::uint64_t offset;
    };
    void store(const sluice_launch& launch);

    ConvGeometry geometry_;
    Layout layout_;
    std::uint64_t mirrored_;
    Staged source_;
    Staged destination_;
    std::uint64_t weights_;
    std::uint64_t bias_;
    std::uint64_t scratchpad_;
    Operation convolution_;
    Operation write_;  // to the canonical layout
    Operation add_;    // the same, adding to what is there
};

}  // namespace sluice::onednn

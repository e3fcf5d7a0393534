// A copy of a convolution's weights in the layout and type that one direction computes with.
#pragma once

#include <optional>

#include "library/operation.hpp"
#include "library/packed_memory.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::onednn {

// The layouts of the weights and of their packed copy. trains: the weights are new in each launch.
struct WeightLayouts {
    Md canonical;
    Md packed;
    bool trains;
};

class PackedWeights {
public:
    PackedWeights(const dnnl::engine& engine, const WeightLayouts& layouts, Layout& workspace);

    [[nodiscard]] bool is_copy() const { return copy_.has_value(); }
    // weights: [O, kh, kw, I], a parameter of this launch. The result is valid until the launch returns.
    const void* get(const sluice_launch& launch, const float* weights);

private:
    std::optional<Operation> reorder_;  // none if oneDNN computes with the canonical layout
    std::optional<PackedMemory> copy_;
};

}  // namespace sluice::onednn

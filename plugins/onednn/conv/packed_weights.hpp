// A copy of a convolution's weights in the layout that one direction computes with, renewed when they change.
#pragma once

#include <memory>
#include <optional>

#include "operation.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::onednn {

class PackedWeights {
public:
    PackedWeights(const dnnl::engine& engine, const Md& canonical, const Md& packed);

    // weights: [O, kh, kw, I], this launch's. The result is valid until the next call.
    const float* get(const sluice_launch& launch, const float* weights);

private:
    struct Free {
        void operator()(float* block) const noexcept;
    };

    std::optional<Operation> reorder_;  // none where oneDNN computes with the canonical layout
    std::unique_ptr<float, Free> copy_;
    const float* source_ = nullptr;
    std::uint32_t version_ = 0;
};

}  // namespace sluice::onednn

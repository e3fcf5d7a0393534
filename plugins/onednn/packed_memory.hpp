// Where a packed copy of weights lies. In training the weights are new in each step, and a copy that outlives its
// launch would only take memory: it lies in the workspace, which all launches share. Else it is kept until the weights
// change.
#pragma once

#include <memory>

#include "workspace.hpp"

namespace sluice::onednn {

class PackedMemory {
public:
    struct Place {
        float* memory;
        bool stale;  // the copy is to be computed anew
    };

    PackedMemory(std::uint64_t bytes, bool trains, Layout& workspace);

    // For a copy of `weights`, this launch's; valid until the launch ends.
    Place place(const sluice_launch& launch, const float* weights);

private:
    struct Free {
        void operator()(float* block) const noexcept;
    };

    std::uint64_t offset_;  // in the workspace
    std::unique_ptr<float, Free> kept_;
    const float* source_ = nullptr;
    std::uint32_t version_ = 0;
};

}  // namespace sluice::onednn

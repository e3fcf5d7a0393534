// Memory for a packed copy of weights. In training the weights change in each step, so the copy lies in the workspace,
// which all launches share. Outside training the copy is kept until the weights change.
#pragma once

#include <memory>

#include "library/workspace.hpp"

namespace sluice::onednn {

class PackedMemory {
public:
    struct Place {
        float* memory;
        bool stale;  // the caller must compute the copy again
    };

    PackedMemory(std::uint64_t bytes, bool trains, Layout& workspace);

    // Returns memory for a copy of `weights`, a parameter of this launch; valid until the launch returns.
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

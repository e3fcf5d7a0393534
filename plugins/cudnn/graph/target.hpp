// The device that graphs are planned for: the GPU of a handle, or, in tests, a GPU that is only described.
#pragma once

#include <string>

#include "graph/descriptor.hpp"

namespace sluice::cudnn {

class Target {
public:
    Target() = default;
    virtual ~Target() = default;
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    // Call these before the descriptors are finalized.
    virtual void bind_graph(Descriptor& graph) const = 0;
    virtual void bind_heuristics(Descriptor& heuristics) const = 0;
    virtual void bind_engine(Descriptor& engine) const = 0;
    virtual void bind_plan(Descriptor& plan) const = 0;
    // "NVIDIA H200". Measured choices are valid only for GPUs of this name.
    [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace sluice::cudnn

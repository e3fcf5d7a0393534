// Base classes of kernels for one node: one knows how input gradients are written, the other has no backward.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/numbers.cuh"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {

class NodeKernel : public sdk::Kernel {
public:
    explicit NodeKernel(const sdk::Node& node) : added_(node.get().accumulated_gradients) {}

protected:
    // True if the gradient of that input accumulates.
    [[nodiscard]] bool adds_gradient(std::size_t input) const { return (added_ >> input & 1) != 0; }

private:
    std::uint64_t added_;
};

// A kernel of a layer that no gradient flows through.
class ForwardKernel : public sdk::Kernel {
public:
    void backward(const sluice_launch&) final {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "this layer has no gradient: its backward should not be called");
    }
};

// Makes K<float>, K<Half> or K<Bfloat>, by the type of input 0.
template <template <class> class K, class... Arguments>
KernelPtr make_typed(const sdk::Node& node, const Arguments&... arguments) {
    return with_float_type(node.inputs()[0].dtype, [&](auto zero) -> KernelPtr {
        return std::make_unique<K<decltype(zero)>>(node, arguments...);
    });
}

}  // namespace sluice::cudnn

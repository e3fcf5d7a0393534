// What kernels of one node share: how its input gradients are written, and that layers without gradients have none.
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
    // Whether the gradient of that input is added to what is there.
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

// K<float>, K<Half> or K<Bfloat>, as input 0 is.
template <template <class> class K, class... Arguments>
KernelPtr make_typed(const sdk::Node& node, const Arguments&... arguments) {
    return with_float_type(node.inputs()[0].dtype, [&](auto zero) -> KernelPtr {
        return std::make_unique<K<decltype(zero)>>(node, arguments...);
    });
}

}  // namespace sluice::cudnn

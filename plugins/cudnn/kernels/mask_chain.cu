// relu, dropout, add of two tensors, and chains of them, with or without a scale before them. Forward and backward are
// one pass each. Backward reads no activation: it reads bits, or draws them again.
#include "kernels/chain.hpp"

#include "cuda/launch.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

template <class T>
struct Forward {
    const T* x;
    const T* outside;  // the tensor that is added, if any
    T* y;
    std::uint8_t* bits;  // NULL: not needed
    float scale;         // of x
    std::int64_t n;
};

template <class T>
__device__ void widen_group(const T* from, std::uint32_t group, std::int64_t n, float (&values)[kGroup]) {
    const Pack<T, kGroup> pack = load_group(from, group, n);
    for (int k = 0; k < kGroup; ++k) {
        values[k] = to_float(pack.values[k]);
    }
}

template <class T>
__global__ void forward_kernel(Forward<T> tensors, ChainMasks masks) {
    const auto groups = static_cast<std::uint32_t>((tensors.n + kGroup - 1) / kGroup);
    const sluice_random_key key = random_key_of(masks);
    for (auto g = static_cast<std::uint32_t>(first_index()); g < groups; g += index_stride()) {
        float values[kGroup];
        float outside[kGroup] = {};
        widen_group(tensors.x, g, tensors.n, values);
        for (float& value : values) {
            value *= tensors.scale;
        }
        if (masks.join != Join::none) {
            widen_group(tensors.outside, g, tensors.n, outside);
        }
        const unsigned bits = apply_masks(masks, key, g, values, outside);
        Pack<T, kGroup> result;
        for (int k = 0; k < kGroup; ++k) {
            result.values[k] = from_float<T>(values[k]);
        }
        store_group(tensors.y, g, tensors.n, result);
        if (tensors.bits != nullptr) {
            tensors.bits[g] = static_cast<std::uint8_t>(bits);
        }
    }
}

template <class T>
struct Backward {
    const T* gradient;
    const std::uint8_t* bits;  // NULL: drawn again
    T* outside;                // the gradient of the tensor from outside; NULL: not needed
    T* first;                  // the gradient of the chain's first value; NULL: not needed
    bool adds_outside;
    bool adds_first;
    float scale;  // of the chain's first value
    std::int64_t n;
};

template <class T>
__device__ void put_group(T* to, bool add, std::uint32_t group, std::int64_t n, const float (&values)[kGroup]) {
    Pack<T, kGroup> result;
    if (add) {
        result = load_group(to, group, n);
    }
    for (int k = 0; k < kGroup; ++k) {
        result.values[k] = from_float<T>(add ? to_float(result.values[k]) + values[k] : values[k]);
    }
    store_group(to, group, n, result);
}

template <class T>
__global__ void backward_kernel(Backward<T> tensors, ChainMasks masks) {
    const auto groups = static_cast<std::uint32_t>((tensors.n + kGroup - 1) / kGroup);
    const sluice_random_key key = random_key_of(masks);
    for (auto g = static_cast<std::uint32_t>(first_index()); g < groups; g += index_stride()) {
        const unsigned bits = tensors.bits != nullptr ? tensors.bits[g] : kept_bits(masks, key, g);
        float at_add[kGroup];  // the gradient at the add
        float before[kGroup];
        widen_group(tensors.gradient, g, tensors.n, at_add);
        for (int k = 0; k < kGroup; ++k) {
            const float gradient = mask_gradient(at_add[k], bits, masks.factor, k);
            at_add[k] = masks.join == Join::before_masks ? gradient : at_add[k];
            before[k] = gradient * tensors.scale;
        }
        if (tensors.outside != nullptr) {
            put_group(tensors.outside, tensors.adds_outside, g, tensors.n, at_add);
        }
        if (tensors.first != nullptr) {
            put_group(tensors.first, tensors.adds_first, g, tensors.n, before);
        }
    }
}

template <class T>
class MaskChain : public sdk::Kernel {
public:
    MaskChain(const sdk::Node& node, const PlanContext& context)
        : n_(sdk::element_count(node.outputs()[0])), layers_(*read_masks(context.chain, 0)) {
        if (layers_.has_bits()) {
            context.sink.saved(bit_bytes(n_));
        }
        layers_.share_memory(context.sink);
        context.sink.note(note_of(context.chain));
    }

    void forward(const sluice_launch& launch) override {
        const Forward<T> tensors{.x = sdk::input<T>(launch, layers_.first),
                                 .outside = layers_.joins() ? sdk::input<T>(launch, layers_.outside) : nullptr,
                                 .y = sdk::output<T>(launch, 0),
                                 .bits = bits(launch),
                                 .scale = layers_.scale,
                                 .n = n_};
        cudnn::launch(launch.stream, blocks_for(groups_), kThreads, forward_kernel<T>, tensors, layers_.masks(launch));
    }

    void backward(const sluice_launch& launch) override {
        const Backward<T> tensors{
            .gradient = sdk::output_gradient<T>(launch, 0),
            .bits = bits(launch),
            .outside = layers_.joins() ? sdk::input_gradient<T>(launch, layers_.outside) : nullptr,
            .first = sdk::input_gradient<T>(launch, layers_.first),
            .adds_outside = layers_.adds_outside,
            .adds_first = layers_.adds_first,
            .scale = layers_.scale,
            .n = n_};
        cudnn::launch(launch.stream, blocks_for(groups_), kThreads, backward_kernel<T>, tensors, layers_.masks(launch));
    }

private:
    [[nodiscard]] std::uint8_t* bits(const sluice_launch& launch) const {
        return layers_.has_bits() ? sdk::saved<std::uint8_t>(launch, 0) : nullptr;
    }

    std::int64_t n_;
    std::int64_t groups_ = static_cast<std::int64_t>(bit_bytes(n_));
    MaskLayers layers_;
};

}  // namespace

KernelPtr make_mask_chain(const PlanContext& context) { return make_typed<MaskChain>(context.node(), context); }

}  // namespace sluice::cudnn

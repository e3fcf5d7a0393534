// Factories of all kernels, one for each layer type. plan() calls them only with chains that refuses() accepts.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "library/onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct PlanContext {
    const dnnl::engine& engine;
    const sdk::Chain& chain;
    const sdk::KernelSink& sink;
    bool winograd;  // Winograd's method is allowed

    [[nodiscard]] std::int64_t threads() const { return sink.threads() == nullptr ? 1 : sink.threads()->count; }
};

using KernelPtr = std::unique_ptr<sdk::Kernel>;

KernelPtr make_add(const PlanContext& context);
KernelPtr make_average_pool(const PlanContext& context);
KernelPtr make_batch_norm(const PlanContext& context);  // with the layers after it in a chain, see kernels/chain.hpp
KernelPtr make_binary_cross_entropy(const PlanContext& context);
KernelPtr make_cast(const PlanContext& context);
KernelPtr make_channel_factors(const PlanContext& context);  // layer_scale and prelu
KernelPtr make_charbonnier(const PlanContext& context);
KernelPtr make_concat(const PlanContext& context);
KernelPtr make_conv2d(const PlanContext& context);
KernelPtr make_conv2d_transpose(const PlanContext& context);
KernelPtr make_mask_chain(const PlanContext& context);  // relu, dropout, and chains of both and an add
KernelPtr make_dense(const PlanContext& context);
KernelPtr make_dice(const PlanContext& context);
KernelPtr make_gate(const PlanContext& context);
KernelPtr make_gelu(const PlanContext& context);
KernelPtr make_global_average_pool(const PlanContext& context);
KernelPtr make_global_max_pool(const PlanContext& context);
KernelPtr make_group_norm(const PlanContext& context);
KernelPtr make_instance_norm(const PlanContext& context);
KernelPtr make_layer_norm(const PlanContext& context);
KernelPtr make_leaky_relu(const PlanContext& context);
KernelPtr make_max_pool(const PlanContext& context);
KernelPtr make_mean_absolute_error(const PlanContext& context);
KernelPtr make_mean_squared_error(const PlanContext& context);
KernelPtr make_multiply(const PlanContext& context);
KernelPtr make_pixel_shuffle(const PlanContext& context);
KernelPtr make_relu6(const PlanContext& context);
KernelPtr make_scale(const PlanContext& context);
KernelPtr make_sigmoid(const PlanContext& context);
KernelPtr make_silu(const PlanContext& context);
KernelPtr make_softmax(const PlanContext& context);
KernelPtr make_softmax_cross_entropy(const PlanContext& context);
KernelPtr make_stochastic_depth(const PlanContext& context);
KernelPtr make_tanh(const PlanContext& context);
KernelPtr make_upsample(const PlanContext& context);
KernelPtr make_upsample_bilinear(const PlanContext& context);  // for make_upsample

// Chains of a convolution with other layers. is_*: the chain has this form. refuses_*: why the kernel cannot compute
// the chain; nullopt if it can.
bool is_upsampled_conv2d(const sdk::Chain& chain);  // upsample, conv2d
std::optional<std::string> refuses_upsampled_conv2d(const sdk::Chain& chain, bool winograd);
KernelPtr make_upsampled_conv2d(const PlanContext& context);
bool is_folded_conv2d(const sdk::Chain& chain);  // [upsample] conv2d, batch_norm [relu]
std::optional<std::string> refuses_folded_conv2d(const sdk::Chain& chain, bool winograd);
KernelPtr make_folded_conv2d(const PlanContext& context);

// Returns why the kernel cannot compute a node of its type; nullopt if it can.
std::optional<std::string> refuses_binary_cross_entropy(const sdk::Node& node);
std::optional<std::string> refuses_dice(const sdk::Node& node);
std::optional<std::string> refuses_softmax_cross_entropy(const sdk::Node& node);

}  // namespace sluice::onednn

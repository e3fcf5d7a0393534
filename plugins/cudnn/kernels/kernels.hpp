// Functions that make the kernels, one per layer type. plan() calls them with a chain that refuses() has accepted.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "conv/plan_context.hpp"

namespace sluice::cudnn {

using KernelPtr = std::unique_ptr<sdk::Kernel>;

KernelPtr make_accuracy(const PlanContext& context);
KernelPtr make_add(const PlanContext& context);
KernelPtr make_average_pool(const PlanContext& context);
KernelPtr make_batch_norm(const PlanContext& context);
KernelPtr make_binary_cross_entropy(const PlanContext& context);
KernelPtr make_cast(const PlanContext& context);
KernelPtr make_charbonnier(const PlanContext& context);
KernelPtr make_concat(const PlanContext& context);
KernelPtr make_conv2d(const PlanContext& context);
KernelPtr make_conv2d_transpose(const PlanContext& context);
KernelPtr make_conv_chain(const PlanContext& context);
KernelPtr make_mask_chain(const PlanContext& context);
KernelPtr make_dense(const PlanContext& context);
KernelPtr make_dice(const PlanContext& context);
KernelPtr make_flatten(const PlanContext& context);
KernelPtr make_gate(const PlanContext& context);
KernelPtr make_gelu(const PlanContext& context);
KernelPtr make_global_average_pool(const PlanContext& context);
KernelPtr make_global_max_pool(const PlanContext& context);
KernelPtr make_group_norm(const PlanContext& context);
KernelPtr make_image_to_tensor(const PlanContext& context);
KernelPtr make_instance_norm(const PlanContext& context);
KernelPtr make_layer_norm(const PlanContext& context);
KernelPtr make_layer_scale(const PlanContext& context);
KernelPtr make_leaky_relu(const PlanContext& context);
KernelPtr make_max_pool(const PlanContext& context);
KernelPtr make_mean_absolute_error(const PlanContext& context);
KernelPtr make_mean_iou(const PlanContext& context);
KernelPtr make_mean_squared_error(const PlanContext& context);
KernelPtr make_multiply(const PlanContext& context);
KernelPtr make_pixel_shuffle(const PlanContext& context);
KernelPtr make_prelu(const PlanContext& context);
KernelPtr make_psnr(const PlanContext& context);
KernelPtr make_relu6(const PlanContext& context);
KernelPtr make_scale(const PlanContext& context);
KernelPtr make_sigmoid(const PlanContext& context);
KernelPtr make_silu(const PlanContext& context);
KernelPtr make_softmax(const PlanContext& context);
KernelPtr make_softmax_cross_entropy(const PlanContext& context);
KernelPtr make_ssim(const PlanContext& context);
KernelPtr make_stochastic_depth(const PlanContext& context);
KernelPtr make_tanh(const PlanContext& context);
KernelPtr make_tensor_to_image(const PlanContext& context);
KernelPtr make_top_k(const PlanContext& context);
KernelPtr make_upsample(const PlanContext& context);
KernelPtr make_upsampled_conv2d(const PlanContext& context);

// Returns why make_image_to_tensor() cannot compute the node; nullopt if it can.
std::optional<std::string> refuses_image(const sdk::Node& node, std::int64_t most_elements);

}  // namespace sluice::cudnn

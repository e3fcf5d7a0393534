// One factory per layer type: each plans a chain of one node that the provider has checked (see provider.cpp).
#pragma once

#include <memory>

#include "sluice/sdk/kernel.hpp"

namespace sluice::reference {

using KernelPtr = std::unique_ptr<sdk::Kernel>;

KernelPtr make_accuracy(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_add(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_average_pool(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_batch_norm(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_binary_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_cast(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_charbonnier(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_concat(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_conv2d(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_conv2d_transpose(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_dense(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_dice(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_dropout(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_flatten(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_gate(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_gelu(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_global_average_pool(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_global_max_pool(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_group_norm(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_image_to_tensor(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_instance_norm(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_layer_norm(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_layer_scale(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_leaky_relu(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_max_pool(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_mean_absolute_error(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_mean_iou(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_mean_squared_error(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_multiply(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_pixel_shuffle(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_prelu(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_psnr(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_relu(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_relu6(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_scale(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_sigmoid(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_silu(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_softmax(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_softmax_cross_entropy(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_ssim(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_stochastic_depth(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_tanh(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_tensor_to_image(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_top_k(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_upsample(const sdk::Node& node, const sdk::KernelSink& sink);
KernelPtr make_upsample_bilinear(const sdk::Node& node);

}  // namespace sluice::reference

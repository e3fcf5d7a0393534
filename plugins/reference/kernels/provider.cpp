#include "kernels/provider.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "sluice/sdk/labels.hpp"
#include "sluice/sdk/rounded.hpp"

namespace sluice::reference {
namespace {

// The element types that a kernel takes; "float" is float32 or float64.
enum class Types {
    alike,   // one float type for all inputs and outputs
    sums,    // one float type for all inputs; outputs are float32
    labels,  // as sums, but inputs after the first may hold class numbers
    images,  // inputs uint8 or float, outputs float
    casts    // any float
};

struct Entry {
    std::string_view type;
    Types types;
    KernelPtr (*make)(const sdk::Node& node, const sdk::KernelSink& sink);
};

constexpr Entry kEntries[] = {
    {"accuracy", Types::labels, make_accuracy},
    {"add", Types::alike, make_add},
    {"average_pool", Types::alike, make_average_pool},
    {"batch_norm", Types::alike, make_batch_norm},
    {"binary_cross_entropy", Types::labels, make_binary_cross_entropy},
    {"cast", Types::casts, make_cast},
    {"charbonnier", Types::sums, make_charbonnier},
    {"concat", Types::alike, make_concat},
    {"conv2d", Types::alike, make_conv2d},
    {"conv2d_transpose", Types::alike, make_conv2d_transpose},
    {"dense", Types::alike, make_dense},
    {"dice", Types::labels, make_dice},
    {"dropout", Types::alike, make_dropout},
    {"flatten", Types::alike, make_flatten},
    {"gate", Types::alike, make_gate},
    {"gelu", Types::alike, make_gelu},
    {"global_average_pool", Types::alike, make_global_average_pool},
    {"global_max_pool", Types::alike, make_global_max_pool},
    {"group_norm", Types::alike, make_group_norm},
    {"image_to_tensor", Types::images, make_image_to_tensor},
    {"instance_norm", Types::alike, make_instance_norm},
    {"layer_norm", Types::alike, make_layer_norm},
    {"layer_scale", Types::alike, make_layer_scale},
    {"leaky_relu", Types::alike, make_leaky_relu},
    {"max_pool", Types::alike, make_max_pool},
    {"mean_absolute_error", Types::sums, make_mean_absolute_error},
    {"mean_iou", Types::labels, make_mean_iou},
    {"mean_squared_error", Types::sums, make_mean_squared_error},
    {"multiply", Types::alike, make_multiply},
    {"pixel_shuffle", Types::alike, make_pixel_shuffle},
    {"prelu", Types::alike, make_prelu},
    {"psnr", Types::sums, make_psnr},
    {"relu", Types::alike, make_relu},
    {"relu6", Types::alike, make_relu6},
    {"scale", Types::alike, make_scale},
    {"sigmoid", Types::alike, make_sigmoid},
    {"silu", Types::alike, make_silu},
    {"softmax", Types::alike, make_softmax},
    {"softmax_cross_entropy", Types::labels, make_softmax_cross_entropy},
    {"ssim", Types::sums, make_ssim},
    {"stochastic_depth", Types::alike, make_stochastic_depth},
    {"tanh", Types::alike, make_tanh},
    {"tensor_to_image", Types::images, make_tensor_to_image},
    {"top_k", Types::labels, make_top_k},
    {"upsample", Types::alike, make_upsample},
};

const Entry* find_entry(std::string_view type) {
    const auto* const found =
        std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return entry.type == type; });
    return found == std::end(kEntries) ? nullptr : found;
}

bool is_float(sluice_dtype dtype) { return sdk::same(dtype, sdk::kFloat32) || sdk::same(dtype, sdk::kFloat64); }

bool takes_input(Types types, sluice_dtype dtype, sluice_dtype first) {
    if (types == Types::images) {
        return is_float(dtype) || sdk::same(dtype, sdk::kUint8);
    }
    return (is_float(dtype) && sdk::same(dtype, first)) || (types == Types::labels && sdk::is_label_type(dtype));
}

bool gives_output(Types types, sluice_dtype dtype, sluice_dtype first) {
    switch (types) {
        case Types::alike:
            return sdk::same(dtype, first);
        case Types::sums:
        case Types::labels:
            return sdk::same(dtype, sdk::kFloat32);
        case Types::images:
        case Types::casts:
            return is_float(dtype);
    }
    return false;
}

std::optional<std::string> refuses_types(const sdk::Node& node, Types types) {
    if (!is_float(node.compute())) {
        return "arithmetic in " + sdk::name_of(node.compute()) + "; reference kernels compute in float32 or float64";
    }
    const sluice_dtype first = node.inputs()[0].dtype;
    for (const sluice_tensor_spec& spec : node.inputs()) {
        if (!takes_input(types, spec.dtype, first)) {
            return "an input of type " + sdk::name_of(spec.dtype) + "; reference kernels take " +
                   (types == Types::images ? "uint8, float32 or float64" : "float32 or float64, the same for all");
        }
    }
    for (const sluice_tensor_spec& spec : node.outputs()) {
        if (!gives_output(types, spec.dtype, first)) {
            return "an output of type " + sdk::name_of(spec.dtype) + " from " + sdk::name_of(first) +
                   "; reference kernels do not compute that";
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> ReferenceProvider::refuses(const sdk::Chain& chain) const {
    if (const auto rounded = sdk::RoundedChain::of(chain)) {
        return refuses(rounded->wide());
    }
    if (chain.size() != 1) {
        return "a chain of " + std::to_string(chain.size()) + " layers; reference kernels compute one at a time";
    }
    const sdk::Node node = chain[0];
    const Entry* const entry = find_entry(node.type());
    if (entry == nullptr) {
        return "there is no reference kernel for layer type '" + std::string(node.type()) + "'";
    }
    return refuses_types(node, entry->types);
}

std::unique_ptr<sdk::Kernel> ReferenceProvider::plan(const sdk::Chain& chain, const sdk::KernelSink& sink) {
    if (const auto reason = refuses(chain)) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, *reason);
    }
    if (const auto rounded = sdk::RoundedChain::of(chain)) {
        return std::make_unique<sdk::RoundedKernel>(
            *rounded, sink, [&](const sdk::Chain& wide, const sdk::KernelSink& needs) { return plan(wide, needs); });
    }
    sink.note("direct loops, sums in float64");
    return find_entry(chain[0].type())->make(chain[0], sink);
}

}  // namespace sluice::reference

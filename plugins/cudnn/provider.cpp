#include "provider.hpp"

#include <algorithm>
#include <iterator>

#include "conv/fold.hpp"
#include "conv/geometry.hpp"
#include "conv/phases.hpp"
#include "kernels/chain.hpp"
#include "kernels/kernels.hpp"
#include "sluice/sdk/labels.hpp"

namespace sluice::cudnn {
namespace {

// The element types that a kernel accepts; "float" is float32, bfloat16 or float16.
enum class Types {
    alike,   // one float type for all inputs and outputs
    sums,    // float32, in which losses and metrics stay under every policy
    labels,  // as sums, but inputs after the first may hold class numbers
    images,  // inputs uint8 or float, outputs float
    casts    // any float
};

using Maker = KernelPtr (*)(const PlanContext&);

struct Entry {
    std::string_view type;
    Types types;
    Maker make;
    std::optional<std::string> (*refuses)(const sdk::Node&, std::int64_t most_elements) = nullptr;
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
    {"conv2d", Types::alike, make_conv2d, refuses_margins},
    {"conv2d_transpose", Types::alike, make_conv2d_transpose},
    {"dense", Types::alike, make_dense},
    {"dice", Types::labels, make_dice},
    {"dropout", Types::alike, make_mask_chain},
    {"flatten", Types::alike, make_flatten},
    {"gate", Types::alike, make_gate},
    {"gelu", Types::alike, make_gelu},
    {"global_average_pool", Types::alike, make_global_average_pool},
    {"global_max_pool", Types::alike, make_global_max_pool},
    {"group_norm", Types::alike, make_group_norm},
    {"image_to_tensor", Types::images, make_image_to_tensor, refuses_image},
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
    {"relu", Types::alike, make_mask_chain},
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

// Chains of several layers.
struct ChainEntry {
    bool (*is)(const sdk::Chain&);
    Maker make;
};

constexpr ChainEntry kChains[] = {
    {is_mask_chain, make_mask_chain},
    {is_norm_chain, make_batch_norm},
    {is_conv_chain, make_conv_chain},
    {is_cast_image, make_image_to_tensor},
    {is_upsampled_conv2d, make_upsampled_conv2d},
    // Matches only outside training.
    {is_folded_conv2d, make_conv2d},
};

const ChainEntry* find_chain(const sdk::Chain& chain) {
    const auto* const found =
        std::find_if(std::begin(kChains), std::end(kChains), [&](const ChainEntry& entry) { return entry.is(chain); });
    return found == std::end(kChains) ? nullptr : found;
}

const Entry* find_entry(std::string_view type) {
    const auto* const found =
        std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return entry.type == type; });
    return found == std::end(kEntries) ? nullptr : found;
}

// Returns NULL if there is none.
Maker find_maker(const sdk::Chain& chain) {
    if (chain.size() > 1) {
        const ChainEntry* const found = find_chain(chain);
        return found != nullptr ? found->make : nullptr;
    }
    const Entry* const found = find_entry(chain[0].type());
    return found != nullptr ? found->make : nullptr;
}

bool is_float(sluice_dtype dtype) { return sdk::same(dtype, sdk::kFloat32) || sdk::is_16_bit_float(dtype); }

bool takes_input(Types types, sluice_dtype dtype, sluice_dtype first) {
    if (types == Types::images) {
        return is_float(dtype) || sdk::same(dtype, sdk::kUint8);
    }
    if (types == Types::sums || types == Types::labels) {
        return sdk::same(dtype, sdk::kFloat32) || (types == Types::labels && sdk::is_label_type(dtype));
    }
    return is_float(dtype) && sdk::same(dtype, first);
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

std::optional<std::string> refuses_spec(const sluice_tensor_spec& spec, std::int64_t most_elements) {
    if (std::any_of(spec.shape, spec.shape + spec.rank, [](std::int64_t n) { return n < 1; })) {
        return "needs every extent to be known and at least 1; one tensor is " + sdk::describe(spec);
    }
    if (sdk::element_count(spec) > most_elements) {
        return sdk::describe(spec) + " is too large: a tensor has at most " + std::to_string(most_elements) +
               " elements";
    }
    return std::nullopt;
}

std::optional<std::string> refuses_types(const sdk::Node& node, Types types, std::int64_t most_elements) {
    if (!is_float(node.compute()) || !sdk::same(node.accumulate(), sdk::kFloat32)) {
        return "computes in float32, bfloat16 and float16, summed in float32; the plan asks for " +
               sdk::name_of(node.compute()) + " summed in " + sdk::name_of(node.accumulate());
    }
    const sluice_dtype first = node.inputs()[0].dtype;
    for (const sluice_tensor_spec& spec : node.inputs()) {
        if (!takes_input(types, spec.dtype, first)) {
            return "does not accept an input of " + sdk::describe(spec);
        }
        if (auto reason = refuses_spec(spec, most_elements)) {
            return reason;
        }
    }
    for (const sluice_tensor_spec& spec : node.outputs()) {
        if (!gives_output(types, spec.dtype, first)) {
            return "cannot give an output of " + sdk::describe(spec) + " from an input of " + sdk::name_of(first);
        }
        if (auto reason = refuses_spec(spec, most_elements)) {
            return reason;
        }
    }
    return std::nullopt;
}

std::optional<std::string> refuses_node(const sdk::Node& node, std::int64_t most_elements) {
    const Entry* const entry = find_entry(node.type());
    if (entry == nullptr) {
        return "no kernel for layers of type '" + std::string(node.type()) + "'";
    }
    if (auto reason = refuses_types(node, entry->types, most_elements)) {
        return reason;
    }
    return entry->refuses != nullptr ? entry->refuses(node, most_elements) : std::nullopt;
}

FewFilters few_filters_of(const std::string& name) {
    return name == "blocks" ? FewFilters::blocks : name == "pixels" ? FewFilters::pixels : FewFilters::measured;
}

UpsampledForm upsampled_form_of(const std::string& name) {
    return name == "phases"     ? UpsampledForm::phases
           : name == "enlarged" ? UpsampledForm::enlarged
                                : UpsampledForm::measured;
}

}  // namespace

Provider::Provider(const sdk::Host& host, const sdk::Options& options, sluice_device_ref device)
    : planner_({.gpu = device.index,
                .tf32 = options.boolean("tf32"),
                .workspace = static_cast<std::uint64_t>(options.integer("workspace")) << 20,
                .few_filters = few_filters_of(options.string("few_filters")),
                .upsampled = upsampled_form_of(options.string("upsampled")),
                .log_line = [host](const std::string& line) { host.info(line); }}),
      most_elements_(options.integer("most_elements")) {}

std::optional<std::string> Provider::refuses(const sdk::Chain& chain) const {
    if (chain.size() > 1 && find_chain(chain) == nullptr) {
        return "no kernel for this chain of " + std::to_string(chain.size()) + " layers";
    }
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (auto reason = refuses_node(chain[i], most_elements_)) {
            return reason;
        }
    }
    return std::nullopt;
}

std::unique_ptr<sdk::Kernel> Provider::plan(const sdk::Chain& chain, const sdk::KernelSink& sink) {
    const auto reason = refuses(chain);
    const Maker make = find_maker(chain);
    if (reason || make == nullptr) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, reason.value_or("no kernel for this chain"));
    }
    return make({chain, sink, planner_});
}

}  // namespace sluice::cudnn

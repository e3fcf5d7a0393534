#include "provider.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "kernels/chain.hpp"
#include "kernels/element_types.hpp"
#include "kernels/kernels.hpp"
#include "library/instruction_set.hpp"
#include "sluice/sdk/labels.hpp"
#include "sluice/sdk/rounded.hpp"

namespace sluice::onednn {
namespace {

// True if a kernel computes the chain with its 16-bit tensors as they are stored. Other chains are widened to float32
// (sdk::RoundedChain).
using AsStored = bool (*)(const sdk::Chain&);

bool nearest_in_bfloat16(const sdk::Chain& chain) {
    return chain[0].options().string("mode") == "nearest" && all_bfloat16(chain);
}

struct Entry {
    std::string_view type;
    KernelPtr (*make)(const PlanContext&);
    AsStored as_stored = nullptr;  // for chains that begin with this type; null: never
    bool images = false;           // takes [N, H, W, C] only
    bool labels = false;           // inputs after the first may hold class numbers
    std::optional<std::string> (*refuses)(const sdk::Node&) = nullptr;
};

constexpr Entry kEntries[] = {
    {.type = "add", .make = make_add, .as_stored = all_bfloat16},
    {.type = "average_pool", .make = make_average_pool, .as_stored = all_bfloat16, .images = true},
    {.type = "batch_norm", .make = make_batch_norm, .as_stored = all_bfloat16},
    {.type = "binary_cross_entropy",
     .make = make_binary_cross_entropy,
     .labels = true,
     .refuses = refuses_binary_cross_entropy},
    {.type = "cast", .make = make_cast, .as_stored = any_float},
    {.type = "charbonnier", .make = make_charbonnier},
    {.type = "concat", .make = make_concat, .as_stored = all_bfloat16},
    {.type = "conv2d", .make = make_conv2d, .as_stored = bfloat16_convolution, .images = true},
    {.type = "conv2d_transpose", .make = make_conv2d_transpose, .as_stored = bfloat16_convolution, .images = true},
    {.type = "dense", .make = make_dense},
    {.type = "dice", .make = make_dice, .labels = true, .refuses = refuses_dice},
    {.type = "dropout", .make = make_mask_chain, .as_stored = all_bfloat16},
    {.type = "gate", .make = make_gate, .as_stored = all_bfloat16},
    {.type = "gelu", .make = make_gelu, .as_stored = all_bfloat16},
    {.type = "global_average_pool", .make = make_global_average_pool, .as_stored = all_bfloat16, .images = true},
    {.type = "global_max_pool", .make = make_global_max_pool, .as_stored = all_bfloat16, .images = true},
    {.type = "group_norm", .make = make_group_norm, .as_stored = all_bfloat16},
    {.type = "instance_norm", .make = make_instance_norm, .as_stored = all_bfloat16},
    {.type = "layer_norm", .make = make_layer_norm, .as_stored = all_bfloat16},
    {.type = "layer_scale", .make = make_channel_factors, .as_stored = all_bfloat16},
    {.type = "leaky_relu", .make = make_leaky_relu, .as_stored = all_bfloat16},
    {.type = "max_pool", .make = make_max_pool, .as_stored = all_bfloat16, .images = true},
    {.type = "mean_absolute_error", .make = make_mean_absolute_error},
    {.type = "mean_squared_error", .make = make_mean_squared_error},
    {.type = "multiply", .make = make_multiply, .as_stored = all_bfloat16},
    {.type = "pixel_shuffle", .make = make_pixel_shuffle, .as_stored = all_bfloat16, .images = true},
    {.type = "prelu", .make = make_channel_factors, .as_stored = all_bfloat16},
    {.type = "relu", .make = make_mask_chain, .as_stored = all_bfloat16},
    {.type = "relu6", .make = make_relu6, .as_stored = all_bfloat16},
    {.type = "scale", .make = make_scale, .as_stored = all_bfloat16},
    {.type = "sigmoid", .make = make_sigmoid, .as_stored = all_bfloat16},
    {.type = "silu", .make = make_silu, .as_stored = all_bfloat16},
    {.type = "softmax", .make = make_softmax},
    {.type = "softmax_cross_entropy",
     .make = make_softmax_cross_entropy,
     .labels = true,
     .refuses = refuses_softmax_cross_entropy},
    {.type = "stochastic_depth", .make = make_stochastic_depth, .as_stored = all_bfloat16},
    {.type = "tanh", .make = make_tanh},
    {.type = "upsample", .make = make_upsample, .as_stored = nearest_in_bfloat16, .images = true},
};

// Chains of a convolution and other layers.
struct ChainEntry {
    bool (*is)(const sdk::Chain&);
    std::optional<std::string> (*refuses)(const sdk::Chain&, bool winograd);
    KernelPtr (*make)(const PlanContext&);
    AsStored as_stored = nullptr;
};

constexpr ChainEntry kChains[] = {
    {is_upsampled_conv2d, refuses_upsampled_conv2d, make_upsampled_conv2d, bfloat16_convolution},
    {is_folded_conv2d, refuses_folded_conv2d, make_folded_conv2d, bfloat16_convolution},
};

const ChainEntry* find_chain(const sdk::Chain& chain) {
    const auto* found =
        std::find_if(std::begin(kChains), std::end(kChains), [&](const ChainEntry& entry) { return entry.is(chain); });
    return found == std::end(kChains) ? nullptr : found;
}

const Entry* find_entry(std::string_view type) {
    const auto* found =
        std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return entry.type == type; });
    return found == std::end(kEntries) ? nullptr : found;
}

bool is_as_stored(const sdk::Chain& chain) {
    const ChainEntry* const convolution = find_chain(chain);
    const Entry* const entry = find_entry(chain[0].type());
    const AsStored as_stored = convolution != nullptr ? convolution->as_stored
                               : entry != nullptr     ? entry->as_stored
                                                      : nullptr;
    return as_stored != nullptr && as_stored(chain);
}

// Returns null if the chain is computed as stored: because all of it is float32, or because its entry supports it.
std::unique_ptr<sdk::RoundedChain> rounded(const sdk::Chain& chain) {
    return is_as_stored(chain) ? nullptr : sdk::RoundedChain::of(chain);
}

bool is_float(sluice_dtype dtype) { return sdk::same(dtype, sdk::kFloat32) || sdk::is_16_bit_float(dtype); }

std::optional<std::string> refuses_specs(std::span<const sluice_tensor_spec> specs, const char* what) {
    for (const sluice_tensor_spec& spec : specs) {
        if (!is_float(spec.dtype)) {
            return std::string("computes in float32; an ") + what + " is " + sdk::describe(spec);
        }
        if (spec.rank < 1 || std::any_of(spec.shape, spec.shape + spec.rank, [](std::int64_t n) { return n < 1; })) {
            return std::string("needs every extent to be known and at least 1; an ") + what + " is " +
                   sdk::describe(spec);
        }
    }
    return std::nullopt;
}

// Returns the inputs that must be floats, which excludes class numbers.
std::span<const sluice_tensor_spec> float_inputs(const Entry& entry, std::span<const sluice_tensor_spec> inputs) {
    const bool has_labels = entry.labels && inputs.size() > 1 && sdk::is_label_type(inputs[1].dtype);
    return has_labels ? inputs.first(1) : inputs;
}

std::optional<std::string> refuses_node(const sdk::Node& node) {
    const Entry* entry = find_entry(node.type());
    if (entry == nullptr) {
        return "no kernel for layers of type '" + std::string(node.type()) + "'";
    }
    if (!is_float(node.compute()) || !sdk::same(node.accumulate(), sdk::kFloat32)) {
        return "computes in float32; the plan asks for " + sdk::name_of(node.compute()) + " summed in " +
               sdk::name_of(node.accumulate());
    }
    if (auto reason = refuses_specs(float_inputs(*entry, node.inputs()), "input")) {
        return reason;
    }
    if (auto reason = refuses_specs(node.outputs(), "output")) {
        return reason;
    }
    if (entry->images && node.inputs()[0].rank != 4) {
        return "computes " + std::string(node.type()) + " of [N, H, W, C]; the input is " +
               sdk::describe(node.inputs()[0]);
    }
    return entry->refuses != nullptr ? entry->refuses(node) : std::nullopt;
}

// oneDNN does not check whether it gets memory for the code that it generates, and crashes without it. This throws
// SLUICE_NO_MEMORY first.
void require_code_memory(const sdk::Chain& chain) {
    constexpr std::size_t kRoom = std::size_t{64} << 20;
    void* const room =
        ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        throw sdk::Failure(SLUICE_NO_MEMORY, std::string(chain[0].path()) +
                                                 ": no memory: oneDNN needs 64 MiB for the code that it generates");
    }
    ::munmap(room, kRoom);
}

}  // namespace

std::vector<sdk::Library> Provider::libraries() {
    const dnnl_version_t& version = *dnnl_version();
    return {{"oneDNN", std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                           std::to_string(version.patch)}};
}

Provider::Provider(const sdk::Host& /*host*/, const sdk::Options& options, sluice_device_ref /*device*/)
    : engine_(dnnl::engine::kind::cpu, 0), winograd_(options.boolean("winograd")) {
    limit_instruction_set();
}

std::optional<std::string> Provider::refuses(const sdk::Chain& chain) const {
    if (const auto wide = rounded(chain)) {
        return refuses(wide->wide());
    }
    const ChainEntry* const convolution = find_chain(chain);
    if (chain.size() > 1 && convolution == nullptr && !read_chain(chain)) {
        return "computes chains of batch_norm, relu, dropout and one add of two tensors, of upsample, conv2d, and of "
               "these with batch_norm and relu; this one has " +
               std::to_string(chain.size()) + " layers and begins with " + std::string(chain[0].type());
    }
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (auto reason = refuses_node(chain[i])) {
            return reason;
        }
    }
    return convolution == nullptr ? std::nullopt : convolution->refuses(chain, winograd_);
}

std::unique_ptr<sdk::Kernel> Provider::plan(const sdk::Chain& chain, const sdk::KernelSink& sink) {
    if (const auto wide = rounded(chain)) {
        return std::make_unique<sdk::RoundedKernel>(
            *wide, sink, [&](const sdk::Chain& given, const sdk::KernelSink& needs) { return plan(given, needs); });
    }
    if (auto reason = refuses(chain)) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, *reason);
    }
    require_code_memory(chain);
    try {
        const ChainEntry* const convolution = find_chain(chain);
        const bool cuts = chain.size() > 1 && chain[0].type() != "batch_norm";
        const auto make = convolution != nullptr ? convolution->make
                          : cuts                 ? make_mask_chain
                                                 : find_entry(chain[0].type())->make;
        return make({engine_, chain, sink, winograd_});
    } catch (const dnnl::error& error) {
        throw sdk::Failure(error.status == dnnl_unimplemented   ? SLUICE_UNSUPPORTED
                           : error.status == dnnl_out_of_memory ? SLUICE_NO_MEMORY
                                                                : SLUICE_FAILED,
                           std::string(chain[0].path()) + ": oneDNN " + error.what());
    }
}

}  // namespace sluice::onednn

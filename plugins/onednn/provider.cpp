#include "provider.hpp"

#include <algorithm>
#include <iterator>

#include "instruction_set.hpp"
#include "kernels/chain.hpp"
#include "kernels/kernels.hpp"

namespace sluice::onednn {
namespace {

struct Entry {
    std::string_view type;
    KernelPtr (*make)(const PlanContext&);
    bool images;  // takes [N, H, W, C] only
};

constexpr Entry kEntries[] = {
    {"add", make_add, false},
    {"average_pool", make_average_pool, true},
    {"batch_norm", make_batch_norm, false},
    {"concat", make_concat, false},
    {"conv2d", make_conv2d, true},
    {"conv2d_transpose", make_conv2d_transpose, true},
    {"dense", make_dense, false},
    {"dropout", make_cut_chain, false},
    {"global_average_pool", make_global_average_pool, true},
    {"global_max_pool", make_global_max_pool, true},
    {"group_norm", make_group_norm, false},
    {"instance_norm", make_instance_norm, false},
    {"layer_norm", make_layer_norm, false},
    {"max_pool", make_max_pool, true},
    {"multiply", make_multiply, false},
    {"relu", make_cut_chain, false},
    {"scale", make_scale, false},
    {"softmax", make_softmax, false},
    {"tanh", make_tanh, false},
    {"upsample", make_upsample, true},
};

bool is_upsampled_conv2d(const sdk::Chain& chain) {
    return chain.size() == 2 && chain[0].type() == "upsample" && chain[1].type() == "conv2d";
}

const Entry* find_entry(std::string_view type) {
    const auto* found =
        std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return entry.type == type; });
    return found == std::end(kEntries) ? nullptr : found;
}

std::optional<std::string> refuses_specs(std::span<const sluice_tensor_spec> specs, const char* what) {
    for (const sluice_tensor_spec& spec : specs) {
        if (!sdk::same(spec.dtype, sdk::kFloat32)) {
            return std::string("computes in float32; an ") + what + " is " + sdk::describe(spec);
        }
        if (spec.rank < 1 || std::any_of(spec.shape, spec.shape + spec.rank, [](std::int64_t n) { return n < 1; })) {
            return std::string("needs every extent to be known and at least 1; an ") + what + " is " +
                   sdk::describe(spec);
        }
    }
    return std::nullopt;
}

std::optional<std::string> refuses_node(const sdk::Node& node) {
    const Entry* entry = find_entry(node.type());
    if (entry == nullptr) {
        return "no kernel for layers of type '" + std::string(node.type()) + "'";
    }
    if (!sdk::same(node.compute(), sdk::kFloat32) || !sdk::same(node.accumulate(), sdk::kFloat32)) {
        return "computes in float32; the plan asks for " + sdk::name_of(node.compute()) + " summed in " +
               sdk::name_of(node.accumulate());
    }
    if (auto reason = refuses_specs(node.inputs(), "input")) {
        return reason;
    }
    if (auto reason = refuses_specs(node.outputs(), "output")) {
        return reason;
    }
    if (entry->images && node.inputs()[0].rank != 4) {
        return "computes " + std::string(node.type()) + " of [N, H, W, C]; the input is " +
               sdk::describe(node.inputs()[0]);
    }
    return std::nullopt;
}

}  // namespace

Provider::Provider(const sdk::Host& /*host*/, const sdk::Options& options, sluice_device_ref /*device*/)
    : engine_(dnnl::engine::kind::cpu, 0), winograd_(options.boolean("winograd")) {
    limit_instruction_set();
}

std::optional<std::string> Provider::refuses(const sdk::Chain& chain) const {
    const bool upsampled = is_upsampled_conv2d(chain);
    if (chain.size() > 1 && !upsampled && !read_chain(chain)) {
        return "computes chains of batch_norm, relu, dropout and one add of two tensors, and of upsample, conv2d; "
               "this one has " +
               std::to_string(chain.size()) + " layers and begins with " + std::string(chain[0].type());
    }
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (auto reason = refuses_node(chain[i])) {
            return reason;
        }
    }
    if (upsampled) {
        return winograd_ ? refuses_upsampled_conv2d(chain) : "computes upsample, conv2d at once by Winograd's method";
    }
    return std::nullopt;
}

std::unique_ptr<sdk::Kernel> Provider::plan(const sdk::Chain& chain, const sdk::KernelSink& sink) {
    if (auto reason = refuses(chain)) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, *reason);
    }
    try {
        const bool cuts = chain.size() > 1 && chain[0].type() != "batch_norm";
        const auto make = is_upsampled_conv2d(chain) ? make_upsampled_conv2d
                          : cuts                     ? make_cut_chain
                                                     : find_entry(chain[0].type())->make;
        return make({engine_, chain, sink, winograd_});
    } catch (const dnnl::error& error) {
        throw sdk::Failure(error.status == dnnl_unimplemented ? SLUICE_UNSUPPORTED : SLUICE_FAILED,
                           std::string(chain[0].path()) + ": oneDNN " + error.what());
    }
}

}  // namespace sluice::onednn

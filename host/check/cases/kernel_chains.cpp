// Cases for chains of layers. A claimed chain is fused into one launch, so a layer that the kernel does not know would
// be lost.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "check/cases/expected_results.hpp"

namespace sluice::check {
namespace {

// Layer types that are next to others in most models.
constexpr std::array kCommon{"relu", "batch_norm", "conv2d", "dense"};

// A layer type and one of its checks, to build chains from.
struct Part {
    registry::Component type;
    const registry::CheckCase* check;
};

// The layer type's first check without a chain; nothing if there is none.
std::optional<Part> part_of(Trial& trial, const std::string& type) {
    const registry::Component component = trial.registry().find(registry::Kind::layer, type, {});
    const auto& checks = component.manifest->checks;
    const auto alone =
        std::ranges::find_if(checks, [](const registry::CheckCase& check) { return check.then.empty(); });
    return alone == checks.end() ? std::nullopt : std::optional(Part{component, &*alone});
}

bool is_installed(Trial& trial, const char* type) {
    return std::ranges::count(trial.registry().list(registry::Kind::layer), type,
                              &registry::ComponentManifest::provides) > 0;
}

// Each layer feeds the first input of the next. `inputs` are those of the first layer; the others take their further
// inputs from their checks.
registry::CheckCase chain_of(const std::vector<Part>& parts, std::vector<sluice_tensor_spec> inputs) {
    registry::CheckCase chain{
        .inputs = std::move(inputs), .options = parts.front().check->options, .then = {}, .files = {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const registry::CheckCase& check = *parts[i].check;
        chain.inputs.insert(chain.inputs.end(), check.inputs.begin() + 1, check.inputs.end());
        chain.then.push_back({.type = parts[i].type.manifest->provides,
                              .origin = {},
                              .input_count = check.inputs.size(),
                              .options = check.options});
    }
    return chain;
}

// True if a plan could contain this chain. It has no losses or metrics, each layer has one output, and at most one
// layer draws random numbers.
bool is_planned(const NodeCase& node) {
    const auto draws = [](const NodeCase::Link& link) { return (link.traits.flags & SLUICE_LAYER_RANDOM) != 0; };
    return std::ranges::count_if(node.links(), draws) < 2 &&
           std::ranges::all_of(node.links(), [](const NodeCase::Link& link) {
               return link.traits.role == SLUICE_ROLE_LAYER && link.specs.front().outputs.size() == 1;
           });
}

class Chains {
public:
    Chains(Trial& trial, ClaimedLayers& claimed) : trial_(trial), claimed_(claimed) {
        for (const char* type : kCommon) {
            if (const auto part = is_installed(trial, type) ? part_of(trial, type) : std::nullopt) {
                common_.push_back(*part);
            }
        }
    }

    // Checks chains of `part` with itself and with common layers, if the provider claims `part` alone.
    void check(const Part& part) {
        const std::vector<sluice_tensor_spec>& inputs = part.check->inputs;
        const auto alone = take(trial_, part.type, *part.check, 1, true);
        if (!alone || !claimed_.claims(*alone) || !is_planned(*alone)) {
            return;
        }
        decline_unknown(*alone);
        check_chain({part, part}, inputs);
        for (const Part& common : common_) {
            check_chain({part, common}, inputs);
            check_chain({common, part}, inputs);
            for (const Part& third : common_) {
                check_chain({part, common, third}, inputs);
            }
        }
    }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    // Expects a refusal if an unknown layer comes before or after `node`.
    void decline_unknown(const NodeCase& node) {
        const NodeView view(node, kFloat32, ClaimedLayers::wanted(node));
        const sluice_node& known = view.chain().front();
        sluice_node unknown = known;
        unknown.type = SLUICE_TEXT("of_tomorrow");
        unknown.input_count = 1;
        unknown.parameter_count = unknown.state_count = 0;
        unknown.wanted_gradients &= 1;
        sluice_node fed = known;
        fed.chained_input = 0;
        unknown.outputs = unknown.inputs;
        decline(node.type() + " after a layer of an unknown type", {unknown, fed});
        unknown.chained_input = 0;
        unknown.inputs = unknown.outputs = known.outputs;
        decline(node.type() + " with a layer of an unknown type after it", {known, unknown});
    }

    void decline(const std::string& what, const std::array<sluice_node, 2>& chain) {
        trial_.doing("supports() of " + what);
        expect(claimed_.provider().kernels->refuses(chain).has_value(),
               fmt::format("supports() claims {}; it must claim a chain only if it knows every layer of it", what));
    }

    void check_chain(const std::vector<Part>& parts, const std::vector<sluice_tensor_spec>& inputs) {
        for (const bool trains : {true, false}) {
            const auto node = take(trial_, parts.front().type, chain_of(parts, inputs), 1, trains);
            if (node && is_planned(*node) && claimed_.claims(*node)) {
                compute(*node);
            }
        }
    }

    void compute(const NodeCase& node) {
        std::vector<std::string_view> types;
        std::ranges::transform(node.links(), std::back_inserter(types), &NodeCase::Link::type);
        const std::string what = fmt::format("the chain {}, {}", fmt::join(types, ", "), node.name());
        trial_.doing(what);
        const auto found = claimed_.try_run(node);
        if (!found) {
            return;
        }
        ++count_;
        expect(found->broken_rules.empty(), fmt::format("{}: {}", what, fmt::join(found->broken_rules, "; ")));
        if (const auto right = claimed_.expected_by_layers(node)) {
            const auto apart = first_difference(node.specs(kFloat32), *found, *right, kSumOrderTolerance);
            expect(!apart,
                   fmt::format("supports() claims {}, but the chain gives other results than its layers one by one: {}",
                               what, apart.value_or("")));
        }
    }

    Trial& trial_;
    ClaimedLayers& claimed_;
    std::vector<Part> common_;
    std::size_t count_ = 0;
};

void computes_what_it_claims(Trial& trial) {
    ClaimedLayers claimed(trial);
    Chains chains(trial, claimed);
    for (const registry::ComponentManifest* layer : trial.registry().list(registry::Kind::layer)) {
        if (const auto part = part_of(trial, layer->provides)) {
            chains.check(*part);
        }
    }
    trial.note(fmt::format("{} chains claimed", chains.count()));
}

constexpr std::array kKernelChainsCases{
    Case{.name = "kernel.chains",
         .proves = "Chains with an unknown layer type are declined, and claimed chains are computed correctly in all "
                   "their layers.",
         .run = computes_what_it_claims,
         .limit_factor = 10},
};

}  // namespace

std::span<const Case> kernel_chain_cases() { return kKernelChainsCases; }

}  // namespace sluice::check

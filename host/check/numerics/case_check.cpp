#include "check/numerics/case_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "check/numerics/compare.hpp"
#include "check/numerics/finite_differences.hpp"
#include "check/numerics/kernel_memory.hpp"
#include "check/numerics/node_by_node.hpp"
#include "check/numerics/tolerances.hpp"

namespace sluice::check {
namespace {

using Problems = std::vector<std::string>;
using Judge = std::function<Problems(const KernelResults&)>;

bool same_bits(const std::vector<Numbers>& a, const std::vector<Numbers>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto bits = [](double x, double y) {
            return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
        };
        if (!std::ranges::equal(a[i], b[i], bits)) {
            return false;
        }
    }
    return true;
}

Problems changed_bits(const KernelResults& first, const KernelResults& second, const std::string& when) {
    Problems problems = second.broken_rules;
    const auto note = [&](std::vector<Numbers> KernelResults::*tensors, const char* name) {
        if (!same_bits(first.*tensors, second.*tensors)) {
            problems.push_back(fmt::format("{} have other bits when {}", name, when));
        }
    };
    note(&KernelResults::outputs, "outputs");
    note(&KernelResults::states, "states");
    note(&KernelResults::input_gradients, "gradients of inputs");
    note(&KernelResults::parameter_gradients, "gradients of parameters");
    return problems;
}

// A plan may place outputs in the memory of inputs, as the kernel allows. That must not change a bit.
Problems changed_in_place(KernelRun& run, const NodeValues& values, const KernelResults& first) {
    Problems problems;
    const auto compare = [&](const Shared& shared, const std::string& when) {
        const Problems changed = changed_bits(first, run.step(values, {}, shared), when);
        problems.insert(problems.end(), changed.begin(), changed.end());
    };
    const registry::KernelNeeds& needs = run.kernel().needs();
    for (const registry::InPlace& pair : needs.in_place) {
        if ((needs.reads_inputs >> pair.input & 1) == 0) {
            compare({.tensors = pair, .gradients = {}},
                    fmt::format("output {} lies in the memory of input {}, as may_overwrite promised", pair.output,
                                pair.input));
        }
    }
    for (const registry::InPlace& pair : needs.in_place_gradients) {
        if (!first.input_gradients.empty() && !first.input_gradients[pair.input].empty() && !run.wanted().accumulate) {
            compare(
                {.tensors = {}, .gradients = pair},
                fmt::format("the gradient of input {} lies in that of output {}, as may_overwrite_gradient promised",
                            pair.input, pair.output));
        }
    }
    return problems;
}

// In training, recomputation runs forward a second time, with scratch memory in place of the states.
Problems changed_by_states(KernelRun& run, const NodeCase& node, NodeValues values, const KernelResults& first) {
    if (!node.trains() || values.states.empty()) {
        return {};
    }
    for (Numbers& state : values.states) {
        std::ranges::fill(state, std::numeric_limits<double>::quiet_NaN());
    }
    return same_bits(first.outputs, run.forward(values))
               ? Problems{}
               : Problems{
                     "in training, outputs depend on the states; recomputation runs forward again with other states"};
}

// Reports an input or output that backward reads undeclared: the results are right only if it is left in place.
Problems undeclared_reads(KernelRun& run, const NodeValues& values, const Judge& judge) {
    const auto is_right_with = [&](const Undeclared& undeclared) {
        const KernelResults results = run.step(values, undeclared);
        return results.broken_rules.empty() && judge(results).empty();
    };
    for (std::size_t i = 0; i < run.specs().inputs.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((run.kernel().needs().reads_inputs & bit) == 0 && is_right_with({.kept_inputs = bit})) {
            return {fmt::format("backward reads input {}, which plan() did not declare (backward_reads_input)", i)};
        }
    }
    for (std::size_t i = 0; i < run.specs().outputs.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((run.kernel().needs().reads_outputs & bit) == 0 && is_right_with({.kept_outputs = bit})) {
            return {fmt::format("backward reads output {}, which plan() did not declare (backward_reads_output)", i)};
        }
    }
    if (is_right_with({.kept_inputs = ~std::uint64_t{0}, .kept_outputs = ~std::uint64_t{0}})) {
        return {"backward reads inputs or outputs that plan() did not declare"};
    }
    return {};
}

// Runs the step on other values first, so that anything which a kernel keeps from an earlier step is wrong. Then it
// runs the step twice. The second time undeclared tensors are NULL, after NaN in them showed that nothing reads them.
Problems judge_steps(KernelRun& run, const NodeCase& node, const NodeValues& values, const Judge& judge) {
    run.step(reversed_values(values), {});
    const KernelResults first = run.step(values, {});
    Problems problems = first.broken_rules;
    const Problems wrong = judge(first);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
    if (!wrong.empty() && node.has_backward()) {
        const Problems reads = undeclared_reads(run, values, judge);
        return reads.empty() ? problems : reads;
    }
    if (problems.empty()) {
        problems = changed_bits(first, run.step(values, {.absent = true}), "the same step is run again");
    }
    if (problems.empty()) {
        problems = changed_in_place(run, values, first);
    }
    if (problems.empty()) {
        problems = changed_by_states(run, node, values, first);
    }
    return problems;
}

}  // namespace

CaseCheck::CaseCheck(const NodeCase& node, const Provider& provider, Report& report)
    : node_(node), provider_(provider), report_(report), values_(make_values(node)) {}

void CaseCheck::run(std::span<const Provider* const> oracles) {
    if (!provider_.kernels) {
        add("float32", provider_.without, provider_.reason);
    } else if (oracles.empty()) {
        check_alone();
    } else if (compute_right(oracles)) {
        for (const Variant& variant : variants()) {
            check_variant(variant);
        }
        // Losses and metrics stay in float32 under every policy.
        for (const sluice_dtype dtype : {kBfloat16, kFloat16}) {
            if (node_.role() == SLUICE_ROLE_LAYER && node_.differentiable_inputs() != 0) {
                compute_right_of(dtype, oracles);
                std::ranges::for_each(short_variants(dtype), [&](const Variant& v) { check_variant(v); });
            }
        }
    }
}

registry::Kernel CaseCheck::plan(const Provider& provider, const NodeView& view) const {
    std::string refusal;
    registry::TuningCache choices({}, provider.bench->measures());
    auto kernel = provider.kernels->plan(view.chain(), node_.name(), {provider.bench->threads(), &choices}, refusal);
    if (!kernel) {
        throw Error(Exit::plugin, "supports() claimed the layer, but plan() declined it: " + refusal);
    }
    return std::move(*kernel);
}

// Returns false if the expected results could not be computed.
bool CaseCheck::compute_right(std::span<const Provider* const> oracles) {
    const char* const what =
        oracles.size() == 1 && node_.has_backward() ? "float64 against finite differences" : "float64";
    report_.begin({Result::failed, node_.type(), oracles.front()->name, node_.name() + ", " + what, ""});
    try {
        if (oracles.size() == 1) {
            check_oracle(*oracles.front(), what);
        } else {
            right_ = run_node_by_node(node_, values_, oracles);
        }
        return true;
    } catch (const Error& error) {
        add(what, Result::failed, fmt::format("by '{}': {}", oracles.front()->name, error.what()));
        return false;
    }
}

// Computes the expected results. The oracle itself is checked only if it is the provider in question.
void CaseCheck::check_oracle(const Provider& oracle, const char* what) {
    const Wanted wanted{.inputs = node_.has_backward() ? node_.differentiable_inputs() : 0};
    const NodeView view(node_, kFloat64, wanted);
    const registry::Kernel kernel = plan(oracle, view);
    KernelRun run(*oracle.bench, kernel, node_, kFloat64, wanted);
    right_ = run.step(values_, {});
    if (&oracle == &provider_) {
        report(what, [&] {
            return judge_steps(run, node_, values_,
                               [&](const KernelResults& found) { return wrong_slopes(run, node_, values_, found); });
        });
    }
}

void CaseCheck::check_alone() {
    const Variant first = variants().front();
    const NodeView view(node_, first.activations, first.wanted);
    if (const auto refusal = provider_.kernels->refuses(view.chain())) {
        add(first.name, Result::skipped, *refusal);
        return;
    }
    const std::string unknown = "the expected values are unknown: no provider computes this layer in float64";
    if (!node_.has_backward()) {
        report(
            first.name + ", memory only",
            [&] {
                const registry::Kernel kernel = plan(provider_, view);
                KernelRun run(*provider_.bench, kernel, node_, first.activations, first.wanted);
                return judge_steps(run, node_, values_, [](const KernelResults&) { return Problems(); });
            },
            node_.trains() ? Result::warned : Result::skipped,
            unknown + ", and there are no gradients to compare with finite differences");
        return;
    }
    bool is_right = false;
    report(first.name + " against finite differences", [&] {
        const registry::Kernel kernel = plan(provider_, view);
        KernelRun run(*provider_.bench, kernel, node_, first.activations, first.wanted);
        right_ = run.step(values_, {});
        Problems problems = judge_steps(
            run, node_, values_, [&](const KernelResults& found) { return wrong_slopes(run, node_, values_, found); });
        is_right = problems.empty();
        return problems;
    });
    if (is_right) {
        const std::vector<Variant> all = variants();
        std::for_each(all.begin() + 1, all.end(), [&](const Variant& variant) { check_variant(variant); });
    }
}

void CaseCheck::compute_right_of(sluice_dtype dtype, std::span<const Provider* const> oracles) {
    const NodeSpecs& specs = node_.specs(dtype);
    values_ = make_values(node_);
    const auto round = [](const std::vector<sluice_tensor_spec>& stored, std::vector<Numbers>& tensors) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            tensors[i] = decode(stored[i], encode(stored[i], tensors[i]));
        }
    };
    round(specs.inputs, values_.inputs);
    round(specs.outputs, values_.output_gradients);
    if (oracles.size() > 1) {
        right_ = run_node_by_node(node_, values_, oracles);
        return;
    }
    const Wanted wanted{.inputs = node_.has_backward() ? node_.differentiable_inputs() : 0};
    const NodeView view(node_, kFloat64, wanted);
    const registry::Kernel kernel = plan(*oracles.front(), view);
    right_ = KernelRun(*oracles.front()->bench, kernel, node_, kFloat64, wanted).step(values_, {});
}

std::vector<CaseCheck::Variant> CaseCheck::short_variants(sluice_dtype dtype) const {
    const std::string name = to_string(dtype);
    if (!node_.has_backward()) {
        return {{name, dtype, {}}};
    }
    const std::uint64_t all = node_.differentiable_inputs();
    return {{name, dtype, {.inputs = all}}, {name + ", gradients added", dtype, {.inputs = all, .accumulate = true}}};
}

std::vector<CaseCheck::Variant> CaseCheck::variants() const {
    if (!node_.has_backward()) {
        return {{"float32", kFloat32, {}}};
    }
    const std::uint64_t all = node_.differentiable_inputs();
    std::vector<Variant> variants{{"float32", kFloat32, {.inputs = all}},
                                  {"float32, gradients added", kFloat32, {.inputs = all, .accumulate = true}}};
    // The first layer of a network computes no gradient of its input, and a loss none of its target.
    const std::uint64_t fewest = node_.specs(kFloat32).parameters.empty() ? all & 1 : 0;
    if (fewest != all) {
        variants.push_back({"float32, fewest gradients", kFloat32, {.inputs = fewest}});
    }
    // Only the last input, which joins the chain from outside, gets a gradient, and nothing before it does.
    if (const std::uint64_t last = std::bit_floor(all); node_.links().size() > 1 && last != 1) {
        variants.push_back({"float32, last gradient only", kFloat32, {.inputs = last}});
    }
    return variants;
}

void CaseCheck::check_variant(const Variant& variant) {
    const NodeView view(node_, variant.activations, variant.wanted);
    if (const auto refusal = provider_.kernels->refuses(view.chain())) {
        add(variant.name, Result::skipped, *refusal);
        return;
    }
    report(variant.name, [&] {
        const registry::Kernel kernel = plan(provider_, view);
        KernelRun run(*provider_.bench, kernel, node_, variant.activations, variant.wanted);
        return judge_steps(run, node_, values_,
                           [&](const KernelResults& found) { return wrong_numbers(found, variant); });
    });
}

CaseCheck::Problems CaseCheck::wrong_numbers(const KernelResults& found, const Variant& variant) const {
    Problems problems;
    const auto compare = [&](const char* what, std::vector<Numbers> KernelResults::*tensors,
                             const std::vector<sluice_tensor_spec>& specs, Quantity quantity) {
        const bool is_gradient = quantity == Quantity::input_gradient || quantity == Quantity::parameter_gradient;
        for (std::size_t i = 0; i < (found.*tensors).size(); ++i) {
            if ((found.*tensors)[i].empty()) {
                continue;
            }
            Numbers right = (right_.*tensors)[i];
            for (std::size_t k = 0; k < right.size() && is_gradient && variant.wanted.accumulate; ++k) {
                right[k] += gradient_before(k);
            }
            if (auto text = difference(fmt::format("{} {}", what, i), specs[i], (found.*tensors)[i], right,
                                       tolerance(variant.activations, quantity))) {
                problems.push_back(std::move(*text));
            }
        }
    };
    const NodeSpecs& specs = node_.specs(variant.activations);
    compare("output", &KernelResults::outputs, specs.outputs, Quantity::output);
    compare("state", &KernelResults::states, specs.states, Quantity::state);
    compare("gradient of input", &KernelResults::input_gradients, specs.inputs, Quantity::input_gradient);
    compare("gradient of parameter", &KernelResults::parameter_gradients, specs.parameters,
            Quantity::parameter_gradient);
    return problems;
}

void CaseCheck::report(const std::string& what, const std::function<Problems()>& check, Result otherwise,
                       const std::string& reason) {
    report_.begin({Result::failed, node_.type(), provider_.name, node_.name() + ", " + what, ""});
    try {
        const Problems problems = check();
        if (problems.empty()) {
            add(what, otherwise, reason);
        } else {
            add(what, Result::failed, fmt::format("{}", fmt::join(problems, "; ")));
        }
    } catch (const Error& error) {
        add(what, Result::failed, error.what());
    }
}

void CaseCheck::add(const std::string& what, Result result, std::string reason) {
    report_.add({result, node_.type(), provider_.name, node_.name() + ", " + what, std::move(reason)});
}

}  // namespace sluice::check

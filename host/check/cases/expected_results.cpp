#include "check/cases/expected_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "check/numerics/compare.hpp"
#include "check/numerics/finite_differences.hpp"

namespace sluice::check {

std::optional<NodeCase> take(Trial& trial, const registry::Component& type, const registry::CheckCase& check,
                             std::size_t number, bool trains) {
    try {
        NodeCase node(trial.registry(), type, check, number, trains);
        return node.is_omitted_in_evaluation() ? std::nullopt : std::optional(std::move(node));
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<std::string> first_difference(const NodeSpecs& specs, const KernelResults& found,
                                            const KernelResults& right, double tolerance) {
    std::optional<std::string> text;
    const auto compare = [&](const char* what, std::vector<Numbers> KernelResults::*tensors,
                             const std::vector<sluice_tensor_spec>& all) {
        for (std::size_t i = 0; i < (found.*tensors).size() && !text; ++i) {
            text =
                difference(fmt::format("{} {}", what, i), all[i], (found.*tensors)[i], (right.*tensors)[i], tolerance);
        }
    };
    compare("output", &KernelResults::outputs, specs.outputs);
    compare("gradient of input", &KernelResults::input_gradients, specs.inputs);
    compare("gradient of parameter", &KernelResults::parameter_gradients, specs.parameters);
    return text;
}

std::optional<KernelResults> expected_results(ClaimedLayers& claimed, const NodeCase& node) {
    if (auto right = claimed.expected_results(node)) {
        return right;
    }
    if (node.has_backward()) {
        const Workbench bench(claimed.provider().bench->device(), 1);
        const sluice_dtype dtype = claimed.claims(node, kFloat64) ? kFloat64 : kFloat32;
        const NodeView view(node, dtype, ClaimedLayers::wanted(node));
        const registry::Kernel kernel = claimed.plan(node, view, bench, false);
        KernelRun run(bench, kernel, node, dtype, ClaimedLayers::wanted(node));
        const NodeValues values = make_values(node);
        const auto wrong = wrong_slopes(run, node, values, run.step(values, {}));
        expect(wrong.empty(),
               fmt::format("{}, {}, by one thread: {}", node.type(), node.name(), fmt::join(wrong, "; ")));
    }
    return std::nullopt;
}

}  // namespace sluice::check

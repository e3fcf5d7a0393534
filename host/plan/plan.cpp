#include "plan/plan.hpp"

#include <algorithm>

#include "plan/passes/pass.hpp"

namespace sluice::plan {

std::int64_t parameter_total(const Graph& graph) {
    std::int64_t total = 0;
    for (const registry::ParameterInfo& parameter : graph.parameters) {
        total += element_count(parameter.spec);
    }
    return total;
}

double flops_total(const Graph& graph) {
    double total = 0.0;
    for (const Node& node : graph.nodes) {
        total += node.flops;
    }
    return total;
}

namespace {

// How many 16-bit types the kernels ask for.
std::uint64_t rounded_types(const Plan& plan) {
    bool half = false;
    bool bfloat = false;
    for (const Step& step : plan.steps) {
        const auto dtype = step.kernel.needs().rounded_parameters;
        half = half || (dtype && *dtype == kFloat16);
        bfloat = bfloat || (dtype && *dtype == kBfloat16);
    }
    return (half ? 1 : 0) + (bfloat ? 1 : 0);
}

std::vector<registry::Field> cut(std::span<const registry::Field> fields, std::int64_t pieces) {
    std::vector<registry::Field> some(fields.begin(), fields.end());
    for (registry::Field& field : some) {
        field.spec.shape[0] /= pieces;
    }
    return some;
}

// Into how many equal pieces a batch can be cut, ascending.
std::vector<std::int64_t> piece_counts(std::int64_t batch) {
    std::vector<std::int64_t> counts;
    for (std::int64_t pieces = 2; pieces <= batch; ++pieces) {
        if (batch % pieces == 0) {
            counts.push_back(pieces);
        }
    }
    return counts;
}

}  // namespace

WeightBytes weight_bytes(const Plan& plan, std::size_t optimizer_states, bool averaged, const UpdateShare& share) {
    const Buckets buckets(plan.layout.parameter_count, share);
    const std::uint64_t parameters = buckets.elements() * sizeof(float);
    const std::uint64_t running = plan.layout.state_count * sizeof(float);
    return {.parameters = parameters,
            .gradients = plan.graph.mode == Mode::train ? parameters : 0,
            .optimizer_states = optimizer_states * buckets.kept() * sizeof(float),
            .running = running,
            .average = averaged ? parameters : 0,
            .running_average = averaged ? running : 0,
            .rounded = rounded_types(plan) * (averaged ? 2 : 1) * parameters / 2};
}

Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads) {
    const std::lock_guard lock(*tools.planning);
    const auto plan_pieces = [&](std::int64_t pieces) {
        Plan plan;
        plan.graph = build_graph(spec, tools, cut(fields, pieces), mode);
        plan.batch = fields.front().spec.shape[0] / pieces;
        plan.pieces = pieces;
        plan.memory.alignment = std::max(plan.memory.alignment, tools.device->info().alignment);
        run_passes(plan, {spec, tools, threads});
        return plan;
    };
    try {
        return plan_pieces(1);
    } catch (const NoKernel& whole) {
        for (const std::int64_t pieces : piece_counts(fields.front().spec.shape[0])) {
            try {
                Plan plan = plan_pieces(pieces);
                plan.whole_refused = whole.reason();
                return plan;
            } catch (const NoKernel&) {
                continue;  // for these pieces, either
            }
        }
        throw;
    }
}

}  // namespace sluice::plan

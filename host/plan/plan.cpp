#include "plan/plan.hpp"

namespace sluice::plan {
namespace {

constexpr std::uint64_t kAlignElements = 16;  // 64 bytes

std::uint64_t padded(std::int64_t count) {
    return (static_cast<std::uint64_t>(count) + kAlignElements - 1) / kAlignElements * kAlignElements;
}

}  // namespace

Layout lay_out_parameters(const Graph& graph) {
    Layout layout;
    layout.parameters.resize(graph.parameters.size());
    for (std::size_t i = graph.parameters.size(); i-- > 0;) {
        layout.parameters[i] = layout.parameter_count;
        layout.parameter_count += padded(element_count(graph.parameters[i].spec));
    }
    for (const registry::StateInfo& state : graph.states) {
        layout.states.push_back(layout.state_count);
        layout.state_count += padded(element_count(state.spec));
    }
    return layout;
}

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

Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads) {
    Plan plan;
    plan.graph = build_graph(spec, tools, fields, mode);
    plan.batch = fields.front().spec.shape[0];
    plan.layout = lay_out_parameters(plan.graph);
    plan.steps = choose_kernels(plan.graph, tools, threads);
    tools.choices->save();
    plan.memory = lay_out_memory(plan.graph, plan.steps);
    return plan;
}

}  // namespace sluice::plan

// Pass: lays out parameters and states in their flat buffers.
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

// `unit`: elements.
std::uint64_t padded(std::int64_t count, std::uint64_t unit) {
    return (static_cast<std::uint64_t>(count) + unit - 1) / unit * unit;
}

}  // namespace

std::string lay_out_parameters(Plan& plan, const PassContext& /*context*/) {
    const Graph& graph = plan.graph;
    // The 16-bit copies have the same layout, so each parameter there has half of this alignment.
    const std::uint64_t unit = plan.memory.alignment / sizeof(float);
    Layout& layout = plan.layout;
    layout.parameters.resize(graph.parameters.size());
    for (std::size_t i = graph.parameters.size(); i-- > 0;) {
        layout.parameters[i] = layout.parameter_count;
        layout.parameter_count += padded(element_count(graph.parameters[i].spec), unit);
    }
    for (const registry::StateInfo& state : graph.states) {
        layout.states.push_back(layout.state_count);
        layout.state_count += padded(element_count(state.spec), unit);
    }
    return "";
}

}  // namespace sluice::plan

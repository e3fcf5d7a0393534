// Pass: where parameters and states lie in their flat buffers.
#include <fmt/format.h>

#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

constexpr std::uint64_t kAlignElements = 16;  // 64 bytes

std::uint64_t padded(std::int64_t count) {
    return (static_cast<std::uint64_t>(count) + kAlignElements - 1) / kAlignElements * kAlignElements;
}

}  // namespace

std::string lay_out_parameters(Plan& plan, const PassContext& /*context*/) {
    const Graph& graph = plan.graph;
    Layout& layout = plan.layout;
    layout.parameters.resize(graph.parameters.size());
    for (std::size_t i = graph.parameters.size(); i-- > 0;) {
        layout.parameters[i] = layout.parameter_count;
        layout.parameter_count += padded(element_count(graph.parameters[i].spec));
    }
    for (const registry::StateInfo& state : graph.states) {
        layout.states.push_back(layout.state_count);
        layout.state_count += padded(element_count(state.spec));
    }
    return "";
}

}  // namespace sluice::plan

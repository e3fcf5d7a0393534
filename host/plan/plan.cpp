#include "plan/plan.hpp"

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

// In how many 16-bit types kernels ask for the parameters.
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

}  // namespace sluice::plan

#include "plan/launch_work.hpp"

#include <algorithm>

namespace sluice::plan {
namespace {

double bytes_of(const Plan& plan, TensorId id) { return static_cast<double>(byte_count(plan.graph.tensors[id].spec)); }

double parameter_bytes(const Plan& plan, const Step& step) {
    double bytes = 0.0;
    for (const std::size_t i : step.parameters) {
        bytes += static_cast<double>(byte_count(plan.graph.parameters[i].spec));
    }
    return bytes;
}

double forward_bytes(const Plan& plan, const Step& step) {
    double bytes = parameter_bytes(plan, step);
    for (const auto* ids : {&step.inputs, &step.outputs}) {
        for (const TensorId id : *ids) {
            bytes += bytes_of(plan, id);
        }
    }
    return bytes;
}

double backward_bytes(const Plan& plan, const Step& step) {
    const registry::KernelNeeds& needs = step.kernel.needs();
    double bytes = 2.0 * parameter_bytes(plan, step);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const int times = static_cast<int>(needs.reads_inputs >> i & 1) + (step.input_gradients[i] ? 1 : 0);
        bytes += times * bytes_of(plan, step.inputs[i]);
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const TensorId id = step.outputs[i];
        const int times =
            static_cast<int>(needs.reads_outputs >> i & 1) + (plan.memory.gradients[id] != kNowhere ? 1 : 0);
        bytes += times * bytes_of(plan, id);
    }
    return bytes;
}

double flops_of(const Plan& plan, const Node& node, Direction direction) {
    const bool passes_on =
        std::ranges::any_of(node.inputs, [&](TensorId id) { return plan.graph.tensors[id].wants_gradient; });
    return direction == Direction::backward && passes_on ? 2.0 * node.flops : node.flops;
}

void add_shape(std::string& text, const sluice_tensor_spec& spec) {
    text += text.empty() ? "" : ", ";
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        text += (i == 0 ? "" : "x") + std::to_string(spec.shape[i]);
    }
}

std::string shapes_of(const Graph& graph, const Node& node) {
    std::string text;
    for (const TensorId id : node.inputs) {
        add_shape(text, graph.tensors[id].spec);
    }
    for (const std::size_t i : node.parameters) {
        add_shape(text, graph.parameters[i].spec);
    }
    return text;
}

LaunchWork work_of(const Plan& plan, const Launch& launch) {
    const Step& step = plan.steps[launch.step];
    const registry::KernelNeeds& needs = step.kernel.needs();
    const bool is_backward = launch.direction == Direction::backward;
    LaunchWork work{.launch = launch,
                    .path = {},
                    .types = {},
                    .shapes = {},
                    .kernel = step.kernel.provider(),
                    .note = needs.note,
                    .bytes = is_backward ? backward_bytes(plan, step) : forward_bytes(plan, step)};
    const Node* main = &plan.graph.nodes[step.nodes.front()];
    for (const std::size_t n : step.nodes) {
        const Node& node = plan.graph.nodes[n];
        work.types += (work.types.empty() ? "" : "+") + node.type;
        work.flops += flops_of(plan, node, launch.direction);
        main = node.flops > main->flops ? &node : main;
    }
    work.path = main->path;
    work.shapes = shapes_of(plan.graph, *main);
    work.asked = main->precision.compute;
    work.dtype = needs.computes_in.value_or(work.asked);
    work.done_flops = (is_backward ? needs.backward_flop : needs.forward_flop).value_or(work.flops);
    return work;
}

}  // namespace

const char* name_of(Direction direction) {
    switch (direction) {
        case Direction::forward:
            return "forward";
        case Direction::recompute:
            return "again";
        case Direction::backward:
            return "backward";
    }
    return "";
}

std::vector<LaunchWork> list_work(const Plan& plan) {
    std::vector<LaunchWork> list;
    for (const Launch& launch : plan.launches) {
        list.push_back(work_of(plan, launch));
    }
    return list;
}

}  // namespace sluice::plan

#include "bench/launch_work.hpp"

#include <algorithm>
#include <numeric>

namespace sluice::bench {
namespace {

double bytes_of(const plan::Plan& plan, plan::TensorId id) {
    return static_cast<double>(byte_count(plan.graph.tensors[id].spec));
}

double parameter_bytes(const plan::Plan& plan, const plan::Step& step) {
    double bytes = 0.0;
    for (const std::size_t i : step.parameters) {
        bytes += static_cast<double>(byte_count(plan.graph.parameters[i].spec));
    }
    return bytes;
}

double forward_bytes(const plan::Plan& plan, const plan::Step& step) {
    double bytes = parameter_bytes(plan, step);
    for (const auto* ids : {&step.inputs, &step.outputs}) {
        for (const plan::TensorId id : *ids) {
            bytes += bytes_of(plan, id);
        }
    }
    return bytes;
}

double backward_bytes(const plan::Plan& plan, const plan::Step& step) {
    const registry::KernelNeeds& needs = step.kernel.needs();
    double bytes = 2.0 * parameter_bytes(plan, step);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        const int times = static_cast<int>(needs.reads_inputs >> i & 1) + (step.input_gradients[i] ? 1 : 0);
        bytes += times * bytes_of(plan, step.inputs[i]);
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        const plan::TensorId id = step.outputs[i];
        const int times =
            static_cast<int>(needs.reads_outputs >> i & 1) + (plan.memory.gradients[id] != plan::kNowhere ? 1 : 0);
        bytes += times * bytes_of(plan, id);
    }
    return bytes;
}

void add_flops(LaunchWork& work, const plan::Plan& plan, const plan::Node& node) {
    const bool passes_on =
        std::ranges::any_of(node.inputs, [&](plan::TensorId id) { return plan.graph.tensors[id].wants_gradient; });
    if (work.launch.direction != plan::Direction::backward) {
        work.flops[static_cast<std::size_t>(Arithmetic::forward)] += node.flops;
    } else if (passes_on) {
        work.flops[static_cast<std::size_t>(Arithmetic::both_gradients)] += 2.0 * node.flops;
    } else {
        work.flops[static_cast<std::size_t>(Arithmetic::parameter_gradients)] += node.flops;
    }
}

void add_shape(std::string& text, const sluice_tensor_spec& spec) {
    text += text.empty() ? "" : ", ";
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        text += (i == 0 ? "" : "x") + std::to_string(spec.shape[i]);
    }
}

std::string shapes_of(const plan::Graph& graph, const plan::Node& node) {
    std::string text;
    for (const plan::TensorId id : node.inputs) {
        add_shape(text, graph.tensors[id].spec);
    }
    for (const std::size_t i : node.parameters) {
        add_shape(text, graph.parameters[i].spec);
    }
    return text;
}

LaunchWork work_of(const plan::Plan& plan, const plan::Launch& launch) {
    const plan::Step& step = plan.steps[launch.step];
    const bool is_backward = launch.direction == plan::Direction::backward;
    LaunchWork work{.launch = launch,
                    .path = plan.graph.nodes[step.nodes.front()].path,
                    .types = {},
                    .shapes = shapes_of(plan.graph, plan.graph.nodes[step.nodes.front()]),
                    .kernel = step.kernel.provider(),
                    .note = step.kernel.needs().note,
                    .bytes = is_backward ? backward_bytes(plan, step) : forward_bytes(plan, step)};
    for (const std::size_t n : step.nodes) {
        const plan::Node& node = plan.graph.nodes[n];
        work.types += (work.types.empty() ? "" : "+") + node.type;
        if (node.flops > 0.0 && work.total_flops() == 0.0) {
            work.path = node.path;
            work.shapes = shapes_of(plan.graph, node);
        }
        add_flops(work, plan, node);
    }
    return work;
}

}  // namespace

const char* name_of(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::forward:
            return "forward";
        case Arithmetic::parameter_gradients:
            return "parameter_gradients";
        case Arithmetic::both_gradients:
            return "both_gradients";
    }
    return "";
}

const char* name_of(plan::Direction direction) {
    switch (direction) {
        case plan::Direction::forward:
            return "forward";
        case plan::Direction::recompute:
            return "again";
        case plan::Direction::backward:
            return "backward";
    }
    return "";
}

double LaunchWork::total_flops() const { return std::accumulate(flops.begin(), flops.end(), 0.0); }

std::vector<LaunchWork> list_work(const plan::Plan& plan) {
    std::vector<LaunchWork> list;
    for (const plan::Launch& launch : plan.launches) {
        list.push_back(work_of(plan, launch));
    }
    return list;
}

}  // namespace sluice::bench

#include "diagnose/precision/tensor_reading.hpp"

namespace sluice::diagnose {

TensorReading::TensorReading(run::Replica& replica, Seen seen) : replica_(replica), seen_(std::move(seen)) {
    replica_.network().set_launch_callback(this);
}

TensorReading::~TensorReading() { replica_.network().set_launch_callback(nullptr); }

void TensorReading::pass_begins() {
    in_forward_ = !in_forward_;
    if (in_forward_) {
        next_ = 0;
    } else {
        before(next_);
    }
}

void TensorReading::launch_ended(const plan::Launch& launch) {
    const plan::Plan& plan = replica_.runner().used().plan;
    ++next_;
    if (launch.direction == plan::Direction::forward) {
        const plan::Step& step = plan.steps[launch.step];
        const plan::TensorId out = step.outputs.front();
        if (is_float(plan.graph.tensors[out].spec.dtype)) {
            seen_(plan.graph.nodes[step.nodes.back()], TensorKind::output, plan.graph.tensors[out].spec.dtype,
                  replica_.runner().tensor(out));
        }
        return;
    }
    before(next_);
}

// Reads the gradient before launch number `launch`; after the last launch, those of the parameters.
void TensorReading::before(std::size_t launch) {
    const plan::Plan& plan = replica_.runner().used().plan;
    if (launch >= plan.launches.size()) {
        look_at_parameters();
        return;
    }
    if (plan.launches[launch].direction != plan::Direction::backward) {
        return;
    }
    const plan::Step& step = plan.steps[plan.launches[launch].step];
    const plan::TensorId out = step.outputs.front();
    if (const std::span<const float> values = replica_.runner().gradient(out); !values.empty()) {
        seen_(plan.graph.nodes[step.nodes.back()], TensorKind::gradient, plan.graph.tensors[out].spec.dtype, values);
    }
}

// Reports the gradients of all parameters of a layer as one sequence.
void TensorReading::look_at_parameters() {
    const plan::Graph& graph = replica_.runner().used().plan.graph;
    const plan::Layout& layout = replica_.network().weights().layout();
    std::vector<float> values;
    for (const plan::Node& node : graph.nodes) {
        values.clear();
        for (const std::size_t p : node.parameters) {
            const auto some =
                replica_.runner().parameter_gradients(layout.parameters[p], element_count(graph.parameters[p].spec));
            values.insert(values.end(), some.begin(), some.end());
        }
        if (!values.empty()) {
            seen_(node, TensorKind::parameter_gradient, kFloat32, values);
        }
    }
}

}  // namespace sluice::diagnose

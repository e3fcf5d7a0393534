// Pass: orders a step's launches, and decides what backward computes again instead of keeping it from forward
// (activation checkpointing). "selective" runs cheap layers again, those without FLOPs, if that lowers the peak of
// memory. "full" runs all layers of a block again except the last, so that only the outputs of blocks are kept. Layers
// that sum over all replicas never run again: a replica with a shard of another size may not repeat the same layers.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/scaled_number.hpp"
#include "plan/passes/lifetimes.hpp"
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

// By step: true if forward may run a second time.
using Repeated = std::vector<bool>;

class Scheduler {
public:
    Scheduler(const Plan& plan, const Repeated& repeated)
        : plan_(plan), repeated_(repeated), done_(plan.steps.size(), false), maker_(plan.graph.tensors.size(), kNever) {
        for (std::size_t s = 0; s < plan.steps.size(); ++s) {
            for (const TensorId id : plan.steps[s].outputs) {
                maker_[id] = s;
            }
        }
    }

    std::vector<Launch> schedule() {
        for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
            launches_.push_back({Direction::forward, s});
        }
        for (std::size_t s = plan_.steps.size(); s-- > 0;) {
            if (plan_.steps[s].has_backward) {
                make_what_backward_reads(s);
                launches_.push_back({Direction::backward, s});
            }
        }
        return std::move(launches_);
    }

private:
    void make_what_backward_reads(std::size_t s) {
        const registry::KernelNeeds& needs = plan_.steps[s].kernel.needs();
        if (!needs.saved.empty() || needs.reads_outputs != 0) {
            recompute_step(s);
        }
        for (std::size_t i = 0; i < plan_.steps[s].inputs.size(); ++i) {
            if ((needs.reads_inputs >> i & 1) != 0) {
                recompute_step(maker_[plan_.steps[s].inputs[i]]);
            }
        }
    }

    // Makes the inputs of the step again first if they were not kept either.
    void recompute_step(std::size_t s) {
        if (s == kNever || !repeated_[s] || done_[s]) {
            return;
        }
        done_[s] = true;
        for (const TensorId id : plan_.steps[s].inputs) {
            recompute_step(maker_[id]);
        }
        launches_.push_back({Direction::recompute, s});
    }

    const Plan& plan_;
    const Repeated& repeated_;
    std::vector<bool> done_;
    std::vector<std::size_t> maker_;  // the step that makes a tensor, by tensor id; kNever: the host feeds it
    std::vector<Launch> launches_;
};

double flops_of(const Plan& plan, const Step& step) {
    double flops = 0.0;
    for (const std::size_t n : step.nodes) {
        flops += plan.graph.nodes[n].flops;
    }
    return flops;
}

bool joins_replicas(const Plan& plan, const Step& step) {
    return std::ranges::any_of(step.nodes, [&](std::size_t n) { return joins_replicas(plan.graph.nodes[n]); });
}

std::uint64_t peak_bytes_with(Plan& plan, const Repeated& repeated) {
    plan.launches = Scheduler(plan, repeated).schedule();
    return peak_bytes_of(list_buffers(plan));
}

Repeated cheap_steps(Plan& plan) {
    Repeated repeated(plan.steps.size(), false);
    std::uint64_t least = peak_bytes_with(plan, repeated);
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
        if (flops_of(plan, plan.steps[s]) > 0.0 || joins_replicas(plan, plan.steps[s])) {
            continue;
        }
        repeated[s] = true;
        const std::uint64_t alive = peak_bytes_with(plan, repeated);
        repeated[s] = alive < least;
        least = std::min(least, alive);
    }
    return repeated;
}

// "residual_2/conv2d": the outermost block that the layer lies in; empty outside.
std::string block_of(const Node& node) {
    const std::size_t slash = node.path.find('/');
    return slash == std::string::npos ? "" : node.path.substr(0, slash);
}

bool is_inside_block(const Plan& plan, const Step& step) {
    const std::string block = block_of(plan.graph.nodes[step.nodes.front()]);
    const auto same = [&](std::size_t n) { return block_of(plan.graph.nodes[n]) == block; };
    return !block.empty() && !joins_replicas(plan, step) && std::ranges::all_of(step.nodes, same) &&
           std::ranges::all_of(step.outputs, [&](TensorId id) {
               const Tensor& tensor = plan.graph.tensors[id];
               return !tensor.kept && !tensor.consumers.empty() && std::ranges::all_of(tensor.consumers, same);
           });
}

Repeated steps_inside_blocks(const Plan& plan) {
    Repeated repeated;
    for (const Step& step : plan.steps) {
        repeated.push_back(is_inside_block(plan, step));
    }
    return repeated;
}

}  // namespace

std::string order_launches(Plan& plan, const PassContext& context) {
    if (plan.graph.mode != Mode::train) {
        for (std::size_t s = 0; s < plan.steps.size(); ++s) {
            plan.launches.push_back({Direction::forward, s});
        }
        return "";
    }
    const std::uint64_t before = peak_bytes_with(plan, Repeated(plan.steps.size(), false));
    if (context.spec.train.recompute == config::Recompute::none) {
        return "";
    }
    const bool is_full = context.spec.train.recompute == config::Recompute::full;
    const std::uint64_t after = peak_bytes_with(plan, is_full ? steps_inside_blocks(plan) : cheap_steps(plan));
    double flops = 0.0;
    std::size_t count = 0;
    for (const auto& [direction, step] : plan.launches) {
        if (direction == Direction::recompute) {
            flops += flops_of(plan, plan.steps[step]);
            ++count;
        }
    }
    return fmt::format("{} of {} forward launches run again in backward: peak use {} instead of {}; {}FLOP more", count,
                       plan.steps.size(), byte_text(after), byte_text(before), metric_number(flops));
}

}  // namespace sluice::plan

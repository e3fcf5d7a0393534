// A plan with its executor, for one mode and one batch shape.
#pragma once

#include <memory>
#include <vector>

#include "plan/plan.hpp"
#include "run/network/captured_graph.hpp"
#include "run/network/executor.hpp"

namespace sluice::run {

struct Program : std::enable_shared_from_this<Program> {
    plan::Plan plan;
    std::byte* arena = nullptr;
    std::unique_ptr<Executor> executor;
    std::uint64_t first_step = 0;            // first training step that used it; 0: none yet
    std::vector<sluice_tensor_spec> shapes;  // of the batch's fields
    std::vector<std::byte*> places;          // addresses of the graph's feeds, in the arena
    CapturedGraph common_graphs[2][2];       // graphs of a micro-batch: [first of the step][exchanges gradients]
    CapturedGraph alone[2];                  // [first of the step]: graphs of work that other replicas do not compute
};

}  // namespace sluice::run

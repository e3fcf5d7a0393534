// A plan and what runs it, for one mode and one shape of the batch.
#pragma once

#include <memory>
#include <vector>

#include "plan/plan.hpp"
#include "run/network/executor.hpp"
#include "run/network/recorded.hpp"

namespace sluice::run {

struct Program : std::enable_shared_from_this<Program> {
    plan::Plan plan;
    std::byte* arena = nullptr;
    std::unique_ptr<Executor> executor;
    std::uint64_t first_step = 0;            // that it trained; 0: none yet
    std::vector<sluice_tensor_spec> shapes;  // of the batch's fields
    std::vector<std::byte*> places;          // of the graph's feeds
    Recorded parts[2][2];                    // of a step: [whether it is the first][whether it exchanges]
    Recorded alone[2];                       // [whether it is the first]: where the other replicas do not compute it
};

}  // namespace sluice::run

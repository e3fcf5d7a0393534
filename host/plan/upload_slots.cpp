#include "plan/upload_slots.hpp"

#include <algorithm>
#include <cstdint>

namespace sluice::plan {
namespace {

constexpr std::int64_t kMostHeldMicroBatches = 4;  // micro-batches of a step: more would take too much memory

}  // namespace

std::size_t upload_slots(const Plan& plan, const config::PipelineSpec& spec, const registry::Device& device) {
    if (device.streams() == nullptr) {
        return 0;
    }
    const std::int64_t parts =
        plan.graph.mode == Mode::train
            ? std::clamp<std::int64_t>(spec.train.accumulate * plan.micro_batches, 1, kMostHeldMicroBatches)
            : 1;
    return (kStepsAhead + 1) * static_cast<std::size_t>(parts);
}

}  // namespace sluice::plan

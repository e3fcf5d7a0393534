#include "plan/recorded_work.hpp"

#include <memory>
#include <utility>

#include "plan/launch_work.hpp"

namespace sluice::plan {
std::uint32_t span_kind(Direction direction) {
    switch (direction) {
        case Direction::forward:
            return SLUICE_SPAN_FORWARD;
        case Direction::recompute:
            return SLUICE_SPAN_RECOMPUTE;
        case Direction::backward:
            break;
    }
    return SLUICE_SPAN_BACKWARD;
}

profile::Operations list_operations(const Plan& plan) {
    std::vector<profile::Operation> operations;
    for (LaunchWork& work : list_work(plan)) {
        operations.push_back({.path = std::move(work.path),
                              .type = std::move(work.types),
                              .shape = std::move(work.shapes),
                              .kernel = work.note.empty() ? work.kernel : work.kernel + " " + work.note,
                              .flop = work.flops,
                              .done_flop = work.done_flops,
                              .bytes = work.bytes,
                              .kind = span_kind(work.launch.direction),
                              .dtype = work.dtype});
    }
    return std::make_shared<const std::vector<profile::Operation>>(std::move(operations));
}

}  // namespace sluice::plan

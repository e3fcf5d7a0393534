// Finds the launch of each kernel that a device reports, so that kernels have the layers and the arithmetic of a plan.
//
// The call that enqueued a kernel began within a launch, if that step ran launch by launch. A replayed graph has one
// call for all of its kernels. They run in the order in which such a step runs them, so each is compared with its
// counterpart there.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/recorder.hpp"
#include "registry/optional/device_activity.hpp"
#include "run/network/stream_spans.hpp"

namespace sluice::run {

struct KernelLaunches {
    std::vector<const profile::Operation*> operations;  // of each activity; null: its launch is not known
    profile::Operations parts;                          // some of these: of launches with several kernels
};

// True for all that computes: kernels, fills, and copies within the device, but no collectives.
[[nodiscard]] bool is_of_launch(const registry::Activity& activity);
[[nodiscard]] bool is_collective(std::string_view kernel);
// The step that the loop was enqueuing at this time; 0: none.
[[nodiscard]] std::int64_t step_at(const std::vector<profile::StepBegin>& steps, double time);

// `records` are sorted by begin_ns. The operations of `launches`, which are sorted by time, must outlive the result.
[[nodiscard]] KernelLaunches find_launches(const std::vector<registry::Activity>& records,
                                           const std::vector<StreamSpans::Launch>& launches,
                                           const std::vector<profile::StepBegin>& steps);

}  // namespace sluice::run

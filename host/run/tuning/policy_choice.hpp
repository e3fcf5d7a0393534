// Which policy a policy of candidates stands for, such as `auto`: the one whose training steps are measured to be the
// fastest on this device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "plan/toolbox.hpp"

namespace sluice::run {

// What steps are measured of.
struct PolicyCase {
    const config::PipelineSpec& spec;
    const registry::Optimizer& optimizer;
    std::span<const registry::Field> fields;  // of a batch
    int threads = 1;
    double memory = 0.5;  // of the device's: for replicas of all candidates at once
};

struct PolicyChoice {
    std::string name;     // empty: no policy of the pipeline has candidates
    std::string why;      // "float32 12.3 ms, mixed_bfloat16 8.1 ms (x0.66) a step"
    std::string asked{};  // the policy that it stands for: "auto"
};

// Puts the policy that is chosen in the place of tools.measured. The choice is remembered in tools.choices, and taken
// from there where it is known. Where nothing may be measured that policy stays, and with it float32.
PolicyChoice settle_policy(const PolicyCase& wanted, plan::Toolbox& tools);

// Puts there what a training has settled, where it is a candidate; else the policy stays.
void adopt_policy(const std::string& name, plan::Toolbox& tools);

}  // namespace sluice::run

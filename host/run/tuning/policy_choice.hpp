// Choice of the precision policy if the pipeline names a policy with candidates, such as `auto`: the candidate with the
// fastest training steps on this device. Unlike sdk::choose_candidate(), it also remembers the measured times, for the
// log, and it keeps float32 if nothing may be measured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/optimizer.hpp"

namespace sluice::run {

// The training whose steps are measured.
struct PolicyCase {
    const config::PipelineSpec& spec;
    const registry::Optimizer& optimizer;
    std::span<const registry::Field> fields;  // of a batch
    int threads = 1;
    double memory = 0.5;  // share of the free device memory, for the replicas of all candidates together
};

struct PolicyChoice {
    std::string name;     // empty: no policy of the pipeline has candidates
    std::string why;      // "float32 12.3 ms, mixed_bfloat16 8.1 ms (x0.66) a step"
    std::string asked{};  // the policy in the pipeline: "auto"
};

// Replaces the policy tools.measured by the chosen candidate. Remembers the choice in tools.choices, and takes it from
// there if it is known. If nothing may be measured, the policy with candidates stays, which computes in float32.
PolicyChoice settle_policy(const PolicyCase& wanted, plan::Toolbox& tools);

// Replaces the policy by `name`, which a training has chosen, if it is one of the candidates.
void adopt_policy(const std::string& name, plan::Toolbox& tools);

}  // namespace sluice::run

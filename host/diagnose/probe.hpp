// Reads what the launches of a step leave: outputs after forward, their gradients before backward of the layer that
// made them, when all that read them have added theirs. Tensors within a chain on one kernel do not exist.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plan/plan.hpp"
#include "run/network/launch_watch.hpp"
#include "run/replica/replica.hpp"

namespace sluice::diagnose {

enum class Sort { output, gradient, parameter_gradient };

// `node` made the tensor, or has the parameters.
using Seen = std::function<void(const plan::Node& node, Sort sort, sluice_dtype dtype, std::span<const float> values)>;

class Probe : public run::LaunchWatch {
public:
    // Tells `seen` of the next step of the replica, until it ends.
    Probe(run::Replica& replica, Seen seen);
    ~Probe() override;
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    void pass_begins() override;
    void launch_ended(const plan::Launch& launch) override;

private:
    void before(std::size_t launch);
    void look_at_parameters();

    run::Replica& replica_;
    Seen seen_;
    std::size_t next_ = 0;  // launch of the step
    bool in_forward_ = false;
};

}  // namespace sluice::diagnose

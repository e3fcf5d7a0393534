// Reads the tensors of a step: outputs after forward, and their gradients before backward of the layer that made them,
// when all its consumers have added theirs. Tensors inside a chain that one kernel fuses do not exist.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plan/plan.hpp"
#include "run/network/launch_callback.hpp"
#include "run/replica/replica.hpp"

namespace sluice::diagnose {

enum class TensorKind { output, gradient, parameter_gradient };

// `node` made the tensor or owns the parameters.
using Seen =
    std::function<void(const plan::Node& node, TensorKind kind, sluice_dtype dtype, std::span<const float> values)>;

class TensorReading : public run::LaunchCallback {
public:
    // Calls `seen` for the tensors of the next step of the replica, while this object lives.
    TensorReading(run::Replica& replica, Seen seen);
    ~TensorReading() override;
    TensorReading(const TensorReading&) = delete;
    TensorReading& operator=(const TensorReading&) = delete;

    void pass_begins() override;
    void launch_ended(const plan::Launch& launch) override;

private:
    void before(std::size_t launch);
    void look_at_parameters();

    run::Replica& replica_;
    Seen seen_;
    std::size_t next_ = 0;  // number of the next launch in the step
    bool in_forward_ = false;
};

}  // namespace sluice::diagnose

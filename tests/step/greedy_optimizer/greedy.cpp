// An optimizer that does what none may: it allocates in each step.
#include <vector>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

class Greedy final : public Optimizer {
public:
    Greedy(Host, Options) {}
    void describe(const OptimizerSink&) const override {}
    void update(const sluice_optimizer_launch& launch) const override {
        std::vector<float> steps(launch.gradients, launch.gradients + launch.count);
        for (std::uint64_t i = 0; i < launch.count; ++i) {
            launch.parameters[i] -=
                static_cast<float>(launch.scalars->rate * launch.scalars->gradient_scale) * steps[i];
        }
    }
};

constexpr sluice_component kComponents[] = {component<Greedy>("test.optimizer.greedy")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)

// An optimizer that breaks a rule on purpose: each of its threads allocates in each step.
#include <vector>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

class Greedy final : public Optimizer {
public:
    Greedy(Host, Options) {}
    void describe(const OptimizerSink&) const override {}
    void update(const sluice_optimizer_launch& launch) const override {
        const auto count = static_cast<std::int64_t>(launch.count);
        parallel_for(launch.threads, count, 1, [&](std::int64_t first, std::int64_t last, std::uint32_t) {
            const std::vector<float> steps(launch.gradients + first, launch.gradients + last);
            for (std::int64_t i = first; i < last; ++i) {
                launch.parameters[i] -= static_cast<float>(launch.scalars->rate * launch.scalars->gradient_scale) *
                                        steps[static_cast<std::size_t>(i - first)];
            }
        });
    }
};

constexpr sluice_component kComponents[] = {component<Greedy>("test.optimizer.greedy")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)

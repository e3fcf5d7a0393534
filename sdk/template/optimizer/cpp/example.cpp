// The optimizer `example`: gradient descent with momentum.
#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class ExampleOptimizer : public sdk::Optimizer {
public:
    ExampleOptimizer(sdk::Host, const sdk::Options& options)
        : momentum_(static_cast<float>(options.number("momentum"))) {}

    // One number for each parameter, initially zero; the host keeps it and saves it in checkpoints.
    void describe(const sdk::OptimizerSink& sink) const override { sink.state("direction"); }

    // Works element by element: ranges come in any order, and no parameter depends on another.
    void update(const sluice_optimizer_launch& launch) const override {
        if (launch.scalars->skip != 0) {
            return;  // a skipped step changes nothing
        }
        const auto scale = static_cast<float>(launch.scalars->gradient_scale);
        const auto rate = static_cast<float>(launch.scalars->rate);
        float* const direction = launch.states[0];
        sdk::parallel_for(launch.threads, static_cast<std::int64_t>(launch.count), kGrain,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t i = begin; i < end; ++i) {
                                  direction[i] = momentum_ * direction[i] + scale * launch.gradients[i];
                                  launch.parameters[i] -= rate * direction[i];
                              }
                          });
    }

private:
    static constexpr std::int64_t kGrain = 16384;  // elements that are worth a thread of their own

    float momentum_;
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleOptimizer>("com.acme.optimizer.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)

// The pass moves 12 bytes per element without momentum, 20 with it.
#include "optimizers/optimizers.hpp"
#include "optimizers/update.cuh"

namespace sluice::cudnn {
namespace {

struct PlainRule {
    static constexpr int kStates = 0;
    struct Scalars {
        float scale;
        float rate;
    };
    float decay;

    __device__ Scalars scalars(const sluice_step_scalars& step) const {
        return {static_cast<float>(step.gradient_scale), static_cast<float>(step.rate)};
    }
    __device__ void update(const Scalars& s, float& weight, float gradient, float* /*states*/) const {
        weight -= s.rate * (gradient * s.scale + decay * weight);
    }
};

struct MomentumRule {
    static constexpr int kStates = 1;
    using Scalars = PlainRule::Scalars;
    float decay;
    float momentum;
    bool nesterov;

    __device__ Scalars scalars(const sluice_step_scalars& step) const {
        return {static_cast<float>(step.gradient_scale), static_cast<float>(step.rate)};
    }
    __device__ void update(const Scalars& s, float& weight, float gradient, float* states) const {
        const float slope = gradient * s.scale + decay * weight;
        const float direction = momentum * states[0] + slope;
        states[0] = direction;
        weight -= s.rate * (nesterov ? slope + momentum * direction : direction);
    }
};

}  // namespace

Sgd::Sgd(sdk::Host, sdk::Options options)
    : momentum_(options.number("momentum")),
      nesterov_(options.boolean("nesterov")),
      weight_decay_(options.number("weight_decay")) {
    if (nesterov_ && momentum_ <= 0.0) {
        throw sdk::Failure(SLUICE_INVALID, "sgd: nesterov = true needs a momentum above 0, such as momentum = 0.9");
    }
}

void Sgd::describe(const sdk::OptimizerSink& sink) const {
    if (momentum_ > 0.0) {
        sink.state("momentum");
    }
}

void Sgd::update(const sluice_optimizer_launch& launched) const {
    const auto decay = static_cast<float>(weight_decay_);
    if (momentum_ <= 0.0) {
        update_all(launched, PlainRule{decay});
    } else {
        update_all(launched, MomentumRule{decay, static_cast<float>(momentum_), nesterov_});
    }
}

}  // namespace sluice::cudnn

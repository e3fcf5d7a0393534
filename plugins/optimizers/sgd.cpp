// Per element, in float32:  g = gradient * scale + decay * w;  m = momentum * m + g;  w -= rate * d, where d is g
// without momentum, m with it, and g + momentum * m for Nesterov's. A buffer of zeros makes the first m equal to g.
#include "sgd.hpp"

#include "update.hpp"

namespace sluice::optimizers {
namespace {

struct Scalars {
    float scale;
    float decay;
    float momentum;
    float rate;
    bool nesterov;
};

SLUICE_CLONES
void step_plain(const Scalars& scalars, float* __restrict weights, const float* __restrict gradients,
                std::int64_t begin, std::int64_t end) {
    const Scalars s = scalars;  // a local copy, which the stores below cannot change
    for (std::int64_t i = begin; i < end; ++i) {
        weights[i] -= s.rate * (gradients[i] * s.scale + s.decay * weights[i]);
    }
}

SLUICE_CLONES
void step_momentum(const Scalars& scalars, float* __restrict weights, const float* __restrict gradients,
                   float* __restrict buffer, std::int64_t begin, std::int64_t end) {
    const Scalars s = scalars;
    for (std::int64_t i = begin; i < end; ++i) {
        const float gradient = gradients[i] * s.scale + s.decay * weights[i];
        const float direction = s.momentum * buffer[i] + gradient;
        buffer[i] = direction;
        weights[i] -= s.rate * (s.nesterov ? gradient + s.momentum * direction : direction);
    }
}

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

void Sgd::update(const sluice_optimizer_launch& launch) const {
    const Scalars scalars{static_cast<float>(launch.scalars->gradient_scale), static_cast<float>(weight_decay_),
                          static_cast<float>(momentum_), static_cast<float>(launch.scalars->rate), nesterov_};
    update_pieces(launch, [&](std::int64_t begin, std::int64_t end) {
        if (momentum_ <= 0.0) {
            step_plain(scalars, launch.parameters, launch.gradients, begin, end);
        } else {
            step_momentum(scalars, launch.parameters, launch.gradients, launch.states[0], begin, end);
        }
    });
}

}  // namespace sluice::optimizers

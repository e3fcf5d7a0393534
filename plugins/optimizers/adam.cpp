// Per element, in float32, with scalars computed in double as PyTorch does:
//   g = gradient * scale + l2 * w;  w *= shrink;  m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g * g
//   w -= rate / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + epsilon)
#include "adam.hpp"

#include <cmath>
#include <string>

#include "update.hpp"

namespace sluice::optimizers {
namespace {

struct Scalars {
    float scale;
    float l2;
    float shrink;
    float beta1;
    float rest1;  // 1 - beta1
    float beta2;
    float rest2;        // 1 - beta2
    float correction2;  // sqrt(1 - beta2^t)
    float epsilon;
    float size;  // rate / (1 - beta1^t)
};

SLUICE_CLONES
void step(const Scalars& scalars, float* __restrict weights, const float* __restrict gradients,
          float* __restrict moment1, float* __restrict moment2, std::int64_t begin, std::int64_t end) {
    const Scalars s = scalars;  // a local copy, which the stores below cannot change
    for (std::int64_t i = begin; i < end; ++i) {
        const float gradient = gradients[i] * s.scale + s.l2 * weights[i];
        const float mean = s.beta1 * moment1[i] + s.rest1 * gradient;
        const float square = s.beta2 * moment2[i] + s.rest2 * gradient * gradient;
        moment1[i] = mean;
        moment2[i] = square;
        weights[i] = s.shrink * weights[i] - s.size * mean / (std::sqrt(square) / s.correction2 + s.epsilon);
    }
}

double checked_beta(const sdk::Options& options, const char* name) {
    const double beta = options.number(name);
    if (!(beta >= 0.0 && beta < 1.0)) {
        throw sdk::Failure(SLUICE_INVALID,
                           std::string(name) + " is " + std::to_string(beta) + "; it must be at least 0 and below 1");
    }
    return beta;
}

}  // namespace

Adam::Adam(sdk::Host, sdk::Options options) : Adam(options, Decay::coupled) {}

Adam::Adam(sdk::Options options, Decay decay)
    : beta1_(checked_beta(options, "beta1")),
      beta2_(checked_beta(options, "beta2")),
      epsilon_(options.number("epsilon")),
      weight_decay_(options.number("weight_decay")),
      decay_(decay) {}

void Adam::describe(const sdk::OptimizerSink& sink) const {
    sink.state("moment1");
    sink.state("moment2");
}

void Adam::update(const sluice_optimizer_launch& launch) const {
    const double t = static_cast<double>(launch.scalars->step);
    const double rate = launch.scalars->rate;
    const bool coupled = decay_ == Decay::coupled;
    const Scalars scalars{
        .scale = static_cast<float>(launch.scalars->gradient_scale),
        .l2 = coupled ? static_cast<float>(weight_decay_) : 0.0F,
        .shrink = coupled ? 1.0F : static_cast<float>(1.0 - rate * weight_decay_),
        .beta1 = static_cast<float>(beta1_),
        .rest1 = static_cast<float>(1.0 - beta1_),
        .beta2 = static_cast<float>(beta2_),
        .rest2 = static_cast<float>(1.0 - beta2_),
        .correction2 = static_cast<float>(std::sqrt(1.0 - std::pow(beta2_, t))),
        .epsilon = static_cast<float>(epsilon_),
        .size = static_cast<float>(rate / (1.0 - std::pow(beta1_, t))),
    };
    update_pieces(launch, [&](std::int64_t begin, std::int64_t end) {
        step(scalars, launch.parameters, launch.gradients, launch.states[0], launch.states[1], begin, end);
    });
}

}  // namespace sluice::optimizers

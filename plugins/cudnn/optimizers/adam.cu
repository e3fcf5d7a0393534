// The pass moves 28 bytes per element. The formulas are those of plugins/optimizers/adam.cpp.
#include <cmath>
#include <string>

#include "optimizers/optimizers.hpp"
#include "optimizers/update.cuh"

namespace sluice::cudnn {
namespace {

struct AdamRule {
    static constexpr int kStates = 2;
    struct Scalars {
        float scale;
        float shrink;
        float correction2;  // sqrt(1 - beta2^t)
        float size;         // rate / (1 - beta1^t)
    };
    double decay1;      // beta1
    double decay2;      // beta2
    double shrinks_by;  // a step shrinks parameters by rate times this
    float l2;
    float beta1;
    float rest1;  // 1 - beta1
    float beta2;
    float rest2;  // 1 - beta2
    float epsilon;

    __device__ Scalars scalars(const sluice_step_scalars& step) const {
        const auto t = static_cast<double>(step.step);
        return {static_cast<float>(step.gradient_scale), static_cast<float>(1.0 - step.rate * shrinks_by),
                static_cast<float>(std::sqrt(1.0 - std::pow(decay2, t))),
                static_cast<float>(step.rate / (1.0 - std::pow(decay1, t)))};
    }
    __device__ void update(const Scalars& s, float& weight, float gradient, float* states) const {
        const float slope = gradient * s.scale + l2 * weight;
        const float mean = beta1 * states[0] + rest1 * slope;
        const float square = beta2 * states[1] + rest2 * slope * slope;
        states[0] = mean;
        states[1] = square;
        weight = s.shrink * weight - s.size * mean / (std::sqrt(square) / s.correction2 + epsilon);
    }
};

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

void Adam::update(const sluice_optimizer_launch& launched) const {
    const bool coupled = decay_ == Decay::coupled;
    update_all(launched, AdamRule{.decay1 = beta1_,
                                  .decay2 = beta2_,
                                  .shrinks_by = coupled ? 0.0 : weight_decay_,
                                  .l2 = coupled ? static_cast<float>(weight_decay_) : 0.0F,
                                  .beta1 = static_cast<float>(beta1_),
                                  .rest1 = static_cast<float>(1.0 - beta1_),
                                  .beta2 = static_cast<float>(beta2_),
                                  .rest2 = static_cast<float>(1.0 - beta2_),
                                  .epsilon = static_cast<float>(epsilon_)});
}

}  // namespace sluice::cudnn

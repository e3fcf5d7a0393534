// The optimizers of plugins/optimizers on a GPU, with the same names, options and arithmetic. They give the same bits,
// except where powers of float64 differ between libraries.
#pragma once

#include "sluice/sdk/run.hpp"

namespace sluice::cudnn {

class Sgd : public sdk::Optimizer {
public:
    Sgd(sdk::Host host, sdk::Options options);
    void describe(const sdk::OptimizerSink& sink) const override;
    void update(const sluice_optimizer_launch& launched) const override;

private:
    double momentum_;
    bool nesterov_;
    double weight_decay_;
};

class Adam : public sdk::Optimizer {
public:
    Adam(sdk::Host host, sdk::Options options);
    void describe(const sdk::OptimizerSink& sink) const override;
    void update(const sluice_optimizer_launch& launched) const override;

protected:
    // coupled: decay is a term of the gradient; decoupled: it shrinks the parameters by itself.
    enum class Decay { coupled, decoupled };
    Adam(sdk::Options options, Decay decay);

private:
    double beta1_;
    double beta2_;
    double epsilon_;
    double weight_decay_;
    Decay decay_;
};

class AdamW : public Adam {
public:
    AdamW(sdk::Host, sdk::Options options) : Adam(options, Decay::decoupled) {}
};

}  // namespace sluice::cudnn

// Adam as in torch.optim.Adam, and AdamW as in torch.optim.AdamW: the same step with another weight decay.
#pragma once

#include "sluice/sdk/run.hpp"

namespace sluice::optimizers {

class Adam : public sdk::Optimizer {
public:
    Adam(sdk::Host host, sdk::Options options);
    void describe(const sdk::OptimizerSink& sink) const override;
    void update(const sluice_optimizer_launch& launch) const override;

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

}  // namespace sluice::optimizers

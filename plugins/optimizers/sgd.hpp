// Stochastic gradient descent as in torch.optim.SGD, without dampening.
#pragma once

#include "sluice/sdk/run.hpp"

namespace sluice::optimizers {

class Sgd : public sdk::Optimizer {
public:
    Sgd(sdk::Host host, sdk::Options options);
    void describe(const sdk::OptimizerSink& sink) const override;
    void update(const sluice_optimizer_launch& launch) const override;

private:
    double momentum_;
    bool nesterov_;
    double weight_decay_;
};

}  // namespace sluice::optimizers

#include "conv/fold.hpp"

namespace sluice::cudnn {

bool folds_batch_norm(const sdk::Chain& chain, std::size_t convolution) {
    const std::size_t after = chain.size() - convolution - 1;
    return (after == 1 || after == 2) && !chain[convolution].trains() &&
           chain[convolution + 1].type() == "batch_norm" && (after == 1 || chain[convolution + 2].type() == "relu");
}

bool is_folded_conv2d(const sdk::Chain& chain) { return chain[0].type() == "conv2d" && folds_batch_norm(chain, 0); }

FoldNumbers fold_numbers(const sluice_launch& launch, bool has_bias, double epsilon) {
    return {.bias = has_bias ? sdk::parameter(launch, 1) : nullptr,
            .gamma = sdk::parameter(launch, has_bias ? 2 : 1),
            .beta = sdk::parameter(launch, has_bias ? 3 : 2),
            .mean = sdk::state(launch, 0),
            .variance = sdk::state(launch, 1),
            .epsilon = epsilon};
}

}  // namespace sluice::cudnn

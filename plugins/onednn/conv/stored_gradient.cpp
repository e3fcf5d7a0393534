#include "conv/stored_gradient.hpp"

#include "math/elementwise.hpp"

namespace sluice::onednn {

StoredWeightGradient::StoredWeightGradient(const dnnl::engine& engine, const Md& written, const Md& bias,
                                           const Md& canonical, Layout& workspace)
    : filters_(static_cast<std::int64_t>(bias.get_size() / sizeof(float))),
      weights_(workspace.take(written.get_size())),
      bias_(workspace.take(bias.get_size())),
      write_(make_reorder(engine, written, canonical)),
      add_(make_reorder(engine, written, canonical, true)) {}

void StoredWeightGradient::store(const sluice_launch& launch) {
    const bool accumulate = launch.accumulate_parameters != 0;
    if (float* gradient = sdk::parameter_gradient(launch, 0)) {
        (accumulate ? add_ : write_).execute({{DNNL_ARG_FROM, weights(launch)}, {DNNL_ARG_TO, gradient}});
    }
    if (float* gradient = filters_ > 0 ? sdk::parameter_gradient(launch, 1) : nullptr) {
        store_gradient(gradient, bias(launch), filters_, accumulate);
    }
}

}  // namespace sluice::onednn

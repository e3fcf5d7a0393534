#include "conv/bias_gradient.hpp"

#include <algorithm>

#include "math/channel_sums.hpp"
#include "math/element.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::onednn {

BiasGradient::BiasGradient(const ConvGeometry& geometry, std::int64_t threads, Layout& workspace)
    : type_(geometry.output),
      pixels_(geometry.batch * geometry.height.out * geometry.width.out),
      filters_(geometry.filters),
      threads_(threads),
      sums_(workspace.take(static_cast<std::uint64_t>(threads * filters_) * sizeof(double))),
      scratch_(workspace.take(static_cast<std::uint64_t>(threads * filters_) * sizeof(float))) {}

template <class Element>
void BiasGradient::sum_up(const sluice_launch& launch, const Element* gradient, double* sums) const {
    std::fill_n(sums, threads_ * filters_, 0.0);
    sdk::parallel_for(launch.threads, pixels_, (pixels_ + threads_ - 1) / threads_,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
                          add_sums(sums + piece * filters_, gradient + begin * filters_, end - begin, filters_,
                                   at(launch, scratch_) + piece * filters_);
                      });
}

void BiasGradient::run(const sluice_launch& launch, const void* gradient, float* bias, bool add) const {
    auto* sums = reinterpret_cast<double*>(at(launch, sums_));
    if (type_ == DataType::bf16) {
        sum_up(launch, static_cast<const Bfloat16*>(gradient), sums);
    } else {
        sum_up(launch, static_cast<const float*>(gradient), sums);
    }
    for (std::int64_t filter = 0; filter < filters_; ++filter) {
        double sum = 0.0;
        for (std::int64_t thread = 0; thread < threads_; ++thread) {
            sum += sums[thread * filters_ + filter];
        }
        bias[filter] = (add ? bias[filter] : 0.0F) + static_cast<float>(sum);
    }
}

}  // namespace sluice::onednn

#include "run/network/statistics_backup.hpp"

#include <utility>

namespace sluice::run {

StatisticsBackup::StatisticsBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights)
    : StatisticsBackup(std::move(device), stream, weights, {{0, weights.running_count()}}) {}

StatisticsBackup::StatisticsBackup(std::shared_ptr<const registry::Device> device, void* stream, const Weights& weights,
                                   std::vector<plan::Range> ranges)
    : device_(std::move(device)),
      stream_(stream),
      weights_(weights),
      ranges_(std::move(ranges)),
      backup_(device_, weights.running_count() * sizeof(float)) {}

void StatisticsBackup::take() const {
    auto* const backup = reinterpret_cast<float*>(backup_.data());
    for (const plan::Range& range : ranges_) {
        device_->copy(backup + range.begin, weights_.running() + range.begin, range.count() * sizeof(float), stream_);
    }
}

void StatisticsBackup::put_back() const {
    const auto* const backup = reinterpret_cast<const float*>(backup_.data());
    for (const plan::Range& range : ranges_) {
        device_->copy(weights_.running() + range.begin, backup + range.begin, range.count() * sizeof(float), stream_);
    }
}

void StatisticsBackup::put_back_unless_done(const StepState& state) const {
    state.calls().restore(weights_.running(), reinterpret_cast<const float*>(backup_.data()), weights_.running_count(),
                          state.report());
}

}  // namespace sluice::run

#include "run/train/timeline.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace sluice::run {

Timeline::Timeline(const config::PipelineSpec& spec, std::uint64_t batches_per_epoch)
    : spec_(spec),
      batches_per_epoch_(batches_per_epoch),
      accumulate_(static_cast<std::uint64_t>(spec.train.accumulate)),
      steps_per_epoch_((batches_per_epoch_ + accumulate_ - 1) / accumulate_) {
    if (steps_per_epoch_ == 0) {
        throw Error(Exit::data, "the training data has no samples");
    }
}

// The training has the steps that were done, and those that its remaining epochs need.
void Timeline::begin(const Progress& progress) {
    const std::uint64_t rest = (batches_per_epoch_ - progress.batch + accumulate_ - 1) / accumulate_;
    const std::uint64_t begun = steps_per_epoch_ - rest;
    const auto epochs = static_cast<std::uint64_t>(spec_.train.epochs);
    const std::uint64_t left =
        epochs > progress.epoch ? (epochs - progress.epoch) * steps_per_epoch_ - begun : std::uint64_t{0};
    const std::uint64_t length = progress.step + left;
    last_step_ = spec_.train.steps ? std::min(static_cast<std::uint64_t>(*spec_.train.steps), length) : length;
    const bool is_changed = progress.step != progress.epoch * steps_per_epoch_ + begun;
    const EpochStart start{.epoch = progress.epoch,
                           .update = static_cast<std::int64_t>(progress.updates()) - static_cast<std::int64_t>(begun)};
    schedule_.emplace(spec_.schedule, scaled_rate(spec_), length, steps_per_epoch_, is_changed ? start : EpochStart{});
}

std::uint64_t Timeline::batches_of_step(const Progress& progress) const {
    return std::min(accumulate_, batches_per_epoch_ - progress.batch);
}

bool Timeline::is_epoch_begun(const Progress& progress) const {
    return progress.batch == std::min(accumulate_, batches_per_epoch_);
}

bool Timeline::is_due(const config::Interval& every, const Progress& progress) {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(every.count, 1));
    return every.epochs ? progress.batch == 0 && progress.epoch % count == 0 : progress.step % count == 0;
}

std::int64_t epoch_of_last_step(const Progress& progress) {
    return static_cast<std::int64_t>(progress.batch == 0 ? progress.epoch : progress.epoch + 1);
}

}  // namespace sluice::run

#include "run/network/device_clock.hpp"

#include <algorithm>
#include <utility>

namespace sluice::run {

DeviceClock::DeviceClock(const std::shared_ptr<const registry::Device>& device, void* stream) : stream_(stream) {
    if (device->time() != nullptr) {
        stamps_.emplace(device, kMarks, kSteps * kMostTimed);
    }
}

// All micro-batches use the same marks, since they may replay the same graph.
void DeviceClock::begin_micro_batch(bool is_first) {
    if (is_first) {
        micro_batches_ = 0;
    } else if (micro_batches_ > 0 && micro_batches_ < kMostTimed) {
        copy_times(micro_batches_ - 1);
    }
    ++micro_batches_;
    mark(Mark::begin);
}

void DeviceClock::mark(Mark mark) const {
    if (stamps_) {
        stamps_->mark(stream_, static_cast<std::size_t>(mark));
    }
}

void DeviceClock::copy_times(std::uint64_t micro_batch) const {
    if (stamps_) {
        stamps_->copy(stream_, sent_ % kSteps * kMostTimed + micro_batch);
    }
}

void DeviceClock::send() {
    if (stamps_) {
        copy_times(std::clamp<std::uint64_t>(micro_batches_, 1, kMostTimed) - 1);
        sent_batches_[sent_++ % kSteps] = std::exchange(micro_batches_, 0);
    }
}

// A mark that is older than the one before it was not made in this micro-batch.
void DeviceClock::add(const Times& times, profile::StageSeconds& seconds) {
    using profile::Stage;
    constexpr std::array<std::pair<Mark, Stage>, kMarks - 1> kEnds{{{Mark::fed, Stage::upload},
                                                                    {Mark::forward, Stage::forward},
                                                                    {Mark::backward, Stage::backward},
                                                                    {Mark::exchanged, Stage::exchange},
                                                                    {Mark::updated, Stage::optimizer},
                                                                    {Mark::sent, Stage::download}}};
    std::uint64_t before = times[static_cast<std::size_t>(Mark::begin)];
    for (const auto& [mark, stage] : kEnds) {
        const std::uint64_t time = times[static_cast<std::size_t>(mark)];
        if (time > before) {
            seconds[stage] += 1e-9 * static_cast<double>(time - before);
            before = time;
        }
    }
}

profile::StageSeconds DeviceClock::take() {
    using profile::Stage;
    profile::StageSeconds seconds;
    if (!stamps_) {
        return seconds;
    }
    const std::size_t step = taken_++ % kSteps;
    const std::uint64_t timed = std::clamp<std::uint64_t>(sent_batches_[step], 1, kMostTimed);
    for (std::uint64_t micro_batch = 0; micro_batch < timed; ++micro_batch) {
        add(stamps_->read(step * kMostTimed + micro_batch), seconds);
    }
    for (const Stage stage : {Stage::upload, Stage::forward, Stage::backward}) {
        seconds[stage] *= static_cast<double>(sent_batches_[step]) / static_cast<double>(timed);
    }
    return seconds;
}

}  // namespace sluice::run

#include "run/network/device_clock.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"

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
        enqueued_ = stamps_ ? now() : 0.0;
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
        sent_enqueued_[sent_ % kSteps] = enqueued_;
        sent_batches_[sent_++ % kSteps] = std::exchange(micro_batches_, 0);
    }
}

// A mark that is older than the one before it was not made in this micro-batch.
void DeviceClock::add(const Times& times, profile::DeviceStep& step) {
    using profile::Stage;
    constexpr std::array<std::pair<Mark, Stage>, kMarks - 1> kEnds{{{Mark::fed, Stage::upload},
                                                                    {Mark::forward, Stage::forward},
                                                                    {Mark::backward, Stage::backward},
                                                                    {Mark::exchanged, Stage::exchange},
                                                                    {Mark::updated, Stage::optimizer}}};
    std::uint64_t before = times[static_cast<std::size_t>(Mark::begin)];
    profile::DeviceStep::Busy& busy = step.busy.at(step.busy_count++);
    busy.begin = 1e-9 * static_cast<double>(before);
    for (const auto& [mark, stage] : kEnds) {
        const std::uint64_t time = times[static_cast<std::size_t>(mark)];
        if (time > before) {
            step.seconds[stage] += 1e-9 * static_cast<double>(time - before);
            before = time;
        }
    }
    busy.end = 1e-9 * static_cast<double>(before);
}

profile::DeviceStep DeviceClock::take() {
    using profile::Stage;
    profile::DeviceStep step;
    if (!stamps_) {
        return step;
    }
    const std::size_t slot = taken_++ % kSteps;
    step.enqueued = sent_enqueued_[slot];
    const std::uint64_t timed = std::clamp<std::uint64_t>(sent_batches_[slot], 1, kMostTimed);
    for (std::uint64_t micro_batch = 0; micro_batch < timed; ++micro_batch) {
        add(stamps_->read(slot * kMostTimed + micro_batch), step);
    }
    if (timed < sent_batches_[slot]) {  // those between the last two are not timed
        step.busy[timed - 1].begin = step.busy[timed - 2].end;
    }
    for (const Stage stage : {Stage::upload, Stage::forward, Stage::backward}) {
        step.seconds[stage] *= static_cast<double>(sent_batches_[slot]) / static_cast<double>(timed);
    }
    return step;
}

}  // namespace sluice::run

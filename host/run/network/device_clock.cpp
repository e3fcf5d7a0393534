#include "run/network/device_clock.hpp"

#include <span>
#include <utility>

namespace sluice::run {

DeviceClock::DeviceClock(const std::shared_ptr<const registry::Device>& device, void* stream) : stream_(stream) {
    if (!device->is_host_memory() && device->time() != nullptr) {
        stamps_.emplace(device, kMarks, kSlots);
    }
}

void DeviceClock::begin_micro_batch() {
    ++micro_batches_;
    mark(Mark::begin);
}

void DeviceClock::mark(Mark mark) const {
    if (stamps_) {
        stamps_->mark(stream_, static_cast<std::size_t>(mark));
    }
}

void DeviceClock::send() {
    if (stamps_) {
        const std::size_t slot = sent_++ % kSlots;
        sent_batches_[slot] = std::exchange(micro_batches_, 0);
        stamps_->copy(stream_, slot);
    }
}

// A mark that is older than the one before it was not made in this step.
profile::StageSeconds DeviceClock::take() {
    using profile::Stage;
    profile::StageSeconds seconds;
    if (!stamps_) {
        return seconds;
    }
    const std::size_t slot = taken_++ % kSlots;
    const std::span<const std::uint64_t> times = stamps_->read(slot);
    constexpr std::array<std::pair<Mark, Stage>, kMarks - 1> kEnds{{{Mark::fed, Stage::upload},
                                                                    {Mark::forward, Stage::forward},
                                                                    {Mark::backward, Stage::backward},
                                                                    {Mark::exchanged, Stage::exchange},
                                                                    {Mark::updated, Stage::optimizer}}};
    std::uint64_t before = times[static_cast<std::size_t>(Mark::begin)];
    for (const auto& [mark, stage] : kEnds) {
        const std::uint64_t time = times[static_cast<std::size_t>(mark)];
        if (time > before) {
            seconds[stage] = 1e-9 * static_cast<double>(time - before);
            before = time;
        }
    }
    for (const Stage stage : {Stage::upload, Stage::forward, Stage::backward}) {
        seconds[stage] *= static_cast<double>(sent_batches_[slot]);
    }
    return seconds;
}

}  // namespace sluice::run

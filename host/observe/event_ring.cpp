#include "observe/event_ring.hpp"

#include <utility>

namespace sluice::observe {
namespace {

// deliver() gathers steps for this long before it calls observers. Waking its thread for each step would cost a small
// network more than the step itself.
constexpr std::chrono::milliseconds kGathering{20};

}  // namespace

void EventRing::add(const StepEvent& event) {
    bool wakes = false;
    {
        const std::lock_guard lock(mutex_);
        if (filled_ == kLength) {
            ++dropped_;
            return;
        }
        Slot& slot = take_slot();
        slot.is_step = true;
        slot.step = event;
        wakes = filled_ == 1 || filled_ == kLength / 2 + 1;
    }
    if (wakes) {
        work_.notify_one();
    }
}

bool EventRing::add(Event& event, Clock::duration most) {
    {
        std::unique_lock lock(mutex_);
        if (!room_.wait_for(lock, most, [&] { return filled_ < kLength; })) {
            return false;
        }
        Slot& slot = take_slot();
        slot.is_step = false;
        slot.event = std::move(event);
        is_urgent_ = true;
    }
    work_.notify_one();
    return true;
}

EventRing::Slot& EventRing::take_slot() {
    Slot& slot = slots_[(first_ + filled_++) % kLength];
    slot.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    return slot;
}

void EventRing::hurry() {
    const std::lock_guard lock(mutex_);
    is_urgent_ = true;
    work_.notify_one();
}

bool EventRing::wait_until_empty(Clock::duration most) {
    std::unique_lock lock(mutex_);
    return room_.wait_for(lock, most, [&] { return filled_ == 0; });
}

void EventRing::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    work_.notify_one();
}

bool EventRing::wait_until_finished(Clock::duration most) {
    std::unique_lock lock(mutex_);
    return room_.wait_for(lock, most, [&] { return is_finished_; });
}

std::uint64_t EventRing::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

bool EventRing::deliver(const std::function<void(const Slot&)>& callback) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return is_closed_ || is_urgent_ || filled_ > 0; });
    work_.wait_for(lock, kGathering, [&] { return is_closed_ || is_urgent_ || filled_ > kLength / 2; });
    is_urgent_ = false;
    for (; filled_ > 0; first_ = (first_ + 1) % kLength, --filled_) {
        lock.unlock();
        callback(slots_[first_]);
        slots_[first_].event = {};  // frees pictures, which are large
        lock.lock();
    }
    is_finished_ = is_closed_;
    room_.notify_all();
    return !is_finished_;
}

}  // namespace sluice::observe

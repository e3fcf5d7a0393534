#include "observe/event_ring.hpp"

#include <utility>

namespace sluice::observe {
namespace {

// deliver() gathers steps for this long before it calls observers. Waking its thread for each step would cost a small
// network more than the step itself.
constexpr std::chrono::milliseconds kGathering{20};

}  // namespace

void EventRing::add(const StepEvent& event) {
    bool must_wake = false;
    {
        const std::lock_guard lock(mutex_);
        Slot* const slot = take_slot_or_drop(SLUICE_EVENT_STEP);
        if (slot == nullptr) {
            return;
        }
        slot->is_step = true;
        slot->step = event;
        must_wake = wakes();
    }
    if (must_wake) {
        work_.notify_one();
    }
}

void EventRing::add_or_drop(Event event) {
    bool must_wake = false;
    {
        const std::lock_guard lock(mutex_);
        Slot* const slot = take_slot_or_drop(event.kind);
        if (slot == nullptr) {
            return;
        }
        slot->is_step = false;
        slot->event = std::move(event);
        must_wake = wakes();
    }
    if (must_wake) {
        work_.notify_one();
    }
}

bool EventRing::add(const StepEvent& event, Clock::duration most) {
    {
        std::unique_lock lock(mutex_);
        if (!room_.wait_for(lock, most, [&] { return filled_ < kLength; })) {
            return false;
        }
        Slot& slot = take_slot();
        slot.is_step = true;
        slot.step = event;
        is_urgent_ = true;
    }
    work_.notify_one();
    return true;
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

EventRing::Slot* EventRing::take_slot_or_drop(std::uint32_t kind) {
    if (filled_ == kLength) {
        ++dropped_.at(kind);
        return nullptr;
    }
    return &take_slot();
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

std::uint64_t EventRing::dropped(std::uint32_t kind) const {
    const std::lock_guard lock(mutex_);
    return kind < dropped_.size() ? dropped_[kind] : 0;
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

#include "observe/bus.hpp"

#include <algorithm>
#include <utility>

namespace sluice::observe {

Bus::Bus(std::vector<registry::Observer> observers, ObserverTimeouts timeouts, std::vector<registry::Observer> held)
    : pace_(std::make_shared<RunPace>()) {
    if (!held.empty()) {
        lanes_.emplace_back(std::move(held), true, timeouts, pace_);
    }
    if (!observers.empty()) {
        lanes_.emplace_back(std::move(observers), false, timeouts, pace_);
    }
}

bool Bus::wanted(std::uint32_t kind) const {
    return delivers(kind) && std::ranges::any_of(lanes_, [&](const Lane& lane) { return lane.wanted(kind); });
}

// Lanes that the run does not wait for get the event first, so that their observers work at the same time.
void Bus::emit(const StepEvent& event) {
    pace_->advance(event.step, event.epoch);
    pace_->add_step(event.step, event.value("step_seconds"));
    for (auto lane = lanes_.rbegin(); lane != lanes_.rend(); ++lane) {
        if (delivers(SLUICE_EVENT_STEP) && lane->wanted(SLUICE_EVENT_STEP)) {
            lane->emit(event);
        }
    }
}

void Bus::emit(Event event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        pace_->begin(event.step);
    } else if (event.kind == SLUICE_EVENT_USAGE) {
        if (!pace_->is_running()) {
            return;
        }
        event.step = pace_->step();
        event.epoch = pace_->epoch();
    } else {
        pace_->advance(event.step, event.epoch);
    }
    if (event.kind == SLUICE_EVENT_RUN_END) {
        pace_->end();
    }
    for (auto lane = lanes_.rbegin(); lane != lanes_.rend(); ++lane) {
        if (delivers(event.kind) && lane->wanted(event.kind)) {
            lane->emit(event);
        }
    }
}

bool Bus::flush(std::chrono::seconds most) {
    const Lane::Clock::time_point end = Lane::Clock::now() + most;
    bool is_empty = true;
    for (Lane& lane : lanes_) {
        is_empty = lane.flush(end) && is_empty;
    }
    return is_empty;
}

std::string Bus::unfinished() const {
    std::string all;
    for (const Lane& lane : lanes_) {
        const std::string reason = lane.unfinished();
        all += (all.empty() || reason.empty() ? "" : "; ") + reason;
    }
    return all;
}

}  // namespace sluice::observe

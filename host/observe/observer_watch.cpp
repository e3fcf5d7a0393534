#include "observe/observer_watch.hpp"

#include <fmt/format.h>

#include <condition_variable>

#include "base/log.hpp"
#include "registry/loading/load.hpp"

namespace sluice::observe {

void ObserverWatch::enter(const registry::Component& observer) {
    const std::lock_guard lock(mutex_);
    called_ = &observer;
    since_ = Clock::now();
}

void ObserverWatch::leave() {
    std::unique_lock lock(mutex_);
    if (is_abandoned_) {
        std::condition_variable never;
        never.wait(lock, [] { return false; });
    }
    called_ = nullptr;
}

void ObserverWatch::add_unfinished(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    unfinished_ += (unfinished_.empty() ? "" : "; ") + reason;
}

bool ObserverWatch::check() {
    const std::lock_guard lock(mutex_);
    check_callback(false);
    return !is_abandoned_;
}

bool ObserverWatch::wait_for(const std::function<bool(Clock::duration most)>& wait) {
    while (!is_abandoned() && !wait(timeouts_.warn / 10)) {
        const std::lock_guard lock(mutex_);
        check_callback(true);
    }
    return !is_abandoned();
}

std::string ObserverWatch::unfinished() const {
    const std::lock_guard lock(mutex_);
    return unfinished_;
}

void ObserverWatch::check_callback(bool waits) {
    if (called_ == nullptr) {
        return;  // without a look at the clock: the loop checks at each step
    }
    const auto lasts = Clock::now() - since_;
    if (lasts < timeouts_.warn) {
        return;
    }
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    if (warned_ != since_) {
        warned_ = since_;
        log::warn(
            fmt::format("observer {} has been handling one event for {:.3g} s; {} for this event until {:.3g} s "
                        "have passed",
                        called_->label, seconds(lasts),
                        holds_ ? "training waits (hold = true)" : "training continues, but at its end it waits",
                        seconds(timeouts_.give_up)));
    }
    if (waits && lasts >= timeouts_.give_up) {
        is_abandoned_ = true;
        unfinished_ = fmt::format("observer {} did not return from an event", called_->label);
        registry::never_close(*called_->plugin);
        log::error(
            fmt::format("observer {} did not return from an event within {:.3g} s; the run continues without "
                        "observers",
                        called_->label, seconds(timeouts_.give_up)));
    }
}

bool ObserverWatch::is_abandoned() const {
    const std::lock_guard lock(mutex_);
    return is_abandoned_;
}

}  // namespace sluice::observe

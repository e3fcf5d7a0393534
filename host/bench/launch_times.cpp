#include "bench/launch_times.hpp"

#include <algorithm>
#include <numeric>

#include "base/clock.hpp"

namespace sluice::bench {
namespace {

constexpr std::size_t kDirections = 3;

std::size_t place_of(const plan::Launch& launch) {
    return kDirections * launch.step + static_cast<std::size_t>(launch.direction);
}

}  // namespace

LaunchTimes::LaunchTimes(std::shared_ptr<const registry::Device> device, void* stream, std::size_t steps)
    : device_(std::move(device)), stream_(stream), current_(kDirections * steps, 0.0), kept_(kDirections * steps) {}

void LaunchTimes::mark() {
    if (marks_ == events_.size()) {
        events_.emplace_back(device_);
    }
    events_[marks_++].record(stream_);
}

void LaunchTimes::hold() {
    constexpr double kMore = 1.5;  // times what the host needed
    if (is_first_step()) {
        return;
    }
    if (!hold_) {
        hold_.emplace(device_, stream_);
    }
    holds_.push_back(marks_);
    mark();
    hold_->put(kMore * longest_);
}

void LaunchTimes::pass_begins() {
    if (device_->streams() != nullptr) {
        hold();
        mark();
        last_ = now();
        return;
    }
    device_->wait(stream_);
    last_ = now();
}

void LaunchTimes::launch_ended(const plan::Launch& launch) {
    if (device_->streams() != nullptr) {
        marked_.push_back({place_of(launch), marks_ - 1});
        mark();
        longest_ = is_first_step() ? std::max(longest_, now() - last_) : longest_;
        return;
    }
    device_->wait(stream_);
    const double time = now();
    current_[place_of(launch)] += time - last_;
    last_ = time;
}

void LaunchTimes::update_ended() {
    if (device_->streams() != nullptr) {
        update_mark_ = marks_ - 1;
        mark();
        return;
    }
    device_->wait(stream_);
    update_ = now() - last_;
}

void LaunchTimes::read_events() {
    if (marks_ > 0) {
        events_[marks_ - 1].wait();
    }
    for (const auto& [place, before] : marked_) {
        current_[place] += events_[before].seconds_to(events_[before + 1]);
    }
    held_ = 0.0;
    for (const std::size_t before : holds_) {
        held_ += events_[before].seconds_to(events_[before + 1]);
    }
    if (update_mark_) {
        update_ = events_[*update_mark_].seconds_to(events_[*update_mark_ + 1]);
        update_mark_.reset();
    }
    marked_.clear();
    holds_.clear();
    marks_ = 0;
}

double LaunchTimes::end_step() {
    read_events();
    const double sum = std::accumulate(current_.begin(), current_.end(), 0.0);
    for (std::size_t i = 0; i < current_.size(); ++i) {
        kept_[i].push_back(current_[i]);
        current_[i] = 0.0;
    }
    return sum;
}

const std::vector<double>& LaunchTimes::of(const plan::Launch& launch) const { return kept_[place_of(launch)]; }

}  // namespace sluice::bench

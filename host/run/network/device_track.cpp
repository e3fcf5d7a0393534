#include "run/network/device_track.hpp"

#include <span>
#include <utility>

#include "base/clock.hpp"

namespace sluice::run {

DeviceTrack::DeviceTrack(std::shared_ptr<const registry::Device> device, void* stream)
    : device_(std::move(device)), stream_(stream), stamps_(device_, kMostMarks, 1), clock_(device_, 1, 1) {
    marks_.reserve(kMostMarks);
    device_->wait(stream_);
    began_ = read_clocks();
}

void DeviceTrack::mark(const Mark& mark) {
    if (marks_.size() == kMostMarks) {
        dropped_ += mark.operation != nullptr ? 1 : 0;
        return;
    }
    stamps_.mark(stream_, marks_.size());
    marks_.push_back(mark);
}

// The device reads its clock between two readings of the host's. The closest pair of these is used.
DeviceTrack::Moment DeviceTrack::read_clocks() const {
    constexpr int kReadings = 16;
    Moment best;
    double least = 0.0;
    for (int i = 0; i < kReadings; ++i) {
        const double before = now();
        clock_.mark(stream_, 0);
        device_->wait(stream_);
        const double took = now() - before;
        if (i > 0 && took >= least) {
            continue;
        }
        clock_.copy(stream_, 0);
        device_->wait(stream_);
        best = {.host = before + took / 2.0, .device = clock_.read(0).front()};
        least = took;
    }
    return best;
}

// The clocks may differ in rate, so they are compared again at the end.
std::vector<profile::Span> DeviceTrack::take() const {
    stamps_.copy(stream_, 0);
    device_->wait(stream_);
    const Moment ended = read_clocks();
    const auto seconds_since_begin = [&](std::uint64_t time) {
        return 1e-9 * static_cast<double>(static_cast<std::int64_t>(time - began_.device));
    };
    const double lasted = seconds_since_begin(ended.device);
    const double rate = lasted > 0.0 ? (ended.host - began_.host) / lasted : 1.0;
    const auto by_host = [&](std::uint64_t time) { return began_.host + rate * seconds_since_begin(time); };
    const std::span<const std::uint64_t> times = stamps_.read(0);
    std::vector<profile::Span> spans;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
        const Mark& mark = marks_[i];
        if (mark.operation != nullptr) {
            spans.push_back({.begin = by_host(times[i - 1]),
                             .end = by_host(times[i]),
                             .kind = mark.operation->kind,
                             .operation = mark.operation,
                             .step = mark.step,
                             .correlation = mark.correlation});
        }
    }
    return spans;
}

}  // namespace sluice::run

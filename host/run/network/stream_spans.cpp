#include "run/network/stream_spans.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/clock.hpp"

namespace sluice::run {
namespace {

constexpr std::size_t kMostLaunches = 1 << 16;  // further ones are not noted

}  // namespace

void StreamSpans::start() { track_ = std::make_unique<DeviceTrack>(device_, stream_); }

profile::RecordedThread StreamSpans::stop() {
    const std::unique_ptr<DeviceTrack> track = std::move(track_);
    return {.name = fmt::format("stream of replica {}", replica_),
            .id = replica_,
            .kind = SLUICE_THREAD_STREAM,
            .spans = track->take(),
            .dropped = track->dropped()};
}

void StreamSpans::note_launches() {
    launches_.emplace();
    launches_->reserve(kMostLaunches);
}

std::vector<StreamSpans::Launch> StreamSpans::take_launches() {
    return std::exchange(launches_, std::nullopt).value_or(std::vector<Launch>{});
}

bool StreamSpans::begin(const profile::Operations& operations) {
    if (!profile::is_recording() || (track_ == nullptr && !launches_ && !device_->is_host_memory())) {
        return false;
    }
    profile::Recorder::keep(operations);
    if (track_ != nullptr) {
        track_->begin();
    }
    last_ = now();
    return true;
}

void StreamSpans::end(const profile::Operation& operation) {
    const double time = now();
    if (track_ != nullptr) {
        constexpr int kCallBits = 40;  // replicas have different correlations
        const std::uint64_t correlation = (std::uint64_t{replica_} + 1) << kCallBits | ++calls_;
        track_->end(operation, correlation, profile::Recorder::step());
        profile::add(
            {.begin = last_, .end = time, .kind = SLUICE_SPAN_CALL, .name = "launch", .correlation = correlation});
    } else if (!launches_) {
        profile::add({.begin = last_, .end = time, .kind = operation.kind, .operation = &operation});
    } else if (launches_->size() < kMostLaunches) {
        launches_->push_back({last_, time, &operation});
    }
    last_ = time;
}

void StreamSpans::skip() {
    if (track_ != nullptr && profile::is_recording()) {
        track_->begin();
    }
    if (launches_) {
        last_ = now();
    }
}

}  // namespace sluice::run

#include "data/chain/stage_times.hpp"

#include <ctime>
#include <utility>

#include "base/clock.hpp"

namespace sluice::data {
namespace {

double thread_cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void StageTimes::enter(std::size_t stage, std::uint64_t index, std::uint64_t samples) {
    const double time = now();
    const double computed = thread_cpu_seconds();
    close(time, computed);
    since_.store(time, std::memory_order_relaxed);
    index_.store(index, std::memory_order_relaxed);
    stage_.store(stage, std::memory_order_relaxed);
    computed_before_ = computed;
    sums_[stage].samples.add(samples);
}

void StageTimes::leave() {
    close(now(), thread_cpu_seconds());
    stage_.store(kNowhere, std::memory_order_relaxed);
}

void StageTimes::set_name(std::string_view name) {
    const std::lock_guard lock(name_mutex_);
    name_ = name;
}

void StageTimes::close(double time, double computed) {
    const std::size_t stage = stage_.load(std::memory_order_relaxed);
    if (stage == kNowhere) {
        return;
    }
    Sum& sum = sums_[stage];
    const double since = since_.load(std::memory_order_relaxed);
    if (profile::is_recording() && stage < labels_.size()) {
        profile::add({.begin = since,
                      .end = time,
                      .kind = labels_[stage].kind,
                      .name = labels_[stage].name,
                      .sample = static_cast<std::int64_t>(index_.load(std::memory_order_relaxed)),
                      .bytes = taken_ + written_});
    }
    sum.taken.add(std::exchange(taken_, 0));
    sum.written.add(std::exchange(written_, 0));
    sum.seconds.add(time - since);
    sum.computed.add(computed - computed_before_);
}

StageSum StageTimes::sum(std::size_t stage) const {
    const Sum& sum = sums_[stage];
    return {sum.samples.get(), sum.taken.get(), sum.written.get(), sum.seconds.get(), sum.computed.get()};
}

double StageTimes::seconds_so_far(std::size_t stage, double time) const {
    const bool is_in_it = stage_.load(std::memory_order_relaxed) == stage;
    return sums_[stage].seconds.get() + (is_in_it ? time - since_.load(std::memory_order_relaxed) : 0.0);
}

std::optional<StageTimes::Place> StageTimes::place() const {
    const std::size_t stage = stage_.load(std::memory_order_relaxed);
    if (stage == kNowhere) {
        return std::nullopt;
    }
    const std::lock_guard lock(name_mutex_);
    return Place{stage, index_.load(std::memory_order_relaxed), since_.load(std::memory_order_relaxed), name_};
}

}  // namespace sluice::data

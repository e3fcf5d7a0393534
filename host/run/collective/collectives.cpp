#include "run/collective/collectives.hpp"

#include <limits>

#include "base/clock.hpp"
#include "profile/recorder.hpp"
#include "profile/stage_clock.hpp"

namespace sluice::run {

Collectives::Collectives(const ReplicaPlace& place, const registry::Device& device, const sluice_threads* threads,
                         void* stream)
    : place_(place), device_(device), threads_(threads), stream_(stream) {}

void Collectives::begin_batch(double timeout) {
    timeout_ = timeout;
    is_waiting_ = false;  // a failed wait left it set
    expect_whole();
}

// The replay of a captured graph makes no calls to the strategy, so its failures are asked for here.
void Collectives::expect_whole() const {
    if (threads_ == nullptr) {
        place_.strategy->finish(place_.local_rank, timeout_);
    }
}

void Collectives::start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
                        std::string_view name) {
    const profile::StageScope stage(profile::Stage::exchange);
    const profile::Recording collective(SLUICE_SPAN_EXCHANGE, name, {.bytes = count * wire.bits / 8});
    place_.strategy->start({.struct_size = sizeof(sluice_collective),
                            .kind = kind,
                            .replica = place_.local_rank,
                            .data = data,
                            .count = count,
                            .dtype = dtype,
                            .wire = wire,
                            .name = {name.data(), name.size()},
                            .threads = threads_,
                            .stream = stream_});
    if (waits_for_each_) {
        finish();
    }
}

double Collectives::finish() {
    const profile::StageScope stage(profile::Stage::exchange);
    const profile::Recording wait(SLUICE_SPAN_EXCHANGE, "wait for replicas");
    const double before = now();
    is_waiting_ = true;
    place_.strategy->finish(place_.local_rank, timeout_);
    if (waits_for_each_) {
        device_.wait(stream_);
    }
    came_back_ = now();
    is_waiting_ = false;
    return came_back_ - before;
}

void Collectives::sum(double* values, std::uint64_t count, std::string_view name) {
    start(SLUICE_COLLECTIVE_SUM, values, count, kFloat64, name);
    finish();
}

double Collectives::busy_since() const {
    return is_waiting_ ? std::numeric_limits<double>::infinity() : came_back_.load();
}

}  // namespace sluice::run

// Collectives of one replica: it starts them on its stream and waits for the other replicas.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "registry/objects/device.hpp"
#include "run/network/replica_place.hpp"
#include "sluice/host.h"

namespace sluice::run {

class Collectives {
public:
    // `threads` is null unless the device is the CPU. `device` and the strategy of `place` must outlive this object.
    Collectives(const ReplicaPlace& place, const registry::Device& device, const sluice_threads* threads, void* stream);

    // Begins a batch of a step. `timeout` of waits is in seconds; 0: none. Throws as expect_whole().
    void begin_batch(double timeout);
    // Sets the timeout of later waits, in seconds; 0: none.
    void set_timeout(double timeout) { timeout_ = timeout; }
    // Throws Error(Exit::replica_lost) if a replica was lost after finish(). CPU replicas never are.
    void expect_whole() const;
    // If `waits`, start() waits for each collective on a GPU. First launches of kernels need it: the driver loads
    // kernels then, and may block until running collectives finish.
    void set_waits_for_each(bool waits) { waits_for_each_ = waits && threads_ == nullptr; }

    // Starts a collective whose data travels as type `wire`. `name` must stay valid until finish().
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
               std::string_view name);
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, std::string_view name) {
        start(kind, data, count, dtype, dtype, name);
    }
    // Waits for all started collectives and returns the seconds that took. Throws Error(Exit::replica_lost).
    double finish();
    // All-reduces `values`, in device memory, to their sums. Waits; throws as finish().
    void sum(double* values, std::uint64_t count, std::string_view name);

    // Time at which the last wait for other replicas ended; infinity while the replica waits. [any thread]
    [[nodiscard]] double busy_since() const;

private:
    ReplicaPlace place_;
    const registry::Device& device_;
    const sluice_threads* threads_;
    void* stream_;
    double timeout_ = 0.0;
    bool waits_for_each_ = false;
    std::atomic<bool> is_waiting_ = false;
    std::atomic<double> came_back_ = 0.0;  // end of the last wait, as now()
};

}  // namespace sluice::run

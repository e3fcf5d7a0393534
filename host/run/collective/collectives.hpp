// Collectives of one replica: what it starts on its stream with the other replicas, and how it waits for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "registry/objects/objects.hpp"
#include "run/network/replica_place.hpp"

namespace sluice::run {

class Collectives {
public:
    // `threads` are null where the device is not the CPU. The device outlives it.
    Collectives(const ReplicaPlace& place, const registry::Device& device, const sluice_threads* threads, void* stream);

    // A part of a step begins: others are waited for so many seconds; 0: at any time. Throws as expect_whole().
    void begin_part(double patience);
    // From now on others are waited for so many seconds.
    void wait_for(double patience) { patience_ = patience; }
    // Throws Error(Exit::worker_lost) where somebody was lost after finish(): not on a CPU.
    void expect_whole() const;
    // Waits for each collective, for work whose kernels are launched for the first time: a GPU's driver loads them
    // then, which may wait for what travels.
    void wait_for_each(bool waits) { waits_for_each_ = waits && threads_ == nullptr; }

    // What travels as another type than it has is said by `wire`. The name is lent until finish().
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
               std::string_view name);
    void start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, std::string_view name) {
        start(kind, data, count, dtype, dtype, name);
    }
    // Waits for all that were started. Returns for how many seconds. Throws Error(Exit::worker_lost).
    double finish();
    // Each value, in device memory, becomes the sum of those of all replicas. Waits; throws as finish().
    void sum(double* values, std::uint64_t count, std::string_view name);

    // When the replica came back from the last wait for others; infinity while it waits. [any thread]
    [[nodiscard]] double busy_since() const;

private:
    ReplicaPlace place_;
    const registry::Device& device_;
    const sluice_threads* threads_;
    void* stream_;
    double patience_ = 0.0;
    bool waits_for_each_ = false;
    std::atomic<bool> is_waiting_ = false;
    std::atomic<double> came_back_ = 0.0;  // from the last wait, by the clock
};

}  // namespace sluice::run

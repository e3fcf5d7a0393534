// How fast the cores read, copy and combine arrays that lie in the caches or in memory, and another device copies them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "registry/objects/objects.hpp"
#include "sluice/host.h"

namespace sluice::bench {

// Bytes a second on arrays that have together `bytes`. Copy counts what is read and what is written, triad
// (a = b + s * c) two reads and a write. 0: not measured.
struct Bandwidth {
    std::uint64_t bytes = 0;
    double read = 0.0;
    double copy = 0.0;
    double triad = 0.0;
    [[nodiscard]] double best() const;
};

// The best of several passes for each of some sizes, from those that fit the smallest caches to one far beyond them
// all, as far as memory is free. Sizes ascend.
std::vector<Bandwidth> measure_bandwidth(const sluice_threads& threads);

// The same for copies within the memory of another device, as far as it is free.
std::vector<Bandwidth> measure_device_bandwidth(const std::shared_ptr<const registry::Device>& device);

// The best of the sizes that hold `bytes`, else of the largest: fewer bytes take no longer than more.
double bandwidth_for(const std::vector<Bandwidth>& measured, double bytes);

}  // namespace sluice::bench

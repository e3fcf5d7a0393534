// Memory bandwidth of the cores: read, copy and triad, in caches and in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/host.h"

namespace sluice {

// Bytes per second on arrays of `bytes` in total. Copy counts bytes read and written, triad (a = b + s * c) two reads
// and a write. 0: not measured.
struct Bandwidth {
    std::uint64_t bytes = 0;
    double read = 0.0;
    double copy = 0.0;
    double triad = 0.0;
    [[nodiscard]] double best() const;
};

// thorough: sizes from the smallest caches to far beyond all caches, which takes seconds. quick: sizes up to 64 MiB, in
// about 0.1 s.
enum class BandwidthEffort { quick, thorough };

// Measures several sizes in ascending order, as free memory allows. Each result is the best of several passes.
std::vector<Bandwidth> measure_bandwidth(const sluice_threads& threads, BandwidthEffort effort);

// Returns a rate that arrays of `bytes` do not exceed: the best of the largest size that is not above `bytes`, and of
// all larger sizes. Fewer bytes take no longer than more.
double bandwidth_for(const std::vector<Bandwidth>& measured, double bytes);

}  // namespace sluice

// Fingerprints of the data and of its order, from a few samples. They show whether data changed since another run, or
// differs on another machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"

namespace sluice::data {

struct SampleFingerprint {
    std::uint64_t index = 0;
    std::string hash;  // of all fields; "a bad one" if the sample is bad
};

// Makes and hashes `count` samples, or all if there are fewer, spread evenly over the first epoch.
std::vector<SampleFingerprint> fingerprint_samples(const Chain& chain, bool shuffled, std::uint64_t count);

// Fingerprint of the order: the length of an epoch and the indices at some of its positions, as text.
std::string order_fingerprint(const Chain& chain, bool shuffled);

}  // namespace sluice::data

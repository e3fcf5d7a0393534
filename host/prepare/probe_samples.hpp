// Makes a few samples before all others, to learn their size and to detect a changed source.
#pragma once

#include <string>

#include "data/chain/chain.hpp"
#include "prepare/shard_format.hpp"

namespace sluice::prepare {

struct SampleProbe {
    double mean_bytes = 0.0;
    std::string sha256;  // of the names and bytes of the probed samples
};

// Probes at most 16 samples, spread evenly over the data. Skips bad ones, which are reported when they are written.
// Throws Error(Exit::data) if all are bad.
SampleProbe probe_samples(const data::Chain& chain, const ShardFormat& format);

}  // namespace sluice::prepare

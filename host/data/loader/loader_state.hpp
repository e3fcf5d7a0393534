// The state of a loader at a position, for a checkpoint: the epoch's digest so far and the bad samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::data {

struct LoaderState {
    std::string digest_state;                // EpochDigest continues from it; empty: it is not known
    std::uint64_t digested = 0;              // batches of the epoch that the digest covers
    std::vector<std::uint64_t> bad_samples;  // indices of replaced samples so far, in any epoch
};

}  // namespace sluice::data

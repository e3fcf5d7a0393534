// Finds the sample that replaces a bad one.
#pragma once

#include <cstdint>
#include <vector>

#include "data/chain/bad_samples.hpp"
#include "data/chain/sampling.hpp"

namespace sluice::data {

// Searches for the next good sample in the epoch's order, so the result does not depend on the number of threads. The
// found sample then occurs once more in the epoch, with its own random draws.
class ReplacementSearch {
public:
    // Starts with the sample at `position` of the epoch. `most`: most consecutive bad samples.
    ReplacementSearch(const Sampling& sampling, std::uint64_t epoch, std::uint64_t position, std::int64_t most);

    // The sample to try.
    [[nodiscard]] const Drawn& drawn() const { return drawn_; }
    // Records that drawn() is bad, and moves to the next sample. Throws Error(Exit::data) if there are too many bad
    // samples or no other is left.
    void pass_over(BadSample bad);
    // Returns the bad samples, each with the index of the sample tried after it.
    [[nodiscard]] std::vector<BadSample> take_bad();

private:
    const Sampling& sampling_;
    const std::uint64_t epoch_;
    const std::uint64_t position_;
    const std::int64_t most_;
    Drawn drawn_;
    std::uint64_t offset_ = 0;  // of drawn_, from position_
    std::vector<BadSample> bad_;
};

}  // namespace sluice::data

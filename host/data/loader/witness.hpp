// A few samples, by which it shows whether data are the same as before or elsewhere, and come in the same order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"

namespace sluice::data {

struct SampleLook {
    std::uint64_t index = 0;
    std::string hash;  // of all fields; "a bad one" where it cannot be made
};

// As many samples, or all where there are fewer, spread over the first epoch, shuffled or not. They are made here.
std::vector<SampleLook> look_at_samples(const Chain& chain, bool shuffled, std::uint64_t count);

// The length of an epoch and what stands in some of its places, as text: another where the order is.
std::string order_witness(const Chain& chain, bool shuffled);

}  // namespace sluice::data

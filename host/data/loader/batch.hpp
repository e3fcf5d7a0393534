// A batch of samples, as the loader returns it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/tensor.hpp"
#include "data/chain/bad_samples.hpp"

namespace sluice::data {

// Positions in a batch, from `begin` to before `end`.
struct SampleRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct NamedTensor {
    std::string name;
    std::int32_t role = 0;
    HostTensor tensor;
};

struct Batch {
    std::uint64_t epoch = 0;
    std::uint64_t number = 0;         // within the epoch, from 0
    std::int64_t count = 0;           // samples in it; the last of an epoch may have fewer than the batch size
    SampleRange made;                 // samples that this process made: all, unless make_only() limits them
    std::vector<BadSample> left_out;  // in order of position; their bytes are undefined; empty unless leave_out_bad
    std::vector<NamedTensor> fields;  // [count, ...], in the order of LoaderOptions.fields
    std::vector<std::string> names;   // messages name the samples by these
};

}  // namespace sluice::data

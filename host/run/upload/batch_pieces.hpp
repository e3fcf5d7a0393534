// Parts of a batch.
#pragma once

#include <cstdint>

#include "data/loader/loader.hpp"

namespace sluice::run {

// Samples `begin` to `end` of a batch, as a batch. What `to` holds is used again.
void copy_samples(const data::Batch& from, std::int64_t begin, std::int64_t end, data::Batch& to);

void remove_sample(data::Batch& batch, std::int64_t position);

// Equal pieces, for a plan that takes no more at once.
class Pieces {
public:
    // The batch outlives it; its samples are a multiple of `count`.
    Pieces(const data::Batch& batch, std::int64_t count) : batch_(batch), count_(count) {}

    // The batch itself where there is one piece; else a copy, which stays until the next is asked for.
    const data::Batch& operator[](std::int64_t number);

private:
    const data::Batch& batch_;
    std::int64_t count_;
    data::Batch piece_;
};

}  // namespace sluice::run

// Copies of parts of a batch: ranges of its samples, and micro-batches.
#pragma once

#include <cstdint>

#include "data/loader/batch.hpp"

namespace sluice::run {

// Copies the samples from `begin` up to, but not including, `end` into `to`, whose memory is reused.
void copy_samples(const data::Batch& from, std::int64_t begin, std::int64_t end, data::Batch& to);

void remove_sample(data::Batch& batch, std::int64_t position);

// The equal micro-batches of a batch, for a plan that cannot compute the whole batch at once.
class MicroBatches {
public:
    // `batch` must outlive this object; its number of samples is a multiple of `count`.
    MicroBatches(const data::Batch& batch, std::int64_t count) : batch_(batch), count_(count) {}

    // Returns the batch itself if there is one micro-batch; else a copy that is valid until the next call.
    const data::Batch& operator[](std::int64_t number);

private:
    const data::Batch& batch_;
    std::int64_t count_;
    data::Batch micro_batch_;
};

}  // namespace sluice::run

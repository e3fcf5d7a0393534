// The shards of a batch that a replica computes: their numbers and their samples.
#pragma once

#include <cstdint>

#include "data/loader/batch.hpp"
#include "run/network/replica_place.hpp"

namespace sluice::run {

// Returns the first sample of shard `number` if a batch of `samples` is split into `shards`. Shard sizes differ by at
// most one, and no shard is larger than the first.
std::int64_t first_of_shard(std::int64_t number, std::int64_t shards, std::int64_t samples);

class ShardRange {
public:
    explicit ShardRange(const ReplicaPlace& place);

    // Shards of a batch, over all replicas.
    [[nodiscard]] std::int64_t of_batch() const { return of_batch_; }
    // This replica computes the shards from begin() up to, but not including, end().
    [[nodiscard]] std::int64_t begin() const { return begin_; }
    [[nodiscard]] std::int64_t end() const { return begin_ + count_; }
    [[nodiscard]] std::int64_t count() const { return count_; }

    // Returns the samples of one shard, possibly none. Samples in Batch::left_out are removed after the split, so that
    // they do not move others to another shard. Returns `batch` itself or a copy that is valid until the next call.
    const data::Batch& samples(std::int64_t shard, const data::Batch& batch);
    // Returns a copy of the batch's first sample, which gives an empty shard its shapes. Valid until the next call.
    const data::Batch& first_sample(const data::Batch& batch);

private:
    std::int64_t of_batch_;
    std::int64_t count_;
    std::int64_t begin_;
    data::Batch samples_;
};

}  // namespace sluice::run

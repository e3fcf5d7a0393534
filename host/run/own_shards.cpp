#include "run/own_shards.hpp"

#include "run/batch_pieces.hpp"

namespace sluice::run {

OwnShards::OwnShards(const ReplicaPlace& place)
    : of_batch_(place.shards), count_(of_batch_ / place.world), begin_(count_ * place.number) {}

// Their sizes differ by one sample at most; the first shard has as many as any.
const data::Batch& OwnShards::samples(std::int64_t shard, const data::Batch& batch) {
    if (of_batch_ == 1) {
        return batch;
    }
    const auto begin = [&](std::int64_t number) { return (batch.count * number + of_batch_ - 1) / of_batch_; };
    copy_samples(batch, begin(shard), begin(shard + 1), samples_);
    return samples_;
}

const data::Batch& OwnShards::first_sample(const data::Batch& batch) {
    copy_samples(batch, 0, 1, samples_);
    return samples_;
}

}  // namespace sluice::run

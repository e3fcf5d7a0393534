#include "run/collective/shard_range.hpp"

#include "run/upload/micro_batches.hpp"

namespace sluice::run {

std::int64_t first_of_shard(std::int64_t number, std::int64_t shards, std::int64_t samples) {
    return (samples * number + shards - 1) / shards;
}

ShardRange::ShardRange(const ReplicaPlace& place)
    : of_batch_(place.shards), count_(of_batch_ / place.world), begin_(count_ * place.rank) {}

const data::Batch& ShardRange::samples(std::int64_t shard, const data::Batch& batch) {
    if (of_batch_ == 1 && batch.left_out.empty()) {
        return batch;
    }
    const auto begin = [&](std::int64_t number) { return first_of_shard(number, of_batch_, batch.count); };
    copy_samples(batch, begin(shard), begin(shard + 1), samples_);
    for (auto bad = batch.left_out.rbegin(); bad != batch.left_out.rend(); ++bad) {
        if (bad->position >= begin(shard) && bad->position < begin(shard + 1)) {
            remove_sample(samples_, bad->position - begin(shard));
        }
    }
    return samples_;
}

const data::Batch& ShardRange::first_sample(const data::Batch& batch) {
    copy_samples(batch, 0, 1, samples_);
    return samples_;
}

}  // namespace sluice::run

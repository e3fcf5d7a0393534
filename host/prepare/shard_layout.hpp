// Assigns samples to shards.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::prepare {

// All shards have the same number of samples, but the last may have fewer.
class ShardLayout {
public:
    // A shard gets about `shard_bytes` if its samples have `mean_bytes`, and at least one sample. samples: at least
    // one.
    ShardLayout(std::uint64_t samples, double mean_bytes, std::uint64_t shard_bytes);

    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    [[nodiscard]] std::uint64_t samples_per_shard() const { return samples_per_shard_; }
    [[nodiscard]] std::size_t shards() const;
    // The first sample of a shard, and the one after its last.
    [[nodiscard]] std::uint64_t first(std::size_t shard) const { return shard * samples_per_shard_; }
    [[nodiscard]] std::uint64_t end(std::size_t shard) const;

private:
    std::uint64_t samples_;
    std::uint64_t samples_per_shard_;
};

}  // namespace sluice::prepare

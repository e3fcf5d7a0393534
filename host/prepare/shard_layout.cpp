#include "prepare/shard_layout.hpp"

#include <algorithm>

namespace sluice::prepare {

ShardLayout::ShardLayout(std::uint64_t samples, double mean_bytes, std::uint64_t shard_bytes) : samples_(samples) {
    const double wanted = static_cast<double>(shard_bytes) / std::max(mean_bytes, 1.0);
    samples_per_shard_ = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, samples);
}

std::size_t ShardLayout::shards() const { return (samples_ + samples_per_shard_ - 1) / samples_per_shard_; }

std::uint64_t ShardLayout::end(std::size_t shard) const { return std::min(first(shard + 1), samples_); }

}  // namespace sluice::prepare

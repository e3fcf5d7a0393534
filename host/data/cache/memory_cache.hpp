// Samples kept in memory, up to a budget.
#pragma once

#include <atomic>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

#include "data/cache/cache.hpp"

namespace sluice::data {

class MemoryCache final : public SampleCache {
public:
    // `budget`: bytes; std::nullopt: a quarter of the memory that is available now. `purpose` opens log messages.
    MemoryCache(std::optional<std::uint64_t> budget, std::string purpose);

    [[nodiscard]] std::uint64_t bytes_to_read(std::uint64_t /*index*/) const override { return 0; }
    bool find(std::uint64_t index, CachedSample& sample) override;
    void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) override;
    [[nodiscard]] std::uint64_t memory_bytes() const override { return used_; }
    [[nodiscard]] std::uint64_t budget() const { return budget_; }

private:
    struct Kept {
        std::string name;
        std::vector<HostTensor> fields;
    };

    bool reserve(std::uint64_t bytes);

    std::uint64_t budget_;
    std::string purpose_;
    std::atomic<std::uint64_t> used_{0};
    std::atomic<bool> full_{false};
    mutable std::shared_mutex mutex_;  // guards samples_
    std::unordered_map<std::uint64_t, std::unique_ptr<const Kept>> samples_;
};

}  // namespace sluice::data

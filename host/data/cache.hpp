// The host's own stage `cache`: samples kept in memory as they were at one point of the chain.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/tensor_view.hpp"
#include "config/spec.hpp"

namespace sluice::data {

// "2 GiB", "1.5 GB", "800 B" as bytes; nothing where the text is not a positive size. Units: B, kB, MB, GB, TB and KiB,
// MiB, GiB, TiB.
std::optional<std::uint64_t> parse_size(const std::string& text);

// "2.0 GiB".
std::string format_size(std::uint64_t bytes);

// The budget in bytes of `{ use = "cache", in = "memory", budget = "2 GiB" }`; by default a quarter of the memory that
// is available now. Throws Error(Exit::config) for a wrong key or value.
std::uint64_t cache_budget(const config::ComponentSpec& spec);

struct CachedSample {
    std::string name;
    std::vector<HostTensor> fields;
};

// Filled by all workers of a chain; what is in it stays until the end and never changes.
class SampleCache {
public:
    SampleCache(std::uint64_t budget, std::string purpose) : budget_(budget), purpose_(std::move(purpose)) {}

    // The sample, or nullptr. Valid as long as the cache. [any thread]
    [[nodiscard]] const CachedSample* find(std::uint64_t index) const;
    // Keeps a copy where the budget allows it and nobody was faster. [any thread]
    void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields);

private:
    bool reserve(std::uint64_t bytes);

    std::uint64_t budget_;
    std::string purpose_;
    std::atomic<std::uint64_t> used_{0};
    std::atomic<bool> full_{false};
    mutable std::shared_mutex mutex_;  // guards samples_
    std::unordered_map<std::uint64_t, std::unique_ptr<const CachedSample>> samples_;
};

}  // namespace sluice::data

// The host's built-in stage `cache`: keeps samples as they are at one point of the chain, in memory or on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/tensor_view.hpp"
#include "config/spec.hpp"
#include "registry/manifest/schema.hpp"

namespace sluice::data {

// The options of an entry such as `{ use = "cache", in = "disk", folder = "kept", budget = "200 GiB" }`.
struct CacheOptions {
    bool on_disk = false;
    std::filesystem::path folder;         // only on disk; empty: "samples" in the user's cache folder
    std::optional<std::uint64_t> budget;  // bytes; std::nullopt: a share of the free memory or disk
};
registry::Schema cache_schema();
// The folder of a cache on disk, by default one in the user's cache folder; nothing if that is not known.
std::optional<std::filesystem::path> folder_of(const CacheOptions& options);
// Throws Error(Exit::config) for a wrong key or value.
CacheOptions read_cache_options(const config::ComponentSpec& spec);

// Identifies the samples of a disk cache. A sample is found only if both members match.
struct CacheKey {
    std::string inputs;                      // everything that the samples depend on, as text
    std::vector<sluice_tensor_spec> fields;  // of each sample; -1 for an extent that differs per sample
};

// A sample read from a cache.
struct CachedSample {
    std::string name;
    std::vector<TensorView> fields;
    std::vector<std::uint8_t> bytes;  // storage of the fields if they do not point into the cache; reused
};

// All workers of a chain fill it. An entry never changes. [any thread]
class SampleCache {
public:
    virtual ~SampleCache() = default;
    // Bytes that find() writes to `sample.bytes`; 0 if the sample is not cached or needs no copy.
    [[nodiscard]] virtual std::uint64_t bytes_to_read(std::uint64_t index) const = 0;
    // True if the sample is cached. The caller gives `sample.bytes` the capacity that bytes_to_read() returned. The
    // result is valid until the next call with the same `sample`.
    virtual bool find(std::uint64_t index, CachedSample& sample) = 0;
    // Bytes of memory, not disk, that hold samples now.
    [[nodiscard]] virtual std::uint64_t memory_bytes() const { return 0; }
    // Keeps a copy, unless the budget is used up or another thread has stored the sample already.
    virtual void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) = 0;
};

}  // namespace sluice::data

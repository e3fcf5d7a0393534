// The host's own stage `cache`: samples kept as they were at one point of the chain, in memory or on disk.
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

// What `{ use = "cache", in = "disk", folder = "kept", budget = "200 GiB" }` says.
struct CacheOptions {
    bool on_disk = false;
    std::filesystem::path folder;         // on disk; empty: "samples" in the user's cache
    std::optional<std::uint64_t> budget;  // bytes; nothing: a share of what is there
};
registry::Schema cache_schema();
// Throws Error(Exit::config) for a wrong key or value.
CacheOptions read_cache_options(const config::ComponentSpec& spec);

// What samples on disk have to be to be found.
struct KeptKind {
    std::string inputs;                      // all that they depend on, as a text
    std::vector<sluice_tensor_spec> fields;  // of each; -1 where an extent differs per sample
};

// A sample as it came out of a cache.
struct KeptSample {
    std::string name;
    std::vector<TensorView> fields;
    std::vector<std::uint8_t> bytes;  // what the fields point into, if not into the cache; kept from sample to sample
};

// Filled by all workers of a chain; what is in it never changes. [any thread]
class SampleCache {
public:
    virtual ~SampleCache() = default;
    // That find() puts into the sample's own; 0 where it is not there, or needs none.
    [[nodiscard]] virtual std::uint64_t bytes_to_read(std::uint64_t index) const = 0;
    // Whether it is there; `sample.bytes` has the capacity for what bytes_to_read() said. What is found is valid until
    // the next call with the same `sample`.
    virtual bool find(std::uint64_t index, KeptSample& sample) = 0;
    // Keeps a copy where the budget allows it and nobody was faster.
    virtual void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) = 0;
};

}  // namespace sluice::data

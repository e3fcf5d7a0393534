// Sources and their transforms, ready to make samples. A sample is a pure function of (seed, epoch, index, repeat),
// where `repeat` counts its occurrences in the epoch. It does not depend on the thread, on other samples, or on whether
// the cache had it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "data/chain/class_names.hpp"
#include "data/chain/sampling.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/field.hpp"

namespace sluice::data {

struct SampleStages;

// An entry of the map that is a transform of whole batches. The loader opens it for the fields of its batches.
struct BatchEntry {
    registry::Component component;
    Table options;
    Origin origin;
    std::uint64_t random_stream = 0;
};

class Chain {
public:
    // `purpose` ("data.train") opens messages and keys the random draws.
    // `{ use = "cache" }` is the host's built-in stage. The stages before it run once per sample, and the result is
    // kept with `in = "memory"` or `in = "disk"`; random draws before it therefore do not depend on the epoch. A chain
    // has at most one cache. Its `budget` ("2 GiB"; default: a quarter of the available memory, or half of the free
    // disk) limits it, on disk together with the rest of the folder. Samples that do not fit are made again in every
    // epoch. Transforms of whole batches follow all other transforms and are allowed only in data.train.
    Chain(const config::StreamSpec& spec, const registry::Registry& registry, std::uint64_t seed, std::string purpose);
    ~Chain();

    [[nodiscard]] const std::string& purpose() const { return purpose_; }
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    // Samples in an epoch; at least one.
    [[nodiscard]] std::uint64_t length() const;
    // Returns how often and in which order samples come if they are shuffled.
    [[nodiscard]] const Draws& draws() const;
    // The fields of a sample; -1 for a dimension that differs per sample.
    [[nodiscard]] std::span<const registry::Field> fields() const { return fields_; }
    // Class names of the fields, as the sources give them; none for a field that a transform may have renumbered.
    [[nodiscard]] const ClassNames& class_names() const { return class_names_; }
    // The transforms of whole batches.
    [[nodiscard]] std::span<const BatchEntry> batch_entries() const { return batch_entries_; }
    // Random transforms before the cache. The cache keeps their first result for a sample in all epochs.
    [[nodiscard]] std::span<const std::string> drawn_once() const { return drawn_once_; }
    // Bytes of memory, not disk, that the cache takes now. [any thread]
    [[nodiscard]] std::uint64_t cache_bytes() const;
    // The names of the stages, for listings: first the source, last the transforms of whole batches.
    [[nodiscard]] std::vector<std::string> stages() const;
    // True if this stage, a number in stages(), reads samples: from the source or from the cache.
    [[nodiscard]] bool reads(std::size_t stage) const;

    class Worker;  // makes samples (data/chain/chain_worker.hpp)

private:
    void add_batch_entry(BatchEntry entry);
    void expect_samples(const config::ComponentSpec& entry) const;

    const std::string purpose_;
    const std::uint64_t seed_;
    const std::unique_ptr<SampleStages> stages_;
    std::vector<registry::Field> fields_;
    ClassNames class_names_;
    std::vector<std::string> drawn_once_;
    std::vector<BatchEntry> batch_entries_;
};

}  // namespace sluice::data

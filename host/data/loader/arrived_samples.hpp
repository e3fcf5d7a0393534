// What is known of each sample of a batch, by position: its index, its hash and its shapes. Private to this folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/loader/epoch_digest.hpp"
#include "data/loader/loader.hpp"

namespace sluice::data {

// Samples of different positions may be set by several threads at once.
class ArrivedSamples {
public:
    // `fields`: which of a sample's fields go into the batch; `announced`: all that it has.
    ArrivedSamples(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced);

    // For a batch of `count` samples.
    void open(std::int64_t count);
    void set(std::int64_t position, std::uint64_t index, const Sample& sample);
    // The sample is bad: it has no hash and no shapes.
    void set_bad(std::int64_t position, std::uint64_t index);

    // All of them, in order.
    void add_to(EpochDigest& digest) const;
    // Those of `range`. `first`: position of the batch's first sample in the epoch.
    void add_to(std::vector<SampleHash>& hashes, const SampleRange& range, std::uint64_t first) const;

    // "field 'image': sample 3 (a.png) is uint8[4, 4, 3], but sample 5 is uint8[2, 2, 3]": the first sample of the
    // batch's range that differs from the first that is there. There has to be one.
    [[nodiscard]] std::string difference(const Batch& batch) const;

private:
    struct Arrived {
        std::uint64_t index = 0;
        std::uint64_t hash = 0;
        std::vector<sluice_tensor_spec> specs;  // of the fields; none of a bad one
    };

    std::vector<std::size_t> fields_;
    std::vector<std::size_t> hashed_;  // the same by name: no matter which of them a model reads first
    std::vector<Arrived> samples_;
};

}  // namespace sluice::data

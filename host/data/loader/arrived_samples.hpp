// The index, hash and shapes of each sample of a batch, by position. Private to this folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/tensor_view.hpp"
#include "data/chain/sample.hpp"
#include "data/loader/batch.hpp"
#include "data/loader/epoch_digest.hpp"
#include "registry/objects/field.hpp"

namespace sluice::data {

// Several threads may set samples of different positions at the same time.
class ArrivedSamples {
public:
    // `fields`: numbers of the sample's fields that go into the batch; `announced`: all fields of a sample.
    ArrivedSamples(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced);

    // Starts a batch of `count` samples.
    void open(std::int64_t count);
    void set(std::int64_t position, std::uint64_t index, const Sample& sample);
    // Records a bad sample, which has no hash and no shapes.
    void set_bad(std::int64_t position, std::uint64_t index);

    // Adds all samples in order.
    void add_to(EpochDigest& digest) const;
    // Appends the samples of `range`. `first`: position of the batch's first sample in the epoch.
    void add_to(std::vector<SampleHash>& hashes, const SampleRange& range, std::uint64_t first) const;

    // Returns "field 'image': sample 3 (a.png) is uint8[4, 4, 3], but sample 5 is uint8[2, 2, 3]": the first good
    // sample and the first that differs from it. Call it only if such a sample exists.
    [[nodiscard]] std::string difference(const Batch& batch) const;

private:
    struct Arrived {
        std::uint64_t index = 0;
        std::uint64_t hash = 0;
        std::vector<sluice_tensor_spec> specs;  // of the fields; empty for a bad sample
    };

    std::vector<std::size_t> fields_;
    std::vector<std::size_t> hashed_;  // fields_ sorted by name, so that the hash does not depend on the order of use
    std::vector<Arrived> samples_;
};

}  // namespace sluice::data

// What tells two epochs apart: a hash of each sample, and of an epoch one SHA-256 over the list of its samples in
// order. The same data in the same order give the same digest, whatever machine made them, however often it was
// stopped, and whichever of its fields a model reads first. Transforms of whole batches come behind it: the hashes are
// of what goes into them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"

namespace sluice::data {

// XXH3 over the type, the shape and the bytes of these fields of a sample, in their order.
std::uint64_t hash_sample(const Sample& sample, std::span<const std::size_t> fields);

// SHA-256 over (index, hash) of each sample, both as 8 bytes, the least first.
class EpochDigest {
public:
    EpochDigest();

    void add(std::uint64_t index, std::uint64_t hash);
    // Of what was added so far, as 64 hexadecimal digits.
    [[nodiscard]] std::string text() const;
    // From which of_state() goes on: for a checkpoint.
    [[nodiscard]] std::string state() const;
    // Nothing where the text is no such state.
    static std::optional<EpochDigest> of_state(const std::string& state);

private:
    alignas(8) std::array<unsigned char, 112> sum_;  // a SHA256_CTX
};

// One of the samples that a process makes of an epoch.
struct SampleHash {
    std::uint64_t position;  // in the epoch's order
    std::uint64_t index;
    std::uint64_t hash;
};

// For another process of the same machine type.
std::string to_bytes(std::span<const SampleHash> samples);
// What processes made, in the epoch's order, each sample once.
std::vector<SampleHash> in_order(std::span<const std::string> of_processes);

}  // namespace sluice::data

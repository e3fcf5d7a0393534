// The digest of an epoch: one SHA-256 over the hashes of its samples in order. The same data in the same order gives
// the same digest on any machine, however often the run was resumed, and whichever field a model reads first. Samples
// are hashed before transforms of whole batches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/chain/sample.hpp"

namespace sluice::data {

// XXH3 over the type, the shape and the bytes of these fields of a sample, in their order.
std::uint64_t hash_sample(const Sample& sample, std::span<const std::size_t> fields);

// SHA-256 over (index, hash) of each sample, both as 8 little-endian bytes.
class EpochDigest {
public:
    EpochDigest();

    void add(std::uint64_t index, std::uint64_t hash);
    // The digest of the samples so far, as 64 hexadecimal digits.
    [[nodiscard]] std::string text() const;
    // The unfinished digest, for a checkpoint.
    [[nodiscard]] std::string state() const;
    // Continues from state(); std::nullopt if the text is not one.
    static std::optional<EpochDigest> of_state(const std::string& state);

private:
    alignas(8) std::array<unsigned char, 112> sum_;  // a SHA256_CTX
};

// The hash of a sample that this process made.
struct SampleHash {
    std::uint64_t position;  // in the epoch's order
    std::uint64_t index;
    std::uint64_t hash;
};

// Serializes hashes for another process. Both need the same byte order.
std::string to_bytes(std::span<const SampleHash> samples);
// Merges to_bytes() of several processes: the samples in the epoch's order, each position once.
std::vector<SampleHash> in_order(std::span<const std::string> of_processes);

}  // namespace sluice::data

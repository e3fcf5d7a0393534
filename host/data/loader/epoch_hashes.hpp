// The digest of the current epoch up to the last batch handed out, and the sample hashes that other processes need for
// it. Private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/loader/epoch_digest.hpp"

namespace sluice::data {

class BatchSlot;

// If this process makes all samples, each batch goes into the digest at once. Otherwise hashes are collected until
// join() merges those of all processes. Not thread-safe.
class EpochHashes {
public:
    // `batch`: samples in a whole batch. `collects`: the caller will call join(), so collect hashes for it.
    EpochHashes(std::int64_t batch, bool collects);

    // Continues before batch `number` of an epoch. `state`: state() there; empty: not known.
    void restart(std::uint64_t number, const std::string& state);
    // Adds a batch that was handed out. `is_all`: this process made all its samples.
    void add(const BatchSlot& slot, std::uint64_t number, bool is_all);
    // The digest of the epoch's batches so far; null if the hashes of some are not known, or not yet.
    [[nodiscard]] const EpochDigest* digest() const;
    // Hashes since the last join(), as to_bytes() gives them.
    [[nodiscard]] std::string own() const;
    // Merges own() of all processes, each for the same batches.
    void join(std::span<const std::string> of_all);
    // The digest's part of LoaderState. It may cover fewer batches than were handed out.
    [[nodiscard]] std::string state() const;
    [[nodiscard]] std::uint64_t digested() const;

private:
    const std::uint64_t batch_;
    const bool collects_;
    std::optional<EpochDigest> digest_;  // none if hashes of batches before restart() are not known
    std::uint64_t digested_ = 0;         // batches of the epoch that are in it
    std::uint64_t handed_out_ = 0;       // batches of the epoch
    std::vector<SampleHash> own_;        // of the batches that are not in the digest yet
};

}  // namespace sluice::data

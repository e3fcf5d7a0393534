// The digest of the current epoch, as far as its batches were handed out, and sample hashes that other processes need
// for it. Private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/loader/epoch_digest.hpp"

namespace sluice::data {

class BatchSlot;
struct LoaderPast;

// If this process makes all samples, each batch goes into the digest at once. If not, hashes are collected until join()
// gets those of all processes. Not thread-safe.
class EpochHashes {
public:
    // `batch`: samples in a whole batch. `collects`: hashes for join() are of use.
    EpochHashes(std::int64_t batch, bool collects);

    // Goes on before batch `number` of an epoch. `past`: what is known of the batches before it.
    void restart(std::uint64_t number, const LoaderPast& past);
    // A batch was handed out. `is_all`: this process made all its samples.
    void add(const BatchSlot& slot, std::uint64_t number, bool is_all);
    // Of the epoch's batches that were handed out; null if hashes of some are not known (yet).
    [[nodiscard]] const EpochDigest* digest() const;
    // Hashes since the last join(), as to_bytes() gives them.
    [[nodiscard]] std::string own() const;
    // own() of all processes, each for the same batches.
    void join(std::span<const std::string> of_all);
    // For a checkpoint: what LoaderPast says of the digest. It may cover fewer batches than were handed out.
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

// Maps the samples of an epoch to its batches. Private to this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "data/loader/batch.hpp"

namespace sluice::data {

// Batches have a sequence number over all epochs: epoch * per_epoch() + number.
class BatchLayout {
public:
    struct Extent {
        std::uint64_t epoch = 0;
        std::uint64_t number = 0;  // of the batch, in the epoch
        std::uint64_t first = 0;   // position of its first sample in the epoch's order
        std::int64_t count = 0;    // samples; the last batch of an epoch may have fewer than the others
    };

    // `length`: samples in an epoch, at least one; `batch`: samples in a whole batch.
    BatchLayout(std::uint64_t length, std::int64_t batch)
        : length_(length), batch_(static_cast<std::uint64_t>(batch)), per_epoch_((length - 1) / batch_ + 1) {}

    // See Loader::make_only(). Call it before the first batch.
    void make_only(std::function<SampleRange(std::int64_t)> own) { own_ = std::move(own); }
    [[nodiscard]] bool makes_all() const { return !own_; }

    [[nodiscard]] std::uint64_t per_epoch() const { return per_epoch_; }
    [[nodiscard]] Extent at(std::uint64_t sequence) const {
        const std::uint64_t number = sequence % per_epoch_;
        const std::uint64_t first = number * batch_;
        return {.epoch = sequence / per_epoch_,
                .number = number,
                .first = first,
                .count = static_cast<std::int64_t>(std::min(batch_, length_ - first))};
    }
    // The samples that this process makes of a batch of `count`.
    [[nodiscard]] SampleRange own(std::int64_t count) const { return own_ ? own_(count) : SampleRange{0, count}; }

private:
    std::uint64_t length_;
    std::uint64_t batch_;
    std::uint64_t per_epoch_;
    std::function<SampleRange(std::int64_t)> own_;  // empty: all
};

}  // namespace sluice::data

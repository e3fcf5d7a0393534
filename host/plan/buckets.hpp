// Cuts the flat buffers of parameters and gradients into buckets, which are exchanged as a whole. If replicas share the
// update, each bucket has one slice of equal length for each replica.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::plan {

// How replicas share the update of the parameters.
struct UpdateShare {
    std::uint64_t bucket = 0;    // bytes of a bucket; 0: one bucket holds all
    std::uint32_t replicas = 1;  // each updates a slice of each bucket; 1: each replica updates all
    std::uint32_t rank = 0;      // of this replica
};

// A range of a flat buffer, in elements; `end` is exclusive.
struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t count() const { return end - begin; }
};

class Buckets {
public:
    Buckets(std::uint64_t elements, const UpdateShare& share);

    // Elements of the buffers, with padding after the last parameter that makes all slices equal.
    [[nodiscard]] std::uint64_t elements() const { return elements_; }
    [[nodiscard]] const std::vector<Range>& all() const { return all_; }
    [[nodiscard]] bool are_shared() const { return share_.replicas > 1; }
    // The slice of a bucket that this replica updates; the whole bucket if updates are not shared.
    [[nodiscard]] Range own(const Range& bucket) const;
    // Returns where that slice begins in a buffer that holds only this replica's slices, one after the other.
    [[nodiscard]] std::uint64_t kept_at(const Range& bucket) const { return bucket.begin / share_.replicas; }
    // Elements of such a buffer.
    [[nodiscard]] std::uint64_t kept() const { return elements_ / share_.replicas; }

private:
    UpdateShare share_;
    std::uint64_t elements_;
    std::vector<Range> all_;
};

}  // namespace sluice::plan

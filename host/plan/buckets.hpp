// The flat buffers of parameters and gradients in buckets that travel together, and each bucket in slices of equal
// length, one for each replica where the replicas share the update.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::plan {

// How replicas share the update of the parameters.
struct UpdateShare {
    std::uint64_t bucket = 0;    // bytes of a bucket; 0: all is one
    std::uint32_t replicas = 1;  // each updates a slice of each bucket; 1: each replica updates all
    std::uint32_t number = 0;    // of this one
};

// Of a flat buffer, in elements.
struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t count() const { return end - begin; }
};

class Buckets {
public:
    Buckets(std::uint64_t elements, const UpdateShare& share);

    // Of the buffers, with what is behind the last parameter so that all slices are equal.
    [[nodiscard]] std::uint64_t elements() const { return elements_; }
    [[nodiscard]] const std::vector<Range>& all() const { return all_; }
    [[nodiscard]] bool are_shared() const { return share_.replicas > 1; }
    // The slice of a bucket that this replica updates; all of it where updates are not shared.
    [[nodiscard]] Range own(const Range& bucket) const;
    // Where that slice begins in a buffer that has the own slices alone, one after the other.
    [[nodiscard]] std::uint64_t kept_at(const Range& bucket) const { return bucket.begin / share_.replicas; }
    // Elements of such a buffer.
    [[nodiscard]] std::uint64_t kept() const { return elements_ / share_.replicas; }

private:
    UpdateShare share_;
    std::uint64_t elements_;
    std::vector<Range> all_;
};

}  // namespace sluice::plan

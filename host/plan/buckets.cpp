#include "plan/buckets.hpp"

#include <algorithm>

namespace sluice::plan {
namespace {

constexpr std::uint64_t kSliceUnit = 64;  // elements: slices at multiples of it are accessed fastest

std::uint64_t rounded_up(std::uint64_t count, std::uint64_t unit) { return (count + unit - 1) / unit * unit; }

}  // namespace

Buckets::Buckets(std::uint64_t elements, const UpdateShare& share) : share_(share) {
    const std::uint64_t unit = are_shared() ? kSliceUnit * share.replicas : 1;
    elements_ = rounded_up(elements, unit);
    const std::uint64_t wanted = share.bucket > 0 ? share.bucket / sizeof(float) : elements_;
    const std::uint64_t length = rounded_up(std::max<std::uint64_t>(wanted, 1), unit);
    for (std::uint64_t begin = 0; begin < elements_; begin += length) {
        all_.push_back({begin, std::min(begin + length, elements_)});
    }
}

Range Buckets::own(const Range& bucket) const {
    const std::uint64_t slice = bucket.count() / share_.replicas;
    return {bucket.begin + slice * share_.rank, bucket.begin + slice * (share_.rank + 1)};
}

}  // namespace sluice::plan

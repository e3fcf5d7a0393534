#include "run/collective/bucket_gather.hpp"

#include <fmt/format.h>

namespace sluice::run {

std::vector<std::string> bucket_names(std::string_view what, std::size_t buckets) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= buckets; ++i) {
        names.push_back(fmt::format("{} {} of {}", what, i, buckets));
    }
    return names;
}

// The names are only rebuilt if the buffer changes, so that a step allocates nothing.
void BucketGather::start_next(float* flat, std::string_view what) {
    if (next_ == 0 && what_ != what) {
        what_ = what;
        names_ = bucket_names(what, buckets_.size());
    }
    const plan::Range& bucket = buckets_[next_];
    collectives_.start(SLUICE_COLLECTIVE_ALL_GATHER, flat + bucket.begin, bucket.count(), kFloat32, names_[next_++]);
}

void BucketGather::finish() {
    collectives_.finish();
    next_ = 0;
}

void BucketGather::gather(float* flat, std::string_view what) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        start_next(flat, what);
    }
    finish();
}

}  // namespace sluice::run

// All-gathers of a flat buffer that is laid out as the parameters: each replica brings its slice of each bucket.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plan/buckets.hpp"
#include "run/collective/collectives.hpp"

namespace sluice::run {

// For messages, one for each bucket: "gradients 3 of 7".
std::vector<std::string> bucket_names(std::string_view what, std::size_t buckets);

class BucketGather {
public:
    // Both outlive it.
    BucketGather(Collectives& collectives, const plan::Buckets& buckets)
        : collectives_(collectives), buckets_(buckets.all()) {}

    // The next start() is of the first bucket: of what was started in a recording that came to nothing, nothing was.
    void restart() { next_ = 0; }
    // The own slice of the next bucket is there; those of the others will be when finish() has returned. `what` for
    // messages.
    void start_next(float* flat, std::string_view what);
    // Throws as Collectives::finish().
    void finish();
    // The same of all buckets.
    void gather(float* flat, std::string_view what);

private:
    Collectives& collectives_;
    const std::vector<plan::Range>& buckets_;
    std::string what_;  // was gathered last
    std::vector<std::string> names_;
    std::size_t next_ = 0;  // bucket
};

}  // namespace sluice::run

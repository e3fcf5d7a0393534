// All-gathers a flat buffer with the layout of the parameters: each replica contributes its slice of each bucket.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plan/buckets.hpp"
#include "run/collective/collectives.hpp"

namespace sluice::run {

// Returns the names of the buckets for messages: "gradients 3 of 7".
std::vector<std::string> bucket_names(std::string_view what, std::size_t buckets);

class BucketGather {
public:
    // `collectives` and `buckets` must outlive this object.
    BucketGather(Collectives& collectives, const plan::Buckets& buckets)
        : collectives_(collectives), buckets_(buckets.all()) {}

    // Makes the first bucket the next one. Collectives that were started inside a failed graph capture do not count.
    void restart() { next_ = 0; }
    // Starts the next bucket, whose own slice is filled. The other slices are valid after finish(). `what` names the
    // buffer in messages.
    void start_next(float* flat, std::string_view what);
    // Waits for all started buckets; throws as Collectives::finish().
    void finish();
    // Starts all buckets and calls finish().
    void gather(float* flat, std::string_view what);

private:
    Collectives& collectives_;
    const std::vector<plan::Range>& buckets_;
    std::string what_;  // name of the last buffer
    std::vector<std::string> names_;
    std::size_t next_ = 0;  // index of the next bucket
};

}  // namespace sluice::run

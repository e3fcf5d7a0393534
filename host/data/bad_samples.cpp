#include "data/bad_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"

namespace sluice::data {

void BadSamples::add(std::vector<BadSample> found) {
    std::ranges::stable_sort(found, {}, &BadSample::position);
    for (const BadSample& sample : found) {
        if (indices_.contains(sample.index)) {
            continue;
        }
        if (std::ssize(indices_) >= most_) {
            throw Error(Exit::data, fmt::format("{}; it is bad sample number {}, and data.skip_bad = {} lets no more "
                                                "pass; repair the files, or raise it",
                                                sample.what, indices_.size() + 1, most_));
        }
        indices_.insert(sample.index);
        const std::string follows =
            sample.taken ? fmt::format("sample {} takes its place", *sample.taken) : "it is left out";
        log::warn(fmt::format("{}; {} (bad sample {} of at most {})", sample.what, follows, indices_.size(), most_));
    }
}

}  // namespace sluice::data

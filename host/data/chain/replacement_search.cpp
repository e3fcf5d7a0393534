#include "data/chain/replacement_search.hpp"

#include <algorithm>
#include <utility>

namespace sluice::data {

ReplacementSearch::ReplacementSearch(const Sampling& sampling, std::uint64_t epoch, std::uint64_t position,
                                     std::int64_t most)
    : sampling_(sampling), epoch_(epoch), position_(position), most_(most), drawn_(sampling.draw(epoch, position)) {}

void ReplacementSearch::pass_over(BadSample bad) {
    bad_.push_back(std::move(bad));
    if (bad_.size() == sampling_.length()) {
        throw found_none(bad_, SearchEnd::all_of_data, most_);
    }
    if (std::cmp_greater(bad_.size(), most_)) {
        throw found_none(bad_, SearchEnd::too_many, most_);
    }
    do {  // a bad sample may come more than once
        if (++offset_ == sampling_.length()) {
            throw found_none(bad_, SearchEnd::all_of_epoch, most_);
        }
        drawn_ = sampling_.draw(epoch_, position_ + offset_);
    } while (std::ranges::find(bad_, drawn_.index, &BadSample::index) != bad_.end());
    drawn_.repeat += offset_ * sampling_.length();  // more than any repeat that sampling itself gives
    bad_.back().taken = drawn_.index;
}

std::vector<BadSample> ReplacementSearch::take_bad() { return std::exchange(bad_, {}); }

}  // namespace sluice::data

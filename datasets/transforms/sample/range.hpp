// Options that are a number, or a range from which a number is drawn for each sample.
#pragma once

#include <string>

#include "sluice/sdk/data.hpp"

namespace sluice::transforms {

// A number that is fixed (least == greatest) or drawn for each sample.
struct Range {
    double least = 0.0;
    double greatest = 0.0;
    [[nodiscard]] bool is_fixed() const { return least == greatest; }
};

// Reads option `name`, a pair. Throws if the second number is less than the first.
Range pair_of(const sdk::Options& options, const std::string& name);

// Reads option `name`_range, or `name` as a range of one value.
Range range_of(const sdk::Options& options, const std::string& name);

inline double draw(const Range& range, sdk::Draws& draws) {
    return range.least + (range.greatest - range.least) * static_cast<double>(draws.uniform());
}

}  // namespace sluice::transforms

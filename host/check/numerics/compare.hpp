// Differences in words.
#pragma once

#include <optional>
#include <string>

#include "check/numerics/number_format.hpp"

namespace sluice::check {

// Nothing where all of `found` is as near to `right` as `tolerance` (see tolerances.hpp) allows; else the largest
// difference: "gradient of input 0: largest difference 0.2 at [0, 1, 2, 0]: found 1.4, right is 1.2, allowed 1e-05".
std::optional<std::string> difference(const std::string& what, const sluice_tensor_spec& spec, const Numbers& found,
                                      const Numbers& right, double tolerance);

// 1 or the largest magnitude.
double scale_of(const Numbers& numbers);

}  // namespace sluice::check

// Compares tensors and describes the largest difference.
#pragma once

#include <optional>
#include <string>

#include "check/numerics/number_format.hpp"

namespace sluice::check {

// Returns nothing if all of `found` is as near to `right` as `tolerance` (see tolerances.hpp) allows. Else it describes
// the largest difference: "gradient of input 0: largest difference 0.2 at [0, 1, 2, 0]: found 1.4, expected 1.2,
// allowed 1e-05".
std::optional<std::string> difference(const std::string& what, const sluice_tensor_spec& spec, const Numbers& found,
                                      const Numbers& right, double tolerance);

// The largest finite magnitude, or 1 if that is larger.
double scale_of(const Numbers& numbers);

}  // namespace sluice::check

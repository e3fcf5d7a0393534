// Checks a descriptor, completes it, and makes it constant.
#pragma once

#include "descriptor.hpp"

namespace emulated::dnn {

// Throws Failure if a required attribute is missing or a value is invalid.
void finalize(Description& description);

}  // namespace emulated::dnn

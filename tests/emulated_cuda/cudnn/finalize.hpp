// What is checked, and worked out, when a descriptor is finalized.
#pragma once

#include "descriptor.hpp"

namespace emulated::dnn {

// All required attributes are there. Throws Failure where their values cannot be.
void check_and_complete(Description& description);

}  // namespace emulated::dnn

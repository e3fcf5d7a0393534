// Checks and completes a descriptor that is being finalized.
#pragma once

#include "descriptor.hpp"

namespace emulated::dnn {

// All required attributes must be set. Throws Failure if their values are invalid.
void check_and_complete(Description& description);

}  // namespace emulated::dnn

// A field of a sample, as a source or transform announces it.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/kind/source.h"

namespace sluice::registry {

struct Field {
    std::string name;
    std::int32_t role = SLUICE_FIELD_TENSOR;
    sluice_tensor_spec spec{};
};

}  // namespace sluice::registry

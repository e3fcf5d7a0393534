// One sample of a chain.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/tensor_view.hpp"

namespace sluice::data {

struct SampleField {
    std::string name;
    std::int32_t role = 0;
    TensorView tensor;
};

struct Sample {
    std::string name;  // for messages, such as a file's path
    std::vector<SampleField> fields;
};

}  // namespace sluice::data

// Maps cuDNN's codes of element types to C++ types.
#pragma once

#include <cudnn.h>

#include "cuda/numbers.cuh"

namespace sluice::cudnn {

// Calls body with a value of the type: with_element_type(type, [&](auto zero) { using T = decltype(zero); ... }).
template <class Body>
void with_element_type(cudnnDataType_t type, Body&& body) {
    if (type == CUDNN_DATA_HALF) {
        body(Half{});
    } else if (type == CUDNN_DATA_BFLOAT16) {
        body(Bfloat{});
    } else {
        body(float{});
    }
}

}  // namespace sluice::cudnn

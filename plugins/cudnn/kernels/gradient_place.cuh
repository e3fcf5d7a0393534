// A gradient that is written or added to, element by element.
#pragma once

#include "cuda/numbers.cuh"

namespace sluice::cudnn {

// The memory of a gradient; NULL: the gradient is not needed.
template <class T>
struct GradientPlace {
    T* to;
    bool add;
};

template <class T>
__device__ void put_gradient(const GradientPlace<T>& place, std::int64_t i, float value) {
    place.to[i] = from_float<T>(place.add ? to_float(place.to[i]) + value : value);
}

}  // namespace sluice::cudnn

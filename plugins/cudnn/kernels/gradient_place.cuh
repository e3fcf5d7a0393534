// A gradient that is written or added to, element by element.
#pragma once

#include "cuda/numbers.cuh"

namespace sluice::cudnn {

// Where a gradient goes; NULL: it is not wanted.
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

// Conversions between element types in dense memory.
#pragma once

#include <cstdint>

#include "math/element.hpp"

namespace sluice::onednn {

// Computes to = from, or to += from with `add`. Both types are float, Bfloat16 or Float16.
template <class From, class To>
void convert(To* to, const From* from, std::int64_t count, bool add);
void convert(Bfloat16* to, const float* from, std::int64_t count, bool add);  // in vectors of Highway

// Returns where numbers for `to` are computed in float32: in `to` itself, or in `block` if `to` has 16 bits.
inline float* float_buffer(float* to, float* /*block*/) { return to; }
inline float* float_buffer(Bfloat16* /*to*/, float* block) { return block; }
// Moves the numbers from there to `to`.
inline void store_buffer(float* /*to*/, const float* /*room*/, std::int64_t /*count*/) {}
inline void store_buffer(Bfloat16* to, const float* room, std::int64_t count) { convert(to, room, count, false); }

}  // namespace sluice::onednn

// Loops that give numbers another element type, in dense memory.
#pragma once

#include <cstdint>

#include "math/element.hpp"

namespace sluice::onednn {

// to = from, added to what is there where `add`. Both types are float, Bfloat16 or Float16.
template <class From, class To>
void convert(To* to, const From* from, std::int64_t count, bool add);
void convert(Bfloat16* to, const float* from, std::int64_t count, bool add);  // in vectors of Highway

// Where `count` numbers that belong to `to` are computed in float32: there, or in a block beside it.
inline float* float_room(float* to, float* /*block*/) { return to; }
inline float* float_room(Bfloat16* /*to*/, float* block) { return block; }
// What lies in the room goes where it belongs.
inline void store_room(float* /*to*/, const float* /*room*/, std::int64_t /*count*/) {}
inline void store_room(Bfloat16* to, const float* room, std::int64_t count) { convert(to, room, count, false); }

}  // namespace sluice::onednn

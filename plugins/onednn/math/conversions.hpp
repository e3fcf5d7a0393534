// Loops that give numbers another element type, in dense memory.
#pragma once

#include <cstdint>

#include "math/element.hpp"

namespace sluice::onednn {

// to = from, added to what is there where `add`. Both types are float, Bfloat16 or Float16.
template <class From, class To>
void convert(To* to, const From* from, std::int64_t count, bool add);

}  // namespace sluice::onednn

// Flat float32 buffers of the host: weights, gradients, states of the optimizer.
#pragma once

#include <cstdint>

#include "cuda/numbers.cuh"

namespace sluice::cudnn {

inline bool is_pack_aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(Pack<float>) == 0;
}

// Returns how many packs of `count` elements can be loaded whole: 0 if a range starts within a pack.
template <class... Pointers>
std::int64_t whole_packs(std::uint64_t count, const Pointers*... pointers) {
    return (is_pack_aligned(pointers) && ...) ? static_cast<std::int64_t>(count) / Pack<float>::kSize : 0;
}

}  // namespace sluice::cudnn

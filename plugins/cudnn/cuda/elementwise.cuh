// Computes to[i] = f(a[i], b[i], ...) in float32, at the bandwidth of the memory. A thread takes several neighbouring
// elements at once: 16 bytes of the widest type.
#pragma once

#include "cuda/launch.cuh"
#include "cuda/numbers.cuh"

namespace sluice::cudnn {

template <class... Elements>
inline constexpr int kMapSize = 16 / static_cast<int>(std::max({sizeof(Elements)...}));

template <class T, class Function, class... Sources>
__global__ void map_kernel(T* to, std::int64_t n, bool add, Function function, const Sources*... from) {
    constexpr int kSize = kMapSize<T, Sources...>;
    const std::int64_t packs = n / kSize;
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        const std::int64_t at = p * kSize;
        Pack<T, kSize> out = add ? load_pack<kSize>(to + at) : Pack<T, kSize>{};
        const auto take = [&](const Pack<Sources, kSize>&... in) {
            for (int k = 0; k < kSize; ++k) {
                const float value = function(to_float(in.values[k])...);
                out.values[k] = from_float<T>(add ? to_float(out.values[k]) + value : value);
            }
        };
        take(load_pack<kSize>(from + at)...);
        store_pack(to + at, out);
    }
    for (std::int64_t i = packs * kSize + first_index(); i < n; i += index_stride()) {
        const float value = function(to_float(from[i])...);
        to[i] = from_float<T>(add ? to_float(to[i]) + value : value);
    }
}

// Pointers are multiples of 16 bytes. `to` may be one of `from` that has its type. If `add`, adds to `to`.
template <class T, class Function, class... Sources>
void map(void* stream, T* to, std::int64_t n, bool add, const Function& function, const Sources*... from) {
    launch(stream, blocks_for(n / kMapSize<T, Sources...>), kThreads, map_kernel<T, Function, Sources...>, to, n, add,
           function, from...);
}

}  // namespace sluice::cudnn

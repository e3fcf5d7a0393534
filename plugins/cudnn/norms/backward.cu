// Backward of passes.hpp: one pass for the sums, one for the gradient of x. If a relu follows the normalisation
// directly and nothing is dropped, its sign is recomputed from x and there are no bits.
#include <cmath>

#include "norms/images.cuh"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

// Blocks that share a multiprocessor, and rows that a thread loads at once. They use all registers without spilling,
// and keep about the same bytes in flight. A recomputed sign needs two more tables.
template <bool kRemakes>
constexpr int kBlocks = kRemakes ? 2 : 3;
template <class T, bool kRemakes>
constexpr int kGradientRowsAhead = (kRemakes ? 3 : 2) - (sizeof(T) == 4 ? 1 : 0);

template <class T>
struct Loaded {
    Pack<T, kGroup> x;
    Pack<T, kGroup> gradient;
    unsigned bits;
};

template <class T, class Image>
__device__ Loaded<T> load_backward(const NormBackward<T>& tensors, const Image& image, std::int64_t at,
                                   PartialPack partial) {
    Loaded<T> loaded;
    loaded.x = load_partial(tensors.x + at, partial);
    loaded.gradient = load_from(image, tensors.gradient, at, partial);
    loaded.bits = tensors.bits != nullptr ? tensors.bits[at / kGroup] : 0xFFU;
    return loaded;
}

// Returns the gradient before the masks. factor and shift: those of the relu's input, if its sign is recomputed.
template <bool kRemakes, class T>
__device__ float cut_element(const NormBackward<T>& tensors, const Loaded<T>& loaded, int k, const float* factor,
                             const float* shift) {
    const float g = mask_gradient(to_float(loaded.gradient.values[k]), loaded.bits, tensors.kept_factor, k);
    if constexpr (kRemakes) {
        return std::fma(to_float(loaded.x.values[k]), factor[k], shift[k]) > 0.0F ? g : 0.0F;
    } else {
        return g;
    }
}

template <class T, class Image, bool kRemakes>
__global__ void __launch_bounds__(kThreads, kBlocks<kRemakes>)
    sums_kernel(Tiles tiles, NormBackward<T> tensors, OutsideGradient<T> outside, const float* means, float* to,
                Image image) {
    const ThreadTile tile(tiles, Walk::up);
    float mean[kGroup];
    float factor[kGroup] = {};
    float shift[kGroup] = {};
    if constexpr (kRemakes) {
        load_table(tiles, tile, tensors.factor, factor);
        load_table(tiles, tile, tensors.relu_shift, shift);
    }
    load_table(tiles, tile, means, mean);
    float sums[2][kGroup] = {};
    walk_rows<kGradientRowsAhead<T, kRemakes>>(
        tile, [&](std::int64_t at, PartialPack partial) { return load_backward(tensors, image, at, partial); },
        [&](std::int64_t at, const Loaded<T>& loaded, PartialPack partial) {
            float outside_values[kGroup];
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                const float x = to_float(loaded.x.values[k]);
                const float g = cut_element<kRemakes>(tensors, loaded, k, factor, shift);
                outside_values[k] = outside.is_before_masks ? g : to_float(loaded.gradient.values[k]);
                sums[0][k] += g;
                sums[1][k] = std::fma(g, x - mean[k], sums[1][k]);
            }
            if (outside.to != nullptr) {
                store_partial(outside.to + at, partial, outside.adds, outside_values);
            }
        });
    sum_over_tile(tiles, tile, sums);
    store_sums(tiles, tile, sums, to);
}

template <class T, class Image, bool kRemakes>
__global__ void __launch_bounds__(kThreads, kBlocks<kRemakes>)
    gradient_kernel(Tiles tiles, NormBackward<T> tensors, InputGradient<T> input, Image image) {
    const ThreadTile tile(tiles, Walk::down);
    float factor[kGroup];
    float shift[kGroup] = {};
    float slope[kGroup];
    float offset[kGroup];
    if constexpr (kRemakes) {
        load_table(tiles, tile, tensors.relu_shift, shift);
    }
    load_table(tiles, tile, tensors.factor, factor);
    load_table(tiles, tile, input.slope, slope);
    load_table(tiles, tile, input.offset, offset);
    walk_rows<kGradientRowsAhead<T, kRemakes>>(
        tile, [&](std::int64_t at, PartialPack partial) { return load_backward(tensors, image, at, partial); },
        [&](std::int64_t at, const Loaded<T>& loaded, PartialPack partial) {
            float values[kGroup];
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                const float x = to_float(loaded.x.values[k]);
                const float g = cut_element<kRemakes>(tensors, loaded, k, factor, shift);
                values[k] = std::fma(g, factor[k], std::fma(x, slope[k], offset[k]));
            }
            store_partial(input.to + at, partial, input.adds, values);
        });
}

template <class T, class Image>
auto* sums_kernel_of(bool recomputes_sign) {
    return recomputes_sign ? sums_kernel<T, Image, true> : sums_kernel<T, Image, false>;
}

template <class T, class Image>
auto* gradient_kernel_of(bool recomputes_sign) {
    return recomputes_sign ? gradient_kernel<T, Image, true> : gradient_kernel<T, Image, false>;
}

}  // namespace

template <class T>
Tiles sums_tiles(const Extents& extents, bool recomputes_sign) {
    return make_tiles(extents, kRowsSummed,
                      std::min(blocks_at_once(sums_kernel_of<T, Dense>(recomputes_sign)),
                               blocks_at_once(sums_kernel_of<T, Mirrored>(recomputes_sign))));
}

template <class T>
Tiles gradient_tiles(const Extents& extents, bool recomputes_sign) {
    return make_tiles(extents, 1,
                      std::min(blocks_at_once(gradient_kernel_of<T, Dense>(recomputes_sign)),
                               blocks_at_once(gradient_kernel_of<T, Mirrored>(recomputes_sign))));
}

template <class T, class Image>
void launch_sums(void* stream, const Tiles& tiles, const NormBackward<T>& tensors, const OutsideGradient<T>& outside,
                 const float* mean, float* sums, const Image& image) {
    auto* const kernel = sums_kernel_of<T, Image>(tensors.relu_shift != nullptr);
    launch(stream, tiles.grid(), tiles.threads(), kernel, tiles, tensors, outside, mean, sums, image);
}

template <class T, class Image>
void launch_gradient(void* stream, const Tiles& tiles, const NormBackward<T>& tensors, const InputGradient<T>& input,
                     const Image& image) {
    auto* const kernel = gradient_kernel_of<T, Image>(tensors.relu_shift != nullptr);
    launch(stream, tiles.grid(), tiles.threads(), kernel, tiles, tensors, input, image);
}

template Tiles sums_tiles<float>(const Extents&, bool);
template Tiles sums_tiles<Half>(const Extents&, bool);
template Tiles sums_tiles<Bfloat>(const Extents&, bool);
template Tiles gradient_tiles<float>(const Extents&, bool);
template Tiles gradient_tiles<Half>(const Extents&, bool);
template Tiles gradient_tiles<Bfloat>(const Extents&, bool);
template void launch_sums(void*, const Tiles&, const NormBackward<float>&, const OutsideGradient<float>&, const float*,
                          float*, const Dense&);
template void launch_sums(void*, const Tiles&, const NormBackward<float>&, const OutsideGradient<float>&, const float*,
                          float*, const Mirrored&);
template void launch_sums(void*, const Tiles&, const NormBackward<Half>&, const OutsideGradient<Half>&, const float*,
                          float*, const Dense&);
template void launch_sums(void*, const Tiles&, const NormBackward<Half>&, const OutsideGradient<Half>&, const float*,
                          float*, const Mirrored&);
template void launch_sums(void*, const Tiles&, const NormBackward<Bfloat>&, const OutsideGradient<Bfloat>&,
                          const float*, float*, const Dense&);
template void launch_sums(void*, const Tiles&, const NormBackward<Bfloat>&, const OutsideGradient<Bfloat>&,
                          const float*, float*, const Mirrored&);
template void launch_gradient(void*, const Tiles&, const NormBackward<float>&, const InputGradient<float>&,
                              const Dense&);
template void launch_gradient(void*, const Tiles&, const NormBackward<float>&, const InputGradient<float>&,
                              const Mirrored&);
template void launch_gradient(void*, const Tiles&, const NormBackward<Half>&, const InputGradient<Half>&, const Dense&);
template void launch_gradient(void*, const Tiles&, const NormBackward<Half>&, const InputGradient<Half>&,
                              const Mirrored&);
template void launch_gradient(void*, const Tiles&, const NormBackward<Bfloat>&, const InputGradient<Bfloat>&,
                              const Dense&);
template void launch_gradient(void*, const Tiles&, const NormBackward<Bfloat>&, const InputGradient<Bfloat>&,
                              const Mirrored&);

}  // namespace sluice::cudnn

// Forward of passes.hpp: one pass computes the statistics, one computes the output from them.
#include <cmath>

#include "norms/images.cuh"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

constexpr int kStatisticsAhead = 4;
constexpr int kForwardAhead = 2;

// Returns the first elements of the block. Squared distances from them keep their digits, unlike those from 0.
template <class T>
__device__ Pack<T, kGroup> pivot_of(const Tiles& tiles, const ThreadTile& tile, const T* x) {
    const std::uint32_t at = tile.block * tiles.chunk * tiles.width + tile.place;
    const int count = at >= tiles.count ? 0 : static_cast<int>(std::min<std::uint32_t>(tiles.count - at, kGroup));
    return load_partial(x + std::size_t{tile.sample} * tiles.count + at, {tile.is_taken ? count : 0, tile.packed});
}

template <class T>
__global__ void __launch_bounds__(kThreads, 3) statistics_kernel(Tiles tiles, const T* x, float* moments) {
    const ThreadTile tile(tiles, Walk::up);
    const Pack<T, kGroup> pivot = pivot_of(tiles, tile, x);
    float sums[2][kGroup] = {};  // of distances and of their squares
    walk_rows<kStatisticsAhead>(
        tile, [&](std::int64_t at, PartialPack partial) { return load_partial(x + at, partial); },
        [&](std::int64_t, const Pack<T, kGroup>& pack, PartialPack partial) {
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                const float distance = k < partial.count ? to_float(pack.values[k]) - to_float(pivot.values[k]) : 0.0F;
                sums[0][k] += distance;
                sums[1][k] = std::fma(distance, distance, sums[1][k]);
            }
        });
    sum_over_tile(tiles, tile, sums);
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const std::uint32_t rows = tiles.rows_of(tile.block, tile.place + static_cast<std::uint32_t>(k));
        const float shift = rows > 0 ? sums[0][k] / static_cast<float>(rows) : 0.0F;
        sums[1][k] = std::max(sums[1][k] - sums[0][k] * shift, 0.0F);
        sums[0][k] = to_float(pivot.values[k]) + shift;
    }
    store_sums(tiles, tile, sums, moments);
}

template <class T, class Image>
__global__ void __launch_bounds__(kThreads, 3)
    forward_kernel(Tiles tiles, NormForward<T> tensors, ChainMasks masks, Image image) {
    struct Loaded {
        Pack<T, kGroup> x;
        Pack<T, kGroup> outside;
    };
    const ThreadTile tile(tiles, Walk::down);
    float factor[kGroup];
    float shift[kGroup];
    load_table(tiles, tile, tensors.factor, factor);
    load_table(tiles, tile, tensors.shift, shift);
    const sluice_random_key key = random_key_of(masks);
    const bool joins = masks.join != Join::none;
    walk_rows<kForwardAhead>(
        tile,
        [&](std::int64_t at, PartialPack partial) {
            Loaded loaded;
            loaded.x = load_partial(tensors.x + at, partial);
            if (joins) {
                loaded.outside = load_partial(tensors.outside + at, partial);
            }
            return loaded;
        },
        [&](std::int64_t at, const Loaded& loaded, PartialPack partial) {
            float values[kGroup];
            float outside[kGroup];
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                values[k] = std::fma(to_float(loaded.x.values[k]), factor[k], shift[k]);
                outside[k] = joins ? to_float(loaded.outside.values[k]) : 0.0F;
            }
            const auto group = static_cast<std::uint32_t>(at / kGroup);
            const unsigned bits = apply_masks(masks, key, group, values, outside);
            store_to(image, tensors.y, at, partial, values);
            if (tensors.bits != nullptr) {
                tensors.bits[group] = static_cast<std::uint8_t>(bits);
            }
        });
}

}  // namespace

template <class T>
Tiles statistics_tiles(const Extents& extents) {
    return make_tiles(extents, kRowsSummed, blocks_at_once(statistics_kernel<T>));
}

template <class T>
Tiles forward_tiles(const Extents& extents) {
    return make_tiles(extents, 1,
                      std::min(blocks_at_once(forward_kernel<T, Dense>), blocks_at_once(forward_kernel<T, Mirrored>)));
}

template <class T>
void launch_statistics(void* stream, const Tiles& tiles, const T* x, float* moments) {
    launch(stream, tiles.grid(), tiles.threads(), statistics_kernel<T>, tiles, x, moments);
}

template <class T, class Image>
void launch_forward(void* stream, const Tiles& tiles, const NormForward<T>& tensors, const ChainMasks& masks,
                    const Image& image) {
    launch(stream, tiles.grid(), tiles.threads(), forward_kernel<T, Image>, tiles, tensors, masks, image);
}

template Tiles statistics_tiles<float>(const Extents&);
template Tiles statistics_tiles<Half>(const Extents&);
template Tiles statistics_tiles<Bfloat>(const Extents&);
template Tiles forward_tiles<float>(const Extents&);
template Tiles forward_tiles<Half>(const Extents&);
template Tiles forward_tiles<Bfloat>(const Extents&);
template void launch_statistics(void*, const Tiles&, const float*, float*);
template void launch_statistics(void*, const Tiles&, const Half*, float*);
template void launch_statistics(void*, const Tiles&, const Bfloat*, float*);
template void launch_forward(void*, const Tiles&, const NormForward<float>&, const ChainMasks&, const Dense&);
template void launch_forward(void*, const Tiles&, const NormForward<float>&, const ChainMasks&, const Mirrored&);
template void launch_forward(void*, const Tiles&, const NormForward<Half>&, const ChainMasks&, const Dense&);
template void launch_forward(void*, const Tiles&, const NormForward<Half>&, const ChainMasks&, const Mirrored&);
template void launch_forward(void*, const Tiles&, const NormForward<Bfloat>&, const ChainMasks&, const Dense&);
template void launch_forward(void*, const Tiles&, const NormForward<Bfloat>&, const ChainMasks&, const Mirrored&);

}  // namespace sluice::cudnn

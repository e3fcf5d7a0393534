// Kernels: one thread computes each written element, and neighbouring threads take neighbouring channels. Kernels are
// small, so reads hit the cache.
// Images: one pass reads and writes each element once. A thread moves b elements, which are neighbours in the image and
// in the block.
#include "conv/blocks.hpp"

#include "cuda/divide.cuh"
#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

// Extents in 32 bits. `packs` counts the channels of the source in packs.
struct KernelExtents {
    KernelExtents(const BlockShape& shape, int pack)
        : filters(shape.filters),
          columns(shape.block_taps()[1]),
          rows(shape.block_taps()[0]),
          packs(shape.source_channels / pack),
          edge(shape.edge),
          tap_rows(static_cast<int>(shape.taps[0])),
          tap_columns(static_cast<int>(shape.taps[1])),
          channels(static_cast<int>(shape.channels)) {}
    Divider filters, columns, rows, packs, edge;
    int tap_rows, tap_columns, channels;
};

template <class T, int kPack>
__global__ void make_kernel(KernelExtents e, std::int64_t n, const float* kernels, T* to) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        auto rest = static_cast<std::uint32_t>(i);
        const auto first = static_cast<int>(e.packs.split(rest)) * kPack;
        auto column = static_cast<int>(e.columns.split(rest));
        auto row = static_cast<int>(e.rows.split(rest));
        const std::uint32_t filter = e.filters.split(rest);
        column -= static_cast<int>(e.edge.split(rest));
        row -= static_cast<int>(rest);
        const bool looks = row >= 0 && row < e.tap_rows && column >= 0 && column < e.tap_columns;
        const std::int64_t tap = (static_cast<std::int64_t>(filter) * e.tap_rows + row) * e.tap_columns + column;
        Pack<T, kPack> out;
        for (int k = 0; k < kPack; ++k) {
            const bool is_there = looks && first + k < e.channels;
            out.values[k] = from_float<T>(is_there ? kernels[tap * e.channels + first + k] : 0.0F);
        }
        store_pack(to + i * kPack, out);
    }
}

// i: index in kernels [O, R, S, I]
template <class T>
__global__ void fold_block_kernel(KernelExtents e, Divider channels, Divider tap_columns, Divider tap_rows,
                                  std::int64_t n, const T* gradient, float* kernels, bool add) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        auto filter = static_cast<std::uint32_t>(i);
        const std::uint32_t channel = channels.split(filter);
        const std::uint32_t column = tap_columns.split(filter);
        const std::uint32_t row = tap_rows.split(filter);
        const std::uint32_t edge = e.edge.divisor();
        float sum = 0.0F;
        for (std::uint32_t p = 0; p < edge; ++p) {
            for (std::uint32_t q = 0; q < edge; ++q) {
                const std::int64_t pixel = static_cast<std::int64_t>(p * edge + q) * e.filters.divisor() + filter;
                const std::int64_t tap = (pixel * e.rows.divisor() + row + p) * e.columns.divisor() + column + q;
                sum += to_float(gradient[tap * e.packs.divisor() + channel]);
            }
        }
        kernels[i] = add ? kernels[i] + sum : sum;
    }
}

// Bias and relu, which are applied on the way from blocks to the image.
struct End {
    const float* bias;
    bool relu;
};

// Indices count packs of kEdge elements: a row of the image has W / b * O of them, a row of a block has O. i: index in
// the image.
template <class T, int kEdge, bool kToImage>
__global__ void image_kernel(Divider filters, Divider row_blocks, std::int64_t n, const T* from, T* to, End end) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        auto row = static_cast<std::uint32_t>(i);
        const std::uint32_t pack = filters.split(row);
        const std::uint32_t block = row_blocks.split(row);
        const std::uint32_t place =
            ((row / kEdge * row_blocks.divisor() + block) * kEdge + row % kEdge) * filters.divisor() + pack;
        if (!kToImage) {
            store_pack(to + std::int64_t{place} * kEdge, load_pack<kEdge>(from + i * kEdge));
            continue;
        }
        Pack<T, kEdge> out = load_pack<kEdge>(from + std::int64_t{place} * kEdge);
        for (std::uint32_t k = 0; k < kEdge; ++k) {
            const float shift = end.bias == nullptr ? 0.0F : end.bias[(pack * kEdge + k) % filters.divisor()];
            const float sum = to_float(out.values[k]) + shift;
            out.values[k] = from_float<T>(end.relu && sum < 0.0F ? 0.0F : sum);
        }
        store_pack(to + i * kEdge, out);
    }
}

template <bool kToImage>
void move(void* stream, cudnnDataType_t type, const BlockShape& s, const void* from, void* to, const End& end) {
    const std::int64_t n = s.image_count() / s.edge;
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        launch(stream, blocks_for(n), kThreads,
               s.edge == 4 ? image_kernel<T, 4, kToImage> : image_kernel<T, 2, kToImage>, Divider(s.filters),
               Divider(s.out[1] / s.edge), n, static_cast<const T*>(from), static_cast<T*>(to), end);
    });
}

template <class T, int kPack>
void make_packs(void* stream, const BlockShape& s, const float* kernels, void* to) {
    const std::int64_t n = s.block_filters() * s.block_taps()[0] * s.block_taps()[1] * s.source_channels / kPack;
    launch(stream, blocks_for(n), kThreads, make_kernel<T, kPack>, KernelExtents(s, kPack), n, kernels,
           static_cast<T*>(to));
}

}  // namespace

void make_block_kernels(void* stream, cudnnDataType_t type, const BlockShape& shape, const float* kernels, void* to) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        shape.source_channels % Pack<T>::kSize == 0 ? make_packs<T, Pack<T>::kSize>(stream, shape, kernels, to)
                                                    : make_packs<T, 1>(stream, shape, kernels, to);
    });
}

void fold_block_kernels(void* stream, cudnnDataType_t type, const BlockShape& s, const void* gradient, float* kernels,
                        bool add) {
    const std::int64_t n = s.filters * s.taps[0] * s.taps[1] * s.channels;
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        launch(stream, blocks_for(n), kThreads, fold_block_kernel<T>, KernelExtents(s, 1), Divider(s.channels),
               Divider(s.taps[1]), Divider(s.taps[0]), n, static_cast<const T*>(gradient), kernels, add);
    });
}

void blocks_to_image(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* blocks, void* image,
                     const float* bias, bool relu) {
    move<true>(stream, type, shape, blocks, image, {.bias = bias, .relu = relu});
}

void image_to_blocks(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* image, void* blocks) {
    move<false>(stream, type, shape, image, blocks, {.bias = nullptr, .relu = false});
}

}  // namespace sluice::cudnn

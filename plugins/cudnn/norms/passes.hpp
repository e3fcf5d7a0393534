// The passes over activations of batch_norm, with the layers that follow it in a chain, and of group_norm and
// instance_norm. The launches between them, on numbers of channels, are in batch_totals.hpp and group_totals.hpp.
//
// Forward: `statistics` reads x; `forward` reads x and the tensor that is added, and writes y. Backward: `sums` reads x
// and the gradient, and writes the gradient of the added tensor; `gradient` reads both again and writes the gradient of
// x. Bits take an eighth of a byte per element.
//
// T is float, Half or Bfloat. Pointers to elements point to whole tensors; tables are [samples, channels]. Image, which
// is Dense or Mirrored, describes y and the gradient after the masks (cuda/masks.cuh).
#pragma once

#include "cuda/masks.cuh"
#include "norms/images.hpp"
#include "norms/tiles.hpp"

namespace sluice::cudnn {

// How each pass divides a tensor: into as many blocks as the calling thread's device runs at once, for either kind of
// image. recomputes_sign: backward recomputes a relu's sign.
template <class T>
Tiles statistics_tiles(const Extents& extents);
template <class T>
Tiles forward_tiles(const Extents& extents);
template <class T>
Tiles sums_tiles(const Extents& extents, bool recomputes_sign);
template <class T>
Tiles gradient_tiles(const Extents& extents, bool recomputes_sign);

// The tiles of all passes; those of backward only in training.
struct NormTiles {
    Tiles statistics{};
    Tiles forward{};
    Tiles sums{};
    Tiles gradient{};
    // Bytes for what `statistics` and `sums` write; they use the same memory one after the other.
    [[nodiscard]] std::uint64_t sums_bytes() const { return std::max(statistics.sums_bytes(), sums.sums_bytes()); }
};
template <class T>
NormTiles norm_tiles(const Extents& extents, bool trains, bool recomputes_sign) {
    NormTiles tiles{.statistics = statistics_tiles<T>(extents), .forward = forward_tiles<T>(extents)};
    if (trains) {
        tiles.sums = sums_tiles<T>(extents, recomputes_sign);
        tiles.gradient = gradient_tiles<T>(extents, recomputes_sign);
    }
    return tiles;
}

// Computes for each block and place the mean and the sum of squared distances from it: [samples, blocks, 2, width].
template <class T>
void launch_statistics(void* stream, const Tiles& tiles, const T* x, float* moments);

template <class T>
struct NormForward {
    const T* x;
    const T* outside;     // the tensor that is added, if any
    T* y;                 // may be x or outside if it is dense
    std::uint8_t* bits;   // NULL: not needed
    const float* factor;  // x * factor + shift goes into the masks
    const float* shift;
};
template <class T, class Image = Dense>
void launch_forward(void* stream, const Tiles& tiles, const NormForward<T>& tensors, const ChainMasks& masks,
                    const Image& image = Image());

// Both backward passes read this. g is the gradient before the masks.
template <class T>
struct NormBackward {
    const T* x;
    const T* gradient;         // after the masks
    const std::uint8_t* bits;  // NULL: all are 1
    float kept_factor;         // of dropout
    const float* factor;
    const float* relu_shift;  // for a relu without bits, whose input is x * factor + relu_shift; else NULL
};

// The gradient of the added tensor.
template <class T>
struct OutsideGradient {
    T* to;                 // NULL: not needed
    bool is_before_masks;  // true: it is g; false: it is the gradient after the masks
    bool adds;             // to the existing values
};
// Sums g and g * (x - mean) for each block and place. sums: [samples, blocks, 2, width].
template <class T, class Image = Dense>
void launch_sums(void* stream, const Tiles& tiles, const NormBackward<T>& tensors, const OutsideGradient<T>& outside,
                 const float* mean, float* sums, const Image& image = Image());

// to = g * NormBackward::factor + x * slope + offset
template <class T>
struct InputGradient {
    T* to;  // may be the gradient after the masks if that is dense
    bool adds;
    const float* slope;
    const float* offset;
};
template <class T, class Image = Dense>
void launch_gradient(void* stream, const Tiles& tiles, const NormBackward<T>& tensors, const InputGradient<T>& input,
                     const Image& image = Image());

}  // namespace sluice::cudnn

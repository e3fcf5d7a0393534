// The passes over activations of batch_norm, with what follows it in a chain, and of group_norm and instance_norm. What
// is between them, on numbers of channels, is in batch_totals.hpp and group_totals.hpp.
//
// Forward: statistics reads x; forward reads x and what joins, and writes y. Backward: sums reads x and the gradient,
// and writes that of what joined; gradient reads both again and writes the gradient of x. Bits are an eighth of a byte
// an element.
//
// T is float, Half or Bfloat. Pointers to elements are those of whole tensors; tables are [samples, channels]. Image,
// Dense or Mirrored, is what y is, and the gradient behind the cuts.
#pragma once

#include "cuda/cuts.cuh"
#include "norms/images.hpp"
#include "norms/tiles.hpp"

namespace sluice::cudnn {

// How each pass deals out a tensor: in as many blocks as the calling thread's device runs at once, of either image.
// remakes: whether backward makes a relu's sign again.
template <class T>
Tiles statistics_tiles(const Extents& extents);
template <class T>
Tiles forward_tiles(const Extents& extents);
template <class T>
Tiles sums_tiles(const Extents& extents, bool remakes);
template <class T>
Tiles gradient_tiles(const Extents& extents, bool remakes);

// Those of all passes; of backward only in training.
struct NormTiles {
    Tiles statistics{};
    Tiles forward{};
    Tiles sums{};
    Tiles gradient{};
    // What statistics and sums write, one after the other.
    [[nodiscard]] std::uint64_t sums_bytes() const { return std::max(statistics.sums_bytes(), sums.sums_bytes()); }
};
template <class T>
NormTiles norm_tiles(const Extents& extents, bool trains, bool remakes) {
    NormTiles tiles{.statistics = statistics_tiles<T>(extents), .forward = forward_tiles<T>(extents)};
    if (trains) {
        tiles.sums = sums_tiles<T>(extents, remakes);
        tiles.gradient = gradient_tiles<T>(extents, remakes);
    }
    return tiles;
}

// Of each block and place the mean, and the sum of squared distances from it: [samples, blocks, 2, width].
template <class T>
void launch_statistics(void* stream, const Tiles& tiles, const T* x, float* moments);

template <class T>
struct NormForward {
    const T* x;
    const T* outside;     // where something joins
    T* y;                 // may be x or outside, where it is dense
    std::uint8_t* bits;   // NULL: not wanted
    const float* factor;  // x * factor + shift goes into the cuts
    const float* shift;
};
template <class T, class Image = Dense>
void launch_forward(void* stream, const Tiles& tiles, const NormForward<T>& tensors, const Cuts& cuts,
                    const Image& image = Image());

// What both passes backward read. g is the gradient in front of the cuts.
template <class T>
struct NormBackward {
    const T* x;
    const T* gradient;         // behind the cuts
    const std::uint8_t* bits;  // NULL: all are 1
    float kept_factor;         // dropout's
    const float* factor;
    const float* relu_shift;  // where there is a relu without bits: it had x * factor + relu_shift. Else NULL
};

// That of what joined.
template <class T>
struct OutsideGradient {
    T* to;        // NULL: not wanted
    bool is_cut;  // it is g, else the gradient behind the cuts
    bool adds;    // to what is there
};
// sums: of g, and of g * (x - mean), for each block and place: [samples, blocks, 2, width].
template <class T, class Image = Dense>
void launch_sums(void* stream, const Tiles& tiles, const NormBackward<T>& tensors, const OutsideGradient<T>& outside,
                 const float* mean, float* sums, const Image& image = Image());

// to = g * NormBackward::factor + x * slope + offset
template <class T>
struct InputGradient {
    T* to;  // may be the gradient behind the cuts, where that is dense
    bool adds;
    const float* slope;
    const float* offset;
};
template <class T, class Image = Dense>
void launch_gradient(void* stream, const Tiles& tiles, const NormBackward<T>& tensors, const InputGradient<T>& input,
                     const Image& image = Image());

}  // namespace sluice::cudnn

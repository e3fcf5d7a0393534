// The source that oneDNN reads for a convolution's input, and the way back of its gradient. The source is the input
// itself, a copy in the type that oneDNN computes with, or a copy with mirrored edges.
#pragma once

#include "conv/geometry.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {

// Returns the bytes of the copy; 0 if the source is the input itself.
inline std::uint64_t copied_source_bytes(const ConvGeometry& geometry) {
    return geometry.copies_source() ? geometry.source_bytes() : 0;
}

// Returns the source of this launch: its input, or a copy made in `memory`.
const void* source_of(const sluice_launch& launch, const ConvGeometry& geometry, float* memory);

// Writes the input's gradient, or adds to it. source_gradient: [N, H + 2 border, W + 2 border, C] in float32; this
// function may overwrite it.
void store_input_gradient(const sluice_launch& launch, const ConvGeometry& geometry, float* source_gradient,
                          bool accumulate);

// Same without mirrored edges, for any image of `count` elements stored in `type`.
void store_gradient_as(const sluice_threads* threads, DataType type, const float* from, void* gradient,
                       std::int64_t count, bool accumulate);

}  // namespace sluice::onednn

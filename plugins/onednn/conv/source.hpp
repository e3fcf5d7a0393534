// What oneDNN reads in place of a convolution's input, and what its gradient is then: the input itself; a copy of the
// type that oneDNN computes with; or one with mirrored edges.
#pragma once

#include "conv/geometry.hpp"
#include "workspace.hpp"

namespace sluice::onednn {

// The bytes that a copy takes: none where there is none.
inline std::uint64_t copied_source_bytes(const ConvGeometry& geometry) {
    return geometry.copies_source() ? geometry.source_bytes() : 0;
}

// The source of this launch: its input, or the copy of it, made in `memory`.
const void* source_of(const sluice_launch& launch, const ConvGeometry& geometry, float* memory);

// Writes the input's gradient, or adds to it, from that of the source, [N, H + 2 border, W + 2 border, C] in float32,
// which it may change.
void store_input_gradient(const sluice_launch& launch, const ConvGeometry& geometry, float* source_gradient,
                          bool accumulate);

// The same without mirrored edges, for any image of `count` elements that is stored in `type`.
void store_gradient_as(const sluice_threads* threads, DataType type, const float* from, void* gradient,
                       std::int64_t count, bool accumulate);

}  // namespace sluice::onednn

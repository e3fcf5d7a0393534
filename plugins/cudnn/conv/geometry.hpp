// Extents of a convolution node, and the problem that cuDNN computes.
//
// cuDNN has no padding by reflection. Such a convolution reads a mirrored copy of the input, without padding
// (images/mirrored_margins.hpp). Tensor cores need channels in multiples of 16 bytes, so an image of few channels is
// copied with more of them. "Source" is what cuDNN reads: the copy or the input itself.
#pragma once

#include <optional>
#include <string>

#include "graph/conv_problem.hpp"
#include "images/margins.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

cudnnDataType_t data_type_of(sluice_dtype dtype);
std::uint64_t size_of(cudnnDataType_t type);
// Engines on tensor cores need a multiple of this many channels.
std::int64_t channel_unit(cudnnDataType_t type);

struct ConvGeometry {
    explicit ConvGeometry(const sdk::Node& node);
    // If the source has few channels, adds channels of zeros up to a multiple of channel_unit().
    void add_channels();

    [[nodiscard]] std::uint64_t source_bytes() const;
    [[nodiscard]] bool mirrors() const { return margins.top > 0; }
    [[nodiscard]] bool adds_channels() const { return margins.added_channels > 0; }
    // True if the source is a copy of the input.
    [[nodiscard]] bool copies() const { return mirrors() || adds_channels(); }

    // Shapes of x, w and y, without direction and epilogue.
    ConvProblem extents;
    Margins margins;  // around the input, in the source
};

// True if cuDNN may compute the sums of ConvProblem with the convolution. The conditions are those for which cuDNN 9.19
// has a plan on GPUs of compute capability 8.0 and 9.0.
[[nodiscard]] bool may_have_sums(const ConvProblem& problem);

// Explains why a conv2d is refused if the mirrored copy of its input has more than `most_elements`; empty: it fits.
std::optional<std::string> refuses_margins(const sdk::Node& node, std::int64_t most_elements);

// A transposed convolution is the direction backward_data of a convolution from its output to its input. x of the
// result is the layer's output, y its input, and w its kernels with the channels swapped, [I, kh, kw, O].
ConvProblem transposed_extents(const sdk::Node& node);

// A dense layer from [M, I] to [M, O], as a convolution of 1x1 taps.
ConvProblem dense_extents(const sdk::Node& node);

}  // namespace sluice::cudnn

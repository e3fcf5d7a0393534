// Extents of a convolution node, and what cuDNN is asked for.
//
// Reflection is not known to cuDNN: such a convolution is computed without padding on a mirrored copy of the input
// (images/margins.hpp). Tensor cores want channels in multiples of 16 bytes: a picture is copied into so many. "Source"
// is what cuDNN reads: that copy or the input itself.
#pragma once

#include <optional>
#include <string>

#include "graph/conv_problem.hpp"
#include "images/margins.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

cudnnDataType_t data_type_of(sluice_dtype dtype);
std::uint64_t size_of(cudnnDataType_t type);
// Channels of which engines on tensor cores want a multiple.
std::int64_t channel_unit(cudnnDataType_t type);

struct ConvGeometry {
    explicit ConvGeometry(const sdk::Node& node);
    // Channels of zeros to the source, where it has few and no whole units of them.
    void add_channels();

    [[nodiscard]] std::uint64_t source_bytes() const;
    [[nodiscard]] bool mirrors() const { return margins.top > 0; }
    [[nodiscard]] bool adds_channels() const { return margins.added_channels > 0; }
    // Whether the source is a copy.
    [[nodiscard]] bool copies() const { return mirrors() || adds_channels(); }

    // x, w and y; no direction, nothing added.
    ConvProblem extents;
    Margins margins;  // around the input, in the source
};

// Whether cuDNN may take the sums of ConvProblem with the convolution: what 9.19 has a plan for, on GPUs of compute
// capability 8.0 and 9.0.
[[nodiscard]] bool may_have_sums(const ConvProblem& problem);

// Why the mirrored copy of a conv2d's input cannot be made, where it has more elements.
std::optional<std::string> refuses_margins(const sdk::Node& node, std::int64_t most_elements);

// A transposed convolution is the direction backward_data of a convolution from its output to its input: x, y and w of
// `extents` are the layer's output, its input and the kernels with the channels swapped, [I, kh, kw, O].
ConvProblem transposed_extents(const sdk::Node& node);

// [M, I] to [M, O] as a convolution of 1x1 taps.
ConvProblem dense_extents(const sdk::Node& node);

}  // namespace sluice::cudnn

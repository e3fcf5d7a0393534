#include "kernels/conv_stages.hpp"

#include <algorithm>

#include "conv/geometry.hpp"
#include "conv/phases.hpp"
#include "kernels/chain.hpp"

namespace sluice::cudnn {
namespace {

// True if batch_norm can write the mirrored image that the convolution reads.
bool can_read_source(const sdk::Node& node) {
    if (node.type() != "conv2d") {
        return false;
    }
    const ConvGeometry geometry(node);
    constexpr std::int64_t kMostIndices = std::int64_t{1} << 32;  // what 32 bits can count
    return geometry.mirrors() && geometry.extents.channels % kGroup == 0 && x_count(geometry.extents) <= kMostIndices;
}

// True if batch_norm in the same kernel saves a pass: the one over the bias's gradient, or the one for the sums.
bool saves_pass_with_norm(const sdk::Node& convolution) {
    if (convolution.parameters().size() > 1) {
        return true;
    }
    if (convolution.type() != "conv2d") {
        return false;
    }
    ConvGeometry geometry(convolution);
    geometry.add_channels();
    return may_have_sums(geometry.extents);
}

bool is_norm(const sdk::Chain& chain, std::size_t at) { return at < chain.size() && chain[at].type() == "batch_norm"; }

std::size_t end_of_masks(const sdk::Chain& chain, std::size_t begin) {
    while (begin < chain.size() && chain[begin].type() != "conv2d") {
        ++begin;
    }
    return begin;
}

// Returns the index of the stage's convolution, if the stage begins with one.
std::optional<std::size_t> convolution_at(const sdk::Chain& chain, std::size_t begin) {
    if (begin > 0) {
        return can_read_source(chain[begin]) ? std::optional(begin) : std::nullopt;
    }
    if (begins_with_upsampled_conv2d(chain)) {
        return 1;
    }
    const bool is_one = chain[0].type() == "conv2d" || chain[0].type() == "conv2d_transpose";
    return is_one ? std::optional<std::size_t>(0) : std::nullopt;
}

// Returns the stage that begins at node `begin`; empty: none does.
std::optional<ConvStage> read_stage(const sdk::Chain& chain, std::size_t begin) {
    ConvStage stage;
    stage.begin = begin;
    stage.convolution = convolution_at(chain, begin);
    const std::size_t after = stage.convolution ? *stage.convolution + 1 : begin;
    if (!is_norm(chain, after)) {
        stage.end = after;
        const bool is_last = stage.convolution && begin > 0 && after == chain.size();
        return is_last ? std::optional(stage) : std::nullopt;
    }
    stage.norm = after;
    stage.end = end_of_masks(chain, after + 1);
    const bool gains = stage.convolution ? saves_pass_with_norm(chain[*stage.convolution]) : begin == 0;
    return gains && read_masks(chain, after + 1, stage.end) ? std::optional(stage) : std::nullopt;
}

// True for the only chain outside training: batch_norm with masks, then a convolution. A batch_norm after a convolution
// is folded into it instead (conv/fold.hpp).
bool is_evaluation_chain(const std::vector<ConvStage>& stages) {
    return stages.size() == 2 && !stages[0].convolution && !stages[1].norm;
}

}  // namespace

std::vector<ConvStage> read_stages(const sdk::Chain& chain) {
    std::vector<ConvStage> stages;
    for (std::size_t begin = 0; begin < chain.size(); begin = stages.back().end) {
        const auto stage = read_stage(chain, begin);
        if (!stage) {
            return {};
        }
        stages.push_back(*stage);
    }
    const bool is_norm_alone = stages.size() == 1 && !stages[0].convolution;
    const bool fits = chain[0].trains() ? !is_norm_alone : is_evaluation_chain(stages);
    return fits ? stages : std::vector<ConvStage>{};
}

bool is_conv_chain(const sdk::Chain& chain) { return !read_stages(chain).empty(); }

}  // namespace sluice::cudnn

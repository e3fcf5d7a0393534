#include "kernels/conv_stages.hpp"

#include <algorithm>

#include "conv/geometry.hpp"
#include "conv/phases.hpp"
#include "kernels/chain.hpp"

namespace sluice::cudnn {
namespace {

// Whether batch_norm writes the mirrored image that the convolution reads.
bool takes_source(const sdk::Node& node) {
    if (node.type() != "conv2d") {
        return false;
    }
    const ConvGeometry geometry(node);
    constexpr std::int64_t kMostIndices = std::int64_t{1} << 32;  // that 32 bits count
    return geometry.mirrors() && geometry.extents.channels % kGroup == 0 && x_count(geometry.extents) <= kMostIndices;
}

// Whether a pass is saved by a batch_norm in the same kernel: over a bias's gradient, or for the sums.
bool gains_by_norm(const sdk::Node& convolution) {
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

std::size_t end_of_cuts(const sdk::Chain& chain, std::size_t begin) {
    while (begin < chain.size() && chain[begin].type() != "conv2d") {
        ++begin;
    }
    return begin;
}

// Where the stage's convolution stands, if it begins with one.
std::optional<std::size_t> convolution_at(const sdk::Chain& chain, std::size_t begin) {
    if (begin > 0) {
        return takes_source(chain[begin]) ? std::optional(begin) : std::nullopt;
    }
    if (begins_with_upsampled_conv2d(chain)) {
        return 1;
    }
    const bool is_one = chain[0].type() == "conv2d" || chain[0].type() == "conv2d_transpose";
    return is_one ? std::optional<std::size_t>(0) : std::nullopt;
}

// The stage that begins there; nothing where none does.
std::optional<ConvStage> read_stage(const sdk::Chain& chain, std::size_t begin) {
    ConvStage stage;
    stage.begin = begin;
    stage.convolution = convolution_at(chain, begin);
    const std::size_t behind = stage.convolution ? *stage.convolution + 1 : begin;
    if (!is_norm(chain, behind)) {
        stage.end = behind;
        const bool is_last = stage.convolution && begin > 0 && behind == chain.size();
        return is_last ? std::optional(stage) : std::nullopt;
    }
    stage.norm = behind;
    stage.end = end_of_cuts(chain, behind + 1);
    const bool gains = stage.convolution ? gains_by_norm(chain[*stage.convolution]) : begin == 0;
    return gains && read_cuts(chain, behind + 1, stage.end) ? std::optional(stage) : std::nullopt;
}

// Outside training a convolution takes up the batch_norm behind it (conv/fold.hpp), which begins no chain with it.
bool is_of_evaluation(const std::vector<ConvStage>& stages) {
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
    const bool fits = chain[0].trains() ? !is_norm_alone : is_of_evaluation(stages);
    return fits ? stages : std::vector<ConvStage>{};
}

bool is_conv_chain(const sdk::Chain& chain) { return !read_stages(chain).empty(); }

}  // namespace sluice::cudnn

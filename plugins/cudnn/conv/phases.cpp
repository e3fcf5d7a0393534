#include "conv/phases.hpp"

#include "conv/fold.hpp"
#include "conv/geometry.hpp"

namespace sluice::cudnn {
namespace {

// With fewer channels, no phase fills the width of a tensor core.
constexpr std::int64_t kLeastChannels = 8;

bool doubles(const sdk::Node& node) {
    return node.type() == "upsample" && node.options().integer("factor") == 2 &&
           node.options().string("mode") == "nearest";
}

bool has_one_zero_around(const ConvGeometry& geometry) {
    const ConvProblem& e = geometry.extents;
    constexpr std::array<std::int64_t, 2> kOne = {1, 1};
    return e.taps == std::array<std::int64_t, 2>{3, 3} && e.stride == kOne && e.dilation == kOne && e.groups == 1 &&
           e.before == kOne && e.after == kOne && !geometry.mirrors();
}

}  // namespace

bool begins_with_upsampled_conv2d(const sdk::Chain& chain) {
    if (chain.size() < 2 || !doubles(chain[0]) || chain[1].type() != "conv2d") {
        return false;
    }
    const ConvGeometry geometry(chain[1]);
    return has_one_zero_around(geometry) && geometry.extents.channels >= kLeastChannels;
}

bool is_upsampled_conv2d(const sdk::Chain& chain) {
    return begins_with_upsampled_conv2d(chain) && (chain.size() == 2 || folds_batch_norm(chain, 1));
}

ConvProblem phase_extents(const sdk::Node& upsample, const sdk::Node& convolution) {
    const sluice_tensor_spec& small = upsample.inputs()[0];
    const sluice_tensor_spec& large = convolution.outputs()[0];
    ConvProblem p;
    p.image = p.kernels = data_type_of(small.dtype);
    p.batch = small.shape[0];
    p.channels = large.shape[3];
    p.filters = small.shape[3];
    p.in = {large.shape[1], large.shape[2]};
    p.out = {small.shape[1], small.shape[2]};
    p.taps = {4, 4};
    p.stride = {2, 2};
    p.before = p.after = {1, 1};
    return p;
}

}  // namespace sluice::cudnn

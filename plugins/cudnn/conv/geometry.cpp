#include "conv/geometry.hpp"

#include "sluice/sdk/padding.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 31;

void pad(ConvProblem& p, std::size_t axis, const sdk::AxisPadding& padding) {
    p.before[axis] = padding.before;
    p.after[axis] = padding.after;
}

// From this many channels on, added channels of zeros are not worth a copy of the input.
constexpr std::int64_t kFewChannels = 8;

}  // namespace

cudnnDataType_t data_type_of(sluice_dtype dtype) {
    return sdk::same(dtype, sdk::kBfloat16)  ? CUDNN_DATA_BFLOAT16
           : sdk::same(dtype, sdk::kFloat16) ? CUDNN_DATA_HALF
                                             : CUDNN_DATA_FLOAT;
}

std::uint64_t size_of(cudnnDataType_t type) { return type == CUDNN_DATA_FLOAT ? 4 : 2; }

std::int64_t channel_unit(cudnnDataType_t type) { return static_cast<std::int64_t>(16 / size_of(type)); }

ConvGeometry::ConvGeometry(const sdk::Node& node) {
    const sdk::Options options = node.options();
    const sluice_tensor_spec& from = node.inputs()[0];
    const sluice_tensor_spec& to = node.outputs()[0];
    const std::int64_t kernel = options.integer("kernel");
    const std::int64_t stride = options.integer("stride");
    const std::int64_t dilation = options.integer("dilation");
    extents.image = extents.kernels = data_type_of(from.dtype);
    extents.batch = from.shape[0];
    extents.channels = from.shape[3];
    extents.filters = to.shape[3];
    extents.groups = options.integer("groups");
    extents.in = {from.shape[1], from.shape[2]};
    extents.out = {to.shape[1], to.shape[2]};
    extents.taps = {kernel, kernel};
    extents.stride = {stride, stride};
    extents.dilation = {dilation, dilation};
    const std::int64_t border = sdk::reflected_border(options);
    margins = {.batch = extents.batch,
               .height = extents.in[0],
               .width = extents.in[1],
               .channels = extents.channels,
               .top = border,
               .bottom = border,
               .left = border,
               .right = border};
    for (const std::size_t axis : {0, 1}) {
        pad(extents, axis, sdk::window_padding(options, axis, extents.in[axis], extents.out[axis]));
    }
    if (mirrors()) {
        extents.in = {margins.padded_height(), margins.padded_width()};
    }
}

void ConvGeometry::add_channels() {
    const std::int64_t unit = channel_unit(extents.image);
    const std::int64_t channels = (extents.channels + unit - 1) / unit * unit;
    const bool can_be_counted = x_count(extents) / extents.channels * channels < kMostElements;
    if (extents.groups == 1 && extents.channels < kFewChannels && can_be_counted) {
        extents.channels = channels;
        margins.added_channels = extents.channels - margins.channels;
    }
}

std::uint64_t ConvGeometry::source_bytes() const {
    return static_cast<std::uint64_t>(x_count(extents)) * size_of(extents.image);
}

bool may_have_sums(const ConvProblem& problem) {
    constexpr std::int64_t kMostTaps = 32;
    constexpr std::int64_t kUnit = 8;  // of channels and filters
    return problem.image == CUDNN_DATA_HALF && problem.groups == 1 && problem.channels % kUnit == 0 &&
           problem.filters % kUnit == 0 && problem.before == problem.after &&
           problem.taps[0] * problem.taps[1] <= kMostTaps;
}

std::optional<std::string> refuses_margins(const sdk::Node& node, std::int64_t most_elements) {
    const ConvGeometry geometry(node);
    if (!geometry.mirrors() || x_count(geometry.extents) <= most_elements) {
        return std::nullopt;
    }
    return "its input is too large: with mirrored margins it has " + std::to_string(x_count(geometry.extents)) +
           " elements, and a tensor has at most " + std::to_string(most_elements);
}

ConvProblem transposed_extents(const sdk::Node& node) {
    const sluice_tensor_spec& from = node.inputs()[0];
    const sluice_tensor_spec& to = node.outputs()[0];
    const std::int64_t kernel = node.options().integer("kernel");
    const std::int64_t stride = node.options().integer("stride");
    ConvProblem p;
    p.image = p.kernels = data_type_of(from.dtype);
    p.batch = from.shape[0];
    p.channels = to.shape[3];
    p.filters = from.shape[3];
    p.in = {to.shape[1], to.shape[2]};
    p.out = {from.shape[1], from.shape[2]};
    p.taps = {kernel, kernel};
    p.stride = {stride, stride};
    for (const std::size_t axis : {0, 1}) {
        pad(p, axis, sdk::transposed_padding(node.options(), axis));
    }
    return p;
}

ConvProblem dense_extents(const sdk::Node& node) {
    ConvProblem p;
    p.image = p.kernels = data_type_of(node.inputs()[0].dtype);
    p.filters = node.parameters()[0].shape[0];
    p.channels = node.parameters()[0].shape[1];
    p.batch = sdk::element_count(node.inputs()[0]) / p.channels;
    return p;
}

}  // namespace sluice::cudnn

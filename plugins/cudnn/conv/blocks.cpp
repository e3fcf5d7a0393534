#include "conv/blocks.hpp"

namespace sluice::cudnn {
namespace {

// More filters fill enough of a tile without blocks.
constexpr std::int64_t kMostFilters = 4;

}  // namespace

// The largest edge comes first: it takes (R + b - 1) * (S + b - 1) / (b * b) taps for an output pixel and fills the
// tiles best.
std::vector<std::int64_t> block_edges(const ConvProblem& e) {
    constexpr std::array<std::int64_t, 2> kOne = {1, 1};
    std::vector<std::int64_t> edges;
    if (e.filters > kMostFilters || e.groups != 1 || e.stride != kOne || e.dilation != kOne || e.taps == kOne) {
        return edges;
    }
    for (const std::int64_t edge : {4, 2}) {
        const bool fits = e.out[0] % edge == 0 && e.out[1] % edge == 0;
        if (fits && edge * edge * e.filters % channel_unit(e.image) == 0) {
            edges.push_back(edge);
        }
    }
    return edges;
}

BlockShape block_shape(const ConvGeometry& geometry, std::int64_t edge) {
    const ConvProblem& e = geometry.extents;
    return {.filters = e.filters,
            .taps = e.taps,
            .channels = geometry.margins.channels,
            .source_channels = e.channels,
            .edge = edge,
            .batch = e.batch,
            .out = e.out};
}

ConvProblem block_extents(const ConvProblem& extents, const BlockShape& shape) {
    ConvProblem p = extents;
    p.filters = shape.block_filters();
    p.taps = shape.block_taps();
    p.stride = {extents.stride[0] * shape.edge, extents.stride[1] * shape.edge};
    p.out = {extents.out[0] / shape.edge, extents.out[1] / shape.edge};
    return p;
}

}  // namespace sluice::cudnn

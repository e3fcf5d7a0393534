#include "winograd/views.hpp"

#include <utility>

namespace sluice::onednn {
namespace {

constexpr std::int64_t kReach = 2;  // taps after the first

ImageView input_view(const ConvGeometry& geometry, const TileGrid& grid) {
    return {geometry.input,
            geometry.height.in,
            geometry.width.in,
            geometry.channels,
            input_axis(geometry, geometry.height, grid.map_height()),
            input_axis(geometry, geometry.width, grid.map_width())};
}

ImageView output_view(const ConvGeometry& geometry, const TileGrid& grid) {
    return {geometry.output,
            geometry.height.out,
            geometry.width.out,
            geometry.filters,
            shifted_axis(grid.map_height(), 0, geometry.height.out),
            shifted_axis(grid.map_width(), 0, geometry.width.out)};
}

// Returns the tiles of one phase of the output. Upsampling by 2 precedes a convolution of 3 taps with a zero on each
// side, so output i of phase p sees elements i + p - 1 and i + p of the small image.
TileGrid small_grid(const ConvGeometry& geometry) {
    return {geometry.batch, geometry.height.in / 2, geometry.width.in / 2, kTaps2};
}

constexpr int kPhases = 4;

KernelPart phase_part(int phase) { return {.phase = true, .row = phase / 2, .column = phase % 2}; }

ImageView small_view(const ConvGeometry& geometry, const TileGrid& grid, const KernelPart& part) {
    const std::int64_t height = geometry.height.in / 2;
    const std::int64_t width = geometry.width.in / 2;
    return {geometry.input,
            height,
            width,
            geometry.channels,
            shifted_axis(grid.map_height(), 1 - part.row, height),
            shifted_axis(grid.map_width(), 1 - part.column, width)};
}

// Returns the view of one phase of the output; its first element is at position (before_row, before_column).
ImageView phase_view(const ConvGeometry& geometry, const TileGrid& grid, const KernelPart& part,
                     std::int64_t before_row, std::int64_t before_column) {
    return {geometry.output,
            geometry.height.out,
            geometry.width.out,
            geometry.filters,
            every_second_axis(grid.map_height(), before_row, geometry.height.out, part.row),
            every_second_axis(grid.map_width(), before_column, geometry.width.out, part.column)};
}

}  // namespace

CorrelationPlan plan_forward(const ConvGeometry& geometry) {
    const TileGrid grid(geometry.batch, geometry.height.out, geometry.width.out, kTaps3);
    return {geometry.trains,
            grid,
            KernelLayout(geometry.filters, geometry.channels, false),
            {KernelPart()},
            {{output_view(geometry, grid), {{0, input_view(geometry, grid)}}}}};
}

CorrelationPlan plan_backward_data(const ConvGeometry& geometry) {
    const std::int64_t height = geometry.source_height();
    const std::int64_t width = geometry.source_width();
    const TileGrid grid(geometry.batch, height, width, kTaps3);
    ImageView from(geometry.output, geometry.height.out, geometry.width.out, geometry.filters,
                   shifted_axis(grid.map_height(), kReach - geometry.height.before, geometry.height.out),
                   shifted_axis(grid.map_width(), kReach - geometry.width.before, geometry.width.out));
    ImageView to(geometry.own_gradient_type(), height, width, geometry.channels,
                 shifted_axis(grid.map_height(), 0, height), shifted_axis(grid.map_width(), 0, width));
    return {geometry.trains,
            grid,
            KernelLayout(geometry.filters, geometry.channels, true),
            {KernelPart()},
            {{std::move(to), {{0, std::move(from)}}}}};
}

KernelGradientsPlan plan_weight_gradient(const ConvGeometry& geometry) {
    const TileGrid grid(geometry.batch, geometry.height.out, geometry.width.out, kTaps3);
    return {grid, {{KernelPart(), input_view(geometry, grid), output_view(geometry, grid)}}};
}

CorrelationPlan plan_upsampled_forward(const ConvGeometry& geometry) {
    const TileGrid grid = small_grid(geometry);
    CorrelationPlan plan{geometry.trains, grid, KernelLayout(geometry.filters, geometry.channels, false), {}, {}};
    for (int phase = 0; phase < kPhases; ++phase) {
        const KernelPart part = phase_part(phase);
        plan.parts.push_back(part);
        plan.results.push_back({phase_view(geometry, grid, part, 0, 0),
                                {{static_cast<std::size_t>(phase), small_view(geometry, grid, part)}}});
    }
    return plan;
}

CorrelationPlan plan_upsampled_backward_data(const ConvGeometry& geometry) {
    const TileGrid grid = small_grid(geometry);
    const std::int64_t height = geometry.height.in / 2;
    const std::int64_t width = geometry.width.in / 2;
    ImageView to(geometry.input, height, width, geometry.channels, shifted_axis(grid.map_height(), 0, height),
                 shifted_axis(grid.map_width(), 0, width));
    CorrelationPlan plan{
        geometry.trains, grid, KernelLayout(geometry.filters, geometry.channels, true), {}, {{std::move(to), {}}}};
    for (int phase = 0; phase < kPhases; ++phase) {
        const KernelPart part = phase_part(phase);
        plan.parts.push_back(part);
        plan.results[0].terms.push_back(
            {static_cast<std::size_t>(phase), phase_view(geometry, grid, part, part.row, part.column)});
    }
    return plan;
}

KernelGradientsPlan plan_upsampled_weight_gradient(const ConvGeometry& geometry) {
    KernelGradientsPlan plan{small_grid(geometry), {}};
    for (int phase = 0; phase < kPhases; ++phase) {
        const KernelPart part = phase_part(phase);
        plan.uses.push_back({part, small_view(geometry, plan.grid, part), phase_view(geometry, plan.grid, part, 0, 0)});
    }
    return plan;
}

}  // namespace sluice::onednn

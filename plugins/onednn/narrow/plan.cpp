#include "narrow/plan.hpp"

#include <algorithm>

#include "gemm/multiply.hpp"

namespace sluice::onednn {
namespace {

// Columns of a block: enough for long products, and few enough that its data stay in a core's own cache.
constexpr std::int64_t kColumns = 72;

}  // namespace

double flops_of(const NarrowPlan& plan) {
    const std::int64_t rows = std::ranges::count_if(plan.from.rows, [](std::int32_t row) { return row != kOutside; });
    return 2.0 * static_cast<double>(plan.batch * rows * plan.width * plan.kernel * plan.from.channels) *
           static_cast<double>(plan.kernel * plan.channels);
}

NarrowPlan plan_narrow_forward(const ConvGeometry& geometry) {
    const std::int64_t reach = geometry.kernel - 1;
    return {.trains = geometry.trains,
            .batch = geometry.batch,
            .kernel = geometry.kernel,
            .towards_input = false,
            .from = {geometry.input, geometry.height.in, geometry.width.in, geometry.channels,
                     input_axis(geometry, geometry.height, geometry.height.out + reach),
                     input_axis(geometry, geometry.width, geometry.width.out + reach)},
            .type = geometry.output,
            .height = geometry.height.out,
            .width = geometry.width.out,
            .channels = geometry.filters};
}

NarrowPlan plan_narrow_backward_data(const ConvGeometry& geometry) {
    const std::int64_t reach = geometry.kernel - 1;
    const std::int64_t height = geometry.source_height();
    const std::int64_t width = geometry.source_width();
    return {.trains = geometry.trains,
            .batch = geometry.batch,
            .kernel = geometry.kernel,
            .towards_input = true,
            .from = {geometry.output, geometry.height.out, geometry.width.out, geometry.filters,
                     shifted_axis(height + reach, reach - geometry.height.before, geometry.height.out),
                     shifted_axis(width + reach, reach - geometry.width.before, geometry.width.out)},
            .type = geometry.own_gradient_type(),
            .height = height,
            .width = width,
            .channels = geometry.channels};
}

ColumnBlocks::ColumnBlocks(std::int64_t batch, std::int64_t width, std::int64_t threads)
    : batch_(batch), width_(width), threads_(threads) {
    const std::int64_t blocks = round_up(batch * ((width + kColumns - 1) / kColumns), threads);
    each_ = std::clamp<std::int64_t>((blocks + batch - 1) / batch, 1, width);
}

}  // namespace sluice::onednn

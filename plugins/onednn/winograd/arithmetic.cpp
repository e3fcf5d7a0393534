#include "winograd/arithmetic.hpp"

namespace sluice::onednn {
namespace {

// Operations of the transforms of transforms-inl.hpp along an axis, for each channel. A multiplication and an addition
// are two.
constexpr int kTransformSix = 24;
constexpr int spread(int count) { return 2 * ((2 * ((count + 1) / 2) - 1) + (2 * (count / 2) - 1)) + 5; }
constexpr int collect(int count) { return 4 + 3 * count + 3; }

// Operations of a whole tile: along its columns, then along its rows.
constexpr double kInputTile = kTransformSix * 2 * kTilePoints;
constexpr double spread_tile(int count) { return spread(count) * (count + kTilePoints); }
constexpr double collect_tile(int count) { return collect(count) * (kTilePoints + count); }

constexpr double kMultiplyAdd = 2.0;
constexpr double kTapsOfTile = 9.0;  // of a kernel, for which phases are summed

double channels_of(const ImageView& view) { return static_cast<double>(view.channels); }
int taps_of(const KernelPart& part) { return kTilePoints + 1 - part.outputs(); }

}  // namespace

double flops_of(const CorrelationPlan& plan) {
    const auto tiles = static_cast<double>(plan.grid.count());
    const auto pairs = static_cast<double>(plan.kernels.depth * plan.kernels.columns);
    const int outputs = plan.grid.outputs;
    double flops = 0.0;
    for (const CorrelationResult& result : plan.results) {
        flops += tiles * channels_of(result.to) * (collect_tile(outputs) + outputs * outputs);
        for (const CorrelationTerm& term : result.terms) {
            flops += tiles * (channels_of(term.from) * kInputTile + kMultiplyAdd * kTileProducts * pairs);
        }
    }
    for (const KernelPart& part : plan.parts) {
        flops += plan.trains ? pairs * (spread_tile(taps_of(part)) + (part.phase ? kTapsOfTile : 0.0)) : 0.0;
    }
    return flops;
}

double flops_of(const KernelGradientsPlan& plan) {
    const auto tiles = static_cast<double>(plan.grid.count());
    const int outputs = plan.grid.outputs;
    double flops = 0.0;
    for (const KernelUse& use : plan.uses) {
        const double pairs = channels_of(use.from) * channels_of(use.to);
        flops += tiles * channels_of(use.from) * kInputTile;
        flops += tiles * channels_of(use.to) * (spread_tile(outputs) + outputs * outputs);
        flops += tiles * kMultiplyAdd * kTileProducts * pairs;
        flops += pairs * (collect_tile(taps_of(use.part)) + kTapsOfTile);
    }
    return flops;
}

}  // namespace sluice::onednn

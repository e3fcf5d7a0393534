#include "phases/kernels.hpp"

#include <algorithm>

#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kTaps = 3;
constexpr std::int64_t kPhaseTaps = 4;

// Calls body(tap of 3x3, tap of 4x4) for each pair in which the second contains the first.
template <class Body>
void for_pairs(const Body& body) {
    for (std::int64_t y = 0; y < kTaps * 2; ++y) {
        for (std::int64_t x = 0; x < kTaps * 2; ++x) {
            const std::int64_t row = 2 - y / 2 + y % 2;
            const std::int64_t column = 2 - x / 2 + x % 2;
            body(y / 2 * kTaps + x / 2, row * kPhaseTaps + column);
        }
    }
}

// One filter: kernel [3, 3, C] -> to [4, 4, C].
void spread_taps(const float* kernel, float* to, std::int64_t channels) {
    std::fill_n(to, kPhaseTaps * kPhaseTaps * channels, 0.0F);
    for_pairs([&](std::int64_t tap, std::int64_t phase_tap) {
        add_to(to + phase_tap * channels, kernel + tap * channels, channels);
    });
}

// The adjoint: from [4, 4, C] -> gradient [3, 3, C].
void gather_taps(const float* from, float* gradient, std::int64_t channels, bool add) {
    if (!add) {
        std::fill_n(gradient, kTaps * kTaps * channels, 0.0F);
    }
    for_pairs([&](std::int64_t tap, std::int64_t phase_tap) {
        add_to(gradient + tap * channels, from + phase_tap * channels, channels);
    });
}

}  // namespace

Md plain_phase_kernels(const ConvGeometry& phases) { return phases.weights(dnnl::memory::format_tag::ihwo); }

PhaseKernels::PhaseKernels(const dnnl::engine& engine, const ConvGeometry& phases, const Md& packed, Layout& workspace)
    : filters_(phases.channels),
      channels_(phases.filters),
      packed_(packed.get_size(), phases.trains, workspace),
      plain_(workspace.take(plain_phase_kernels(phases).get_size())),
      pack_(make_reorder(engine, plain_phase_kernels(phases), packed)) {}

const void* PhaseKernels::get(const sluice_launch& launch, const float* kernels) {
    const PackedMemory::Place place = packed_.place(launch, kernels);
    if (place.stale) {
        float* plain = at(launch, plain_);
        sdk::parallel_for(launch.threads, filters_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t filter = begin; filter < end; ++filter) {
                spread_taps(kernels + filter * kTaps * kTaps * channels_,
                            plain + filter * kPhaseTaps * kPhaseTaps * channels_, channels_);
            }
        });
        pack_.execute({{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, place.memory}});
    }
    return place.memory;
}

void sum_phase_gradients(const sluice_threads* threads, const ConvGeometry& phases, const float* from, float* gradient,
                         bool add) {
    const std::int64_t channels = phases.filters;
    sdk::parallel_for(threads, phases.channels, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
        for (std::int64_t filter = begin; filter < end; ++filter) {
            gather_taps(from + filter * kPhaseTaps * kPhaseTaps * channels,
                        gradient + filter * kTaps * kTaps * channels, channels, add);
        }
    });
}

}  // namespace sluice::onednn

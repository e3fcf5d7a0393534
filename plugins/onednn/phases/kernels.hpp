// Between the kernels of 3x3 taps and those of 4x4 that all phases have together, [O, 4, 4, C].
//
// Along an axis, tap t of the four holds those pairs of a tap k of three and one of the two equal pixels s for which
// k = 2 - t + s.
#pragma once

#include "conv/geometry.hpp"
#include "operation.hpp"
#include "packed_memory.hpp"

namespace sluice::onednn {

// How oneDNN sees [O, 4, 4, C]: phases is the geometry of phase_geometry(), from O channels to C.
Md plain_phase_kernels(const ConvGeometry& phases);

// The kernels of one direction, in the layout that it computes with.
class PhaseKernels {
public:
    PhaseKernels(const dnnl::engine& engine, const ConvGeometry& phases, const Md& packed, Layout& workspace);

    // kernels: [O, 3, 3, C], this launch's. The result is valid until the launch ends.
    const void* get(const sluice_launch& launch, const float* kernels);

private:
    std::int64_t filters_;
    std::int64_t channels_;
    PackedMemory packed_;
    std::uint64_t plain_;
    Operation pack_;
};

// The gradient of the 3x3 taps from that of the 4x4: gradient [O, 3, 3, C] is written, or added to.
void sum_phase_gradients(const sluice_threads* threads, const ConvGeometry& phases, const float* from, float* gradient,
                         bool add);

}  // namespace sluice::onednn

// Conversions between kernels of 3x3 taps and the kernels [O, 4, 4, C] of 4x4 taps that all phases share.
//
// Along an axis, tap t of the four is the sum of those taps k of the three for which k = 2 - t + s, where s is 0 or 1
// for the first or second of two equal pixels.
#pragma once

#include "conv/geometry.hpp"
#include "library/operation.hpp"
#include "library/packed_memory.hpp"

namespace sluice::onednn {

// Describes [O, 4, 4, C] to oneDNN. phases: the result of phase_geometry(), a convolution from O channels to C.
Md plain_phase_kernels(const ConvGeometry& phases);

// The kernels of one direction, in the layout that it computes with.
class PhaseKernels {
public:
    PhaseKernels(const dnnl::engine& engine, const ConvGeometry& phases, const Md& packed, Layout& workspace);

    // kernels: [O, 3, 3, C], a parameter of this launch. The result is valid until the launch returns.
    const void* get(const sluice_launch& launch, const float* kernels);

private:
    std::int64_t filters_;
    std::int64_t channels_;
    PackedMemory packed_;
    std::uint64_t plain_;
    Operation pack_;
};

// Computes the gradient [O, 3, 3, C] of the 3x3 taps from that of the 4x4 taps; with `add` it is added to `gradient`.
void sum_phase_gradients(const sluice_threads* threads, const ConvGeometry& phases, const float* from, float* gradient,
                         bool add);

}  // namespace sluice::onednn

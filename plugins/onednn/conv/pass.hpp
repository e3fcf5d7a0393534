// One direction of a convolution, computed in one of several ways.
#pragma once

#include <cstdint>
#include <string>

#include "library/onednn_api.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::onednn {

class ConvPass {
public:
    ConvPass(DataType computed, double flops) : computed_(computed), flops_(flops) {}
    virtual ~ConvPass() = default;
    // Returns the type in which it multiplies.
    [[nodiscard]] DataType computed() const { return computed_; }
    // Returns the floating-point operations that it does, for reports of speed.
    [[nodiscard]] double flops() const { return flops_; }
    [[nodiscard]] virtual std::uint64_t workspace() const = 0;
    // Returns a name for the listing of the plan.
    [[nodiscard]] virtual std::string name() const = 0;
    // True if, outside training, it reads the weights only in the first launch with each version of the parameters,
    // because it keeps a packed copy.
    [[nodiscard]] virtual bool keeps_packed_weights() const { return false; }
    // Writes the result of the direction: the output, the input's gradient, or the wanted parameter gradients.
    virtual void run(const sluice_launch& launch) = 0;

private:
    DataType computed_;
    double flops_;
};

}  // namespace sluice::onednn

// One direction of a convolution, computed in one of several ways.
#pragma once

#include <cstdint>
#include <string>

#include "onednn_api.hpp"
#include "sluice/kind/kernel.h"

namespace sluice::onednn {

class ConvPass {
public:
    explicit ConvPass(DataType computed) : computed_(computed) {}
    virtual ~ConvPass() = default;
    // The type that it multiplies in.
    [[nodiscard]] DataType computed() const { return computed_; }
    [[nodiscard]] virtual std::uint64_t workspace() const = 0;
    // For the plan's listing.
    [[nodiscard]] virtual std::string name() const = 0;
    // Outside training: whether it reads the kernels in the first launch of a version of the parameters alone, because
    // it keeps a copy in a layout of its own.
    [[nodiscard]] virtual bool keeps_kernels() const { return false; }
    // Writes what the direction gives: the output, the input's gradient, or those parameter gradients that are wanted.
    virtual void run(const sluice_launch& launch) = 0;

private:
    DataType computed_;
};

}  // namespace sluice::onednn

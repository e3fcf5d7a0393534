// Computes some numbers of a convolution's result one by one, to check an engine against them.
//
// Some cuDNN engines compute wrong numbers without an error. Engines 1 and 20 of 9.14 and 9.19 do so for the gradient
// of kernels if x has unequal zeros before and after it, as padding "same" gives it at a stride of 2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

class Samples {
public:
    // memory: what the direction reads, and its result, to which a problem with `add` adds. Waits for the stream.
    Samples(const ConvProblem& problem, void* stream, const ConvMemory& memory);

    // Describes a number of the result that is off by more than 16-bit arithmetic may be; empty: there is none. Waits
    // for the stream.
    [[nodiscard]] std::optional<std::string> difference(void* stream, const ConvMemory& memory) const;

private:
    struct Sample {
        double right;
        double allowed;
    };

    ConvProblem problem_;
    std::vector<Sample> samples_;
};

}  // namespace sluice::cudnn

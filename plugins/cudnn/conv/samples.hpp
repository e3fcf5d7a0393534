// Some numbers of a convolution's result, computed one by one, to compare an engine's with.
//
// cuDNN has engines that compute wrong numbers without an error: 1 and 20 of 9.14 and 9.19 do so for the gradient of
// kernels if x has more zeros before than after it, or fewer, as padding "same" gives it at a stride of 2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conv/pass.hpp"

namespace sluice::cudnn {

class Samples {
public:
    // memory: what the problem's direction reads, and its result, to whose numbers `add` adds. Waits for the stream.
    Samples(const ConvProblem& problem, void* stream, const ConvMemory& memory);

    // How the numbers of a result differ from what is right, if they do by more than 16-bit arithmetic may. Waits for
    // the stream.
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

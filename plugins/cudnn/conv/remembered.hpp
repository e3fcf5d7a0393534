// What the host keeps of a way that was chosen by measuring, from which a later run makes the same again:
// "engine 34: 2=5, 0.0625 ms", or without a time.
#pragma once

#include <memory>
#include <string>

#include "conv/pass.hpp"

namespace sluice::cudnn {

[[nodiscard]] std::string remembered_text(const ConvPass& pass);

// The time of one run as it is read back: later runs are to compare the same numbers.
[[nodiscard]] float as_remembered(float milliseconds);

// NULL where the text is of another version.
std::unique_ptr<ConvPass> make_remembered_pass(const ConvProblem& problem, const Target& target, std::string_view text);

}  // namespace sluice::cudnn

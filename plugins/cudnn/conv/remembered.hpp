// The text that the tuning cache keeps for a measured pass, from which a later run makes the same pass:
// "engine 34: 2=5, 0.0625 ms". The time may be missing.
#pragma once

#include <memory>
#include <string>

#include "conv/pass.hpp"

namespace sluice::cudnn {

[[nodiscard]] std::string remembered_text(const ConvPass& pass);

// Rounds the time of one run as the text does, so that this run and later ones compare the same numbers.
[[nodiscard]] float as_remembered(float milliseconds);

// Returns NULL if the text does not fit, for example because another version wrote it.
std::unique_ptr<ConvPass> make_remembered_pass(const ConvProblem& problem, const Target& target, std::string_view text);

}  // namespace sluice::cudnn

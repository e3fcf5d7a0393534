// Setups that differ from a given one, for a second object at the same time.
#pragma once

#include <vector>

#include "check/contract/setup.hpp"

namespace sluice::check {

// Candidates for one difference. Only the first one that the component accepts is used; it may refuse any of them.
using SetupCandidates = std::vector<Setup>;

// Makes candidates for each option with a value, as far as the schema accepts them. Adds another order of fields for a
// transform, and another batch size for a layer.
std::vector<SetupCandidates> make_setup_candidates(const registry::ComponentManifest& component, const Setup& setup);

}  // namespace sluice::check

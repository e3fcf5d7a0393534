// Setups for objects that live beside the one of a setup, and differ from it.
#pragma once

#include <vector>

#include "check/contract/setup.hpp"

namespace sluice::check {

// Each differs in one thing. Of the setups for it the first that fits is enough: an object may refuse any of them.
using Neighbour = std::vector<Setup>;

// For each option that has a value, others that the schema takes; and other shapes or fields where those come from the
// host.
std::vector<Neighbour> make_neighbours(const registry::ComponentManifest& component, const Setup& setup);

}  // namespace sluice::check

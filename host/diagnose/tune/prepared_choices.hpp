// Samples that are prepared once, as choices of a search.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "diagnose/evidence/evidence.hpp"
#include "diagnose/tune/knobs.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::diagnose {

// Prepares the training data in folders of `folder`, as `host prepare` does, and returns the settings that read them.
// It returns none if that would take more than `seconds`, or if a step does not wait for its input. Kinds that the data
// do not allow are left out. `stops`: true: end now.
std::vector<Choice> prepared_choices(const Evidence& evidence, const registry::Registry& registry,
                                     const std::filesystem::path& folder, double seconds,
                                     const std::function<bool()>& stops);

// Removes the prepared files that these settings do not read.
void remove_unused(const std::filesystem::path& folder, const std::vector<std::string>& sets);

}  // namespace sluice::diagnose

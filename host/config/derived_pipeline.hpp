// A pipeline file that includes another and changes some of its values.
#pragma once

#include <span>
#include <string>

#include "base/value.hpp"

namespace sluice::config {

struct ValueChange {
    std::string set;      // as of --set: "data.train.map.0.budget=\"2 GiB\""
    std::string comment;  // stands after the value; one line
};

// Returns the text of a file that includes `included`, a name or a path relative to the new file, and makes the
// changes. `resolved` is the included pipeline. An array of which an element changes is written as a whole. Throws
// Error(Exit::config) for a change that cannot be made.
std::string derived_pipeline(const Table& resolved, const std::string& included, std::span<const ValueChange> changes);

}  // namespace sluice::config

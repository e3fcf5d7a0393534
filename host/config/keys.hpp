// All keys of a pipeline file that the host reads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/key.hpp"

namespace sluice::config {

// Lists the keys in the order in which they are read, without the options of components. In their paths, "*" stands for
// an index of an array or a name that the file chooses, as in "model.blocks.*".
std::vector<Key> list_keys();

// Returns a hint for a key that the table at `path` does not have: the nearest key of `known`, else all of these if
// they are few, and the other tables that have a key of that name: "; 'kernels' belongs to [device]".
std::string unknown_key_hint(const std::string& name, std::span<const std::string> known, const std::string& path = {});

}  // namespace sluice::config

// All keys of a pipeline file that the host reads.
#pragma once

#include <string>
#include <vector>

#include "config/key.hpp"

namespace sluice::config {

// Lists the keys in the order in which they are read, without the options of components. In their paths, "*" stands for
// an index of an array or a name that the file chooses, as in "model.blocks.*".
std::vector<Key> list_keys();

// Returns the tables, other than that at `path`, that have a key of that name: "; 'kernels' belongs to [device]". Empty
// if none has.
std::string place_of_key(const std::string& name, const std::string& path = {});

}  // namespace sluice::config

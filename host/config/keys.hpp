// All keys of a pipeline file that belong to the host.
#pragma once

#include <string>
#include <vector>

#include "config/key.hpp"

namespace sluice::config {

// By their paths, in the order in which they are read; "*" stands for a place in an array, and for a name that the file
// chooses: "model.blocks.*". Those of components are not among them.
std::vector<Key> list_keys();

// "; 'kernels' belongs to [device]": the tables, other than that at `path`, with a key of that name; empty if none has.
std::string place_of_key(const std::string& name, const std::string& path = {});

}  // namespace sluice::config

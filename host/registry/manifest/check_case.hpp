// The check cases of a component from its manifest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "registry/manifest/kind.hpp"
#include "registry/manifest/schema.hpp"
#include "sluice/tensor.h"

namespace sluice::registry {

// A further layer in the chain of a check.
struct CheckLink {
    std::string type;
    Origin origin;
    std::size_t input_count = 1;
    std::size_t chained_input = 0;  // input that the previous layer feeds; the others come from outside the chain
    Table options;                  // as written, not checked: the schema is in the manifest of that layer
};

// A file that a check creates in its folder.
struct CheckFile {
    std::string name;  // path below the working folder
    std::string text;
    std::vector<std::int64_t> picture;  // height, width, channels of a PNG file; empty: `text` is the file
};

// For a layer: a case on which `host check` compares kernels with the reference, a layer or a chain that begins with
// it. For other kinds: the options to check with, and the files that they name.
struct CheckCase {
    std::vector<sluice_tensor_spec> inputs;  // inputs from outside the chain, in its order
    Table options;
    std::vector<CheckLink> then;
    std::vector<CheckFile> files;
};

// Parses one [[component.check]] table. Throws Error(Exit::plugin) with the manifest's line.
CheckCase parse_check(const Value& value, Kind kind, const Schema& schema);

}  // namespace sluice::registry

// Makes the samples of a chain once and writes them to files of records, in the order of their index. If it is killed,
// the same request continues with the missing files and gives the same bytes. Bad samples are left out, up to a limit,
// and named in the log and the manifest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "prepare/request.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::prepare {

struct Prepared {
    bool is_whole = false;  // false: stopped
    std::uint64_t samples = 0;
    std::size_t skipped = 0;  // bad samples, which were left out
    std::uint64_t bytes = 0;
    std::size_t files = 0;
    std::size_t files_before = 0;  // that existed before
    std::string source;            // source = { ... }
    std::string map;               // map = [ ... ]
};

// Throws Error if the data is bad, if the disk is full (complete files stay), or if the folder holds other files.
Prepared prepare(const Request& request, const registry::Registry& registry);

}  // namespace sluice::prepare

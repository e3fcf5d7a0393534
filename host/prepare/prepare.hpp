// Makes the samples of a chain once and writes them to files of records, in the order of their index. What is killed
// goes on with the files that are not whole, and ends with the same bytes. Samples that are bad are left out, as many
// as may be, each told in the log and in the manifest.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "prepare/prefix.hpp"

namespace sluice::prepare {

struct Request {
    Prefix prefix;
    std::string purpose;  // "train": also how the files are called
    std::uint64_t seed = 0;
    std::filesystem::path out;
    std::string format = "records";
    bool gzip = false;
    std::uint64_t shard_bytes = 0;  // about
    std::int64_t skip_bad = 0;      // samples that may be bad: they are left out
    bool verify = false;            // files that are there are compared with their SHA-256, all of them
    int threads = 1;
    double stall_seconds = 0.0;                        // after which a sample that does not come is told of; 0: never
    std::function<void(const std::string&)> progress;  // one line
    std::function<bool()> stop;                        // asked after every sample, and while one is awaited
};

struct Prepared {
    bool is_whole = false;  // false: stopped
    std::uint64_t samples = 0;
    std::size_t skipped = 0;  // samples that were bad
    std::uint64_t bytes = 0;
    std::size_t files = 0;
    std::size_t files_before = 0;  // that were there
    std::string source;            // source = { ... }
    std::string map;               // map = [ ... ]
};

// Throws Error: of the data, where the disk is full (what is whole stays), where the folder holds something else.
Prepared prepare(const Request& request, const registry::Registry& registry);

}  // namespace sluice::prepare

// Makes the samples of a chain once and writes them to files of records, in the order of their index. If it is killed,
// the same request continues with the missing files and gives the same bytes. Bad samples are left out, up to a limit,
// and named in the log and the manifest.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "prepare/prefix.hpp"

namespace sluice::prepare {

struct Request {
    Prefix prefix;
    std::string purpose;  // "train"; also the first part of the files' names
    std::uint64_t seed = 0;
    std::filesystem::path out;
    std::string format = "records";
    bool gzip = false;
    std::uint64_t shard_bytes = 0;  // approximate size of a file
    std::int64_t skip_bad = 0;      // limit of bad samples, which are left out
    bool verify = false;            // compare all existing files with their SHA-256
    int threads = 1;
    double stall_seconds = 0.0;                        // of waiting for a sample before a warning; 0: no warning
    std::function<void(const std::string&)> progress;  // gets one line of text
    std::function<bool()> stop;                        // polled after every sample and while waiting for one
};

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

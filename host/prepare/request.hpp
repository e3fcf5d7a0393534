// Says what is prepared, and how and where it is written.
#pragma once

#include <cstdint>
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

}  // namespace sluice::prepare

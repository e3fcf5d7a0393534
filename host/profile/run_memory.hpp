// The memory of a whole run, from files of its folder: usage.csv, which has its course, and plan.txt, which predicts
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "profile/growth.hpp"

namespace sluice::profile {

// The memory that a replica needs on its device.
struct PredictedMemory {
    std::uint64_t bytes = 0;  // as exact as the text
    std::string text;         // "102.8 MiB: arena 98.6 MiB, parameters 1.0 MiB"
};

struct RunMemory {
    MemorySeries series;           // of the resident memory; may be empty
    std::optional<Growth> growth;  // of it
    std::optional<PredictedMemory> predicted;
};

// What a file that is missing or cannot be read would have stays empty.
RunMemory read_run_memory(const std::filesystem::path& run);

// Takes the line "memory" of a plan's text; nullopt if there is none with a size.
std::optional<PredictedMemory> predicted_memory(const std::string& plan_text);

// "720.0 MB per hour, 20.00 MB per 1000 steps, in the last 2 min"
std::string growth_text(const Growth& growth);

// A sentence for the log, which names usage.csv; empty if that file shows no growth.
std::string growth_warning(const std::filesystem::path& run);

}  // namespace sluice::profile

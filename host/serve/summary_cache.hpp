// The list of runs, of which only those that changed are read again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "history/run_summary.hpp"

namespace sluice::serve {

class SummaryCache {
public:
    explicit SummaryCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Returns the runs that are there now, the youngest first. Throws Error(Exit::config) if the folder cannot be read.
    std::vector<history::RunSummary> list();

private:
    struct Entry {
        std::filesystem::file_time_type written{};
        std::uintmax_t size = 0;
        bool is_alive = false;
        history::RunSummary summary{};
    };

    std::filesystem::path folder_;
    std::map<std::filesystem::path, Entry> entries_;
};

}  // namespace sluice::serve

// The runs that were looked at last, of which only what is new is read again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <optional>
#include <string>

#include "history/run_record.hpp"

namespace sluice::serve {

class RunCache {
public:
    // Names of runs are paths below `folder`, as history::name_in() returns them.
    explicit RunCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    struct Entry {
        std::string name;
        history::RunRecord record;
        std::uint64_t version = 0;  // differs for all states of all runs
    };

    // Returns the run with what was written until now; null if there is no run of this name. Valid until so many other
    // runs were asked for as a comparison has at most. Throws Error(Exit::config) if it cannot be read.
    const Entry* find(const std::string& name);

private:
    // Returns the folder of the run; nothing if the name leads out of the folder of runs, or to none.
    [[nodiscard]] std::optional<std::filesystem::path> folder_of(const std::string& name) const;

    std::filesystem::path folder_;
    std::list<Entry> entries_;  // the last used first
    std::uint64_t versions_ = 0;
};

}  // namespace sluice::serve

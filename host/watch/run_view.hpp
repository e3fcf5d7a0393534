// All that is shown of a run: its record, and what its other processes use of their machines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "history/growing_file.hpp"
#include "history/run_record.hpp"
#include "history/usage_rows.hpp"

namespace sluice::watch {

class RunView {
public:
    explicit RunView(const std::filesystem::path& run);

    struct Rank {
        int number = 0;
        history::GrowingFile file;
        history::UsageRows usage{};
    };

    // Reads what is new. Throws Error(Exit::config) if a file cannot be read.
    void update();

    [[nodiscard]] const history::RunRecord& record() const { return record_; }
    // Processes after the first, by their rank.
    [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
    // True if a process trains in the folder; after update().
    [[nodiscard]] bool is_alive() const { return is_alive_; }

private:
    history::RunRecord record_;
    std::vector<Rank> ranks_;
    bool is_alive_ = false;
};

}  // namespace sluice::watch

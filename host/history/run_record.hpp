// All that a run's folder records, read again as it grows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "history/growing_file.hpp"
#include "history/run_history.hpp"
#include "history/usage_rows.hpp"

namespace sluice::history {

class RunRecord {
public:
    // The folder may still lack any of its files.
    explicit RunRecord(std::filesystem::path folder);

    // Reads what was written since the last call. Returns false if there was nothing. Throws Error(Exit::config) if a
    // file cannot be read.
    bool update();

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    // The folder's own name.
    [[nodiscard]] std::string name() const;
    [[nodiscard]] const RunHistory& history() const { return history_; }
    [[nodiscard]] const UsageRows& usage() const { return usage_; }
    // Lines of log.txt with a warning or an error, the first ones and the last ones.
    [[nodiscard]] std::vector<std::string> warnings() const;
    // Warnings and errors, also those that warnings() leaves out.
    [[nodiscard]] std::size_t warning_count() const { return warning_count_; }

private:
    // Takes all news of the file; returns false if there are none.
    bool read(GrowingFile& file, void (RunRecord::*take)(const GrowingFile::News&));
    void take_events(const GrowingFile::News& news);
    void take_usage(const GrowingFile::News& news);
    void take_log(const GrowingFile::News& news);

    std::filesystem::path folder_;
    GrowingFile events_file_;
    GrowingFile usage_file_;
    GrowingFile log_file_;
    RunHistory history_;
    UsageRows usage_;
    std::vector<std::string> first_warnings_;
    std::vector<std::string> last_warnings_;
    std::size_t warning_count_ = 0;
};

}  // namespace sluice::history

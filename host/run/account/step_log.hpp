// The time of each step, in a file that `host diagnose` reads while the run writes it. Both are processes of one
// machine, so they have the same clock.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "profile/stage.hpp"
#include "run/account/run_account.hpp"

namespace sluice::run {

// A part of the loop's time. The entries of a run have no gaps between them.
struct StepLogEntry {
    double end = 0.0;        // as now()
    std::int64_t step = 0;   // that ended with it; 0: none did
    std::int64_t phase = 0;  // as Phase
    std::array<double, profile::kStages> seconds{};

    [[nodiscard]] Phase of() const { return static_cast<Phase>(phase); }
    [[nodiscard]] double total() const;
};

class StepLog {
public:
    // Writes no file.
    StepLog() = default;
    // Makes the file, or empties it. Throws Error(Exit::save) if that fails.
    explicit StepLog(const std::filesystem::path& file);
    ~StepLog();
    StepLog(StepLog&& other) noexcept;
    StepLog& operator=(StepLog&& other) noexcept;

    // Appends an entry. A file that cannot be written, as on a full disk, ends there.
    void add(Phase phase, double end, std::int64_t step, const profile::StageSeconds& seconds);

private:
    int file_ = -1;
};

// The file of the process with this rank, in the folder of measures.
std::filesystem::path step_log_file(const std::filesystem::path& folder, std::int64_t rank);
// Returns the whole entries from number `first` on, in their order; none if there is no such file yet.
std::vector<StepLogEntry> read_step_log(const std::filesystem::path& file, std::size_t first = 0);

}  // namespace sluice::run

#include "run/account/step_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <numeric>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace sluice::run {

double StepLogEntry::total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

StepLog::StepLog(const std::filesystem::path& file)
    : file_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
        throw Error(Exit::save, fmt::format("{}: cannot be written: {}", file.string(),
                                            std::error_code(errno, std::generic_category()).message()));
    }
}

StepLog::~StepLog() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

StepLog::StepLog(StepLog&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

StepLog& StepLog::operator=(StepLog&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

void StepLog::add(Phase phase, double end, std::int64_t step, const profile::StageSeconds& seconds) {
    if (file_ < 0) {
        return;
    }
    StepLogEntry entry{.end = end, .step = step, .phase = static_cast<std::int64_t>(phase)};
    for (std::size_t i = 0; i < profile::kStages; ++i) {
        entry.seconds[i] = seconds[static_cast<profile::Stage>(i)];
    }
    // One write for each entry, so that a reader sees all of it or a beginning.
    if (::write(file_, &entry, sizeof(entry)) != static_cast<ssize_t>(sizeof(entry))) {
        ::close(std::exchange(file_, -1));
    }
}

std::filesystem::path step_log_file(const std::filesystem::path& folder, std::int64_t rank) {
    return folder / fmt::format("steps-rank-{}.bin", rank);
}

std::vector<StepLogEntry> read_step_log(const std::filesystem::path& file, std::size_t first) {
    std::vector<StepLogEntry> entries;
    std::ifstream in(file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(first * sizeof(StepLogEntry)));
    StepLogEntry entry;
    while (in.read(reinterpret_cast<char*>(&entry), sizeof(entry))) {
        entries.push_back(entry);
    }
    return entries;
}

}  // namespace sluice::run

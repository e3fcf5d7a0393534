// Writes report.html of a live run again and again, on a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

namespace sluice::report {

class ReportWriter {
public:
    // Starts the thread, which sleeps until begin(). Make it before a plugin may pin threads to cores.
    ReportWriter();
    // Stops the thread after a write that is under way.
    ~ReportWriter();
    ReportWriter(const ReportWriter&) = delete;
    ReportWriter& operator=(const ReportWriter&) = delete;

    // Writes the first report after ten seconds. A pause is 1000 times as long as the report before it took, between
    // ten seconds and ten minutes.
    void begin(const std::filesystem::path& run);
    // Waits for the last report. Call it once all other files of the run are complete. Without begin(), it does
    // nothing. Nothing here throws: if a report cannot be written, the log says so once.
    void finish();

private:
    enum class Phase : std::uint8_t { waiting, running, finishing, stopping };

    void end(Phase how);
    void serve();
    void write();

    std::mutex mutex_;  // guards the phase
    std::condition_variable changed_;
    Phase phase_ = Phase::waiting;
    std::filesystem::path run_;  // does not change after begin()
    bool has_warned_ = false;    // used by the thread only
    std::thread thread_;
};

}  // namespace sluice::report

#include "report/report_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "history/run_record.hpp"
#include "profile/recorder.hpp"
#include "report/run_report.hpp"

namespace sluice::report {
namespace {

constexpr double kShortestPause = 10.0;  // seconds
constexpr double kLongestPause = 600.0;
constexpr double kPauseRatio = 1000.0;  // pause / time to write a report

}  // namespace

ReportWriter::ReportWriter() : thread_([this] { serve(); }) {}

ReportWriter::~ReportWriter() { end(Phase::stopping); }

void ReportWriter::begin(const std::filesystem::path& run) {
    const std::lock_guard lock(mutex_);
    run_ = run;
    phase_ = Phase::running;
    changed_.notify_all();
}

void ReportWriter::finish() { end(Phase::finishing); }

void ReportWriter::end(Phase how) {
    {
        const std::lock_guard lock(mutex_);
        phase_ = phase_ == Phase::waiting ? Phase::stopping : how;
        changed_.notify_all();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void ReportWriter::serve() {
    profile::name_thread(SLUICE_THREAD_OTHER, "observers report");
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return phase_ != Phase::waiting; });
    double pause = kShortestPause;
    while (
        !changed_.wait_for(lock, std::chrono::duration<double>(pause), [this] { return phase_ != Phase::running; })) {
        lock.unlock();
        const double began = now();
        write();
        pause = std::clamp(kPauseRatio * (now() - began), kShortestPause, kLongestPause);
        lock.lock();
    }
    if (phase_ == Phase::finishing) {
        lock.unlock();
        write();
    }
}

void ReportWriter::write() {
    try {
        history::RunRecord record(run_);
        record.update();
        write_report(record);
    } catch (const std::exception& error) {
        if (!has_warned_) {
            has_warned_ = true;
            log::warn(fmt::format("report: {}", error.what()));
        }
    }
}

}  // namespace sluice::report

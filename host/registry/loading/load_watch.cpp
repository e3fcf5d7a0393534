#include "registry/loading/load_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "registry/loading/crash_report.hpp"

namespace sluice::registry {

LoadWatch::LoadWatch(const std::filesystem::path& file, const PluginManifest& manifest, std::string_view call,
                     LoadTimeouts timeouts)
    : what_(fmt::format("{}: {} of plugin {} {}", shown(file.string()), call, manifest.id, manifest.version)),
      timeouts_(timeouts) {
    if (is_watched()) {
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {  // no thread available: load without a timeout
        }
    }
}

LoadWatch::~LoadWatch() {
    if (!thread_.joinable()) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        has_returned_ = true;
    }
    returned_.notify_one();
    thread_.join();
}

// Counts only time in which the process ran: it may be stopped, or held in a debugger.
bool LoadWatch::returns_within(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds kSlice(100);
    while (!has_returned_ && time.count() > 0) {
        const auto slice = std::min(time, kSlice);
        returned_.wait_for(lock, slice, [&] { return has_returned_; });
        time -= slice;
    }
    return has_returned_;
}

// Uses only write_signal_safe() and _exit(): the call may hold locks that the log or exit() would wait for.
void LoadWatch::run() {
    const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
    std::unique_lock lock(mutex_);
    if (returns_within(lock, timeouts_.warn)) {
        return;
    }
    log::write_signal_safe(log::Level::warning,
                           fmt::format("{} has not returned for {:.3g} s; the process exits if it takes {:.3g} s",
                                       what_, seconds(timeouts_.warn), seconds(timeouts_.give_up)));
    if (returns_within(lock, timeouts_.give_up - timeouts_.warn)) {
        return;
    }
    log::write_signal_safe(log::Level::error,
                           fmt::format("{} did not return within {:.3g} s, so the process exits; a plugin must load "
                                       "without waiting for events that may never come",
                                       what_, seconds(timeouts_.give_up)));
    ::_exit(static_cast<int>(Exit::plugin));
}

}  // namespace sluice::registry

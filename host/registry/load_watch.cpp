#include "registry/load_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "registry/last_words.hpp"

namespace sluice::registry {

LoadWatch::LoadWatch(const std::filesystem::path& file, const PluginManifest& manifest, std::string_view call,
                     LoadPatience patience)
    : what_(fmt::format("{}: {} of plugin {} {}", shown(file.string()), call, manifest.id, manifest.version)),
      patience_(patience) {
    if (is_watched()) {
        thread_ = std::thread([this] { run(); });
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

void LoadWatch::run() {
    const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };
    const auto began = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    if (returned_.wait_until(lock, began + patience_.named, [&] { return has_returned_; })) {
        return;
    }
    log::warn(fmt::format("{} has not returned for {:.3g} s; it is waited for until these are {:.3g} s", what_,
                          seconds(patience_.named), seconds(patience_.ended)));
    if (returned_.wait_until(lock, began + patience_.ended, [&] { return has_returned_; })) {
        return;
    }
    // The call may hold whatever the end of a process, or the log, would wait for.
    log::write_at_once(log::Level::error,
                       fmt::format("{} did not return within {:.3g} s, which ends the process; a plugin is loaded "
                                   "without waiting for what may never come",
                                   what_, seconds(patience_.ended)));
    ::_exit(static_cast<int>(Exit::plugin));
}

}  // namespace sluice::registry

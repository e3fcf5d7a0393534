// Watches the calls by which a plugin is loaded, dlopen(), its get() and its open(), from a thread of its own: where
// one does not come back it is named, and at last the process is ended, because no call can be broken off.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

// How long a call may take until it is named, and until the process is ended with Exit::plugin.
struct LoadPatience {
    std::chrono::milliseconds named = std::chrono::seconds(10);
    std::chrono::milliseconds ended = std::chrono::seconds(120);
};

// Lives as long as the call. Only in the process that is_watched(): children that are forked for a probe or a check
// have limits of their own, and start no thread.
class LoadWatch {
public:
    LoadWatch(const std::filesystem::path& file, const PluginManifest& manifest, std::string_view call,
              LoadPatience patience = {});
    ~LoadWatch();
    LoadWatch(const LoadWatch&) = delete;
    LoadWatch& operator=(const LoadWatch&) = delete;

private:
    void run();
    [[nodiscard]] bool returns_within(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time);

    const std::string what_;
    const LoadPatience patience_;
    std::mutex mutex_;
    std::condition_variable returned_;
    bool has_returned_ = false;  // under the mutex
    std::thread thread_;
};

}  // namespace sluice::registry

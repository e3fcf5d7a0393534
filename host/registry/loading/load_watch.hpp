// Timeout for the calls that load a plugin: dlopen(), get() and open(). A thread logs a call that does not return and
// later exits the process, because a call cannot be cancelled.
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

// Time after which a call is logged, and after which the process exits with Exit::plugin.
struct LoadTimeouts {
    std::chrono::milliseconds warn = std::chrono::seconds(10);
    std::chrono::milliseconds give_up = std::chrono::seconds(120);
};

// Create it before the call and destroy it afterwards. It does nothing unless is_watched(): children forked for a
// probe or a check have their own limits and start no thread.
class LoadWatch {
public:
    LoadWatch(const std::filesystem::path& file, const PluginManifest& manifest, std::string_view call,
              LoadTimeouts timeouts = {});
    ~LoadWatch();
    LoadWatch(const LoadWatch&) = delete;
    LoadWatch& operator=(const LoadWatch&) = delete;

private:
    void run();
    [[nodiscard]] bool returns_within(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time);

    const std::string what_;
    const LoadTimeouts timeouts_;
    std::mutex mutex_;
    std::condition_variable returned_;
    bool has_returned_ = false;  // protected by mutex_
    std::thread thread_;
};

}  // namespace sluice::registry

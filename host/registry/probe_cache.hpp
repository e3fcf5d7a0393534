// Which plugin files have been loaded in a child process with success, by path, size and time of change. Losing it
// costs a probe, so every failure to read or write it is passed over.
#pragma once

#include <filesystem>

namespace sluice::registry {

class ProbeCache {
public:
    // Of the user; none for a privileged process or without a home.
    ProbeCache();
    [[nodiscard]] bool has_passed(const std::filesystem::path& plugin) const;
    void remember(const std::filesystem::path& plugin) const;

private:
    std::filesystem::path file_;  // empty: no cache
};

}  // namespace sluice::registry

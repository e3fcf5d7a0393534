// Which plugin files have been loaded with success, under which circumstances: the file and the libraries that it needs
// by size, time of change and inode, the processor, this program, and where libraries are searched for. Losing it costs
// a probe, so every failure to read or write it is passed over.
#pragma once

#include <filesystem>

namespace sluice::registry {

class ProbeCache {
public:
    // Of the user; none for a privileged process or without a home.
    ProbeCache();
    [[nodiscard]] bool has_passed(const std::filesystem::path& plugin) const;
    // Whether it has passed, which is then not known until remember(): should loading it end the process after all, the
    // next process does not trust it.
    [[nodiscard]] bool take(const std::filesystem::path& plugin) const;
    // It is loaded in this process.
    void remember(const std::filesystem::path& plugin) const;

private:
    [[nodiscard]] std::filesystem::path entry_of(const std::filesystem::path& plugin) const;

    std::filesystem::path folder_;  // empty: no cache
};

}  // namespace sluice::registry

// Remembers which plugin files have loaded successfully. An entry is valid while the file, its libraries (by size,
// mtime and inode), the processor, this program and the library search path are the same. Errors of reading or writing
// are ignored, because a lost entry only costs another probe.
#pragma once

#include <filesystem>

namespace sluice::registry {

class ProbeCache {
public:
    // Opens the user's cache. A privileged process, or one without a home folder, has no cache.
    ProbeCache();
    [[nodiscard]] bool has_passed(const std::filesystem::path& plugin) const;
    // Behaves like has_passed(), but removes the entry until remember(). If loading the plugin kills the process after
    // all, the next process probes it again.
    [[nodiscard]] bool take(const std::filesystem::path& plugin) const;
    // Call this after the plugin was loaded in this process.
    void remember(const std::filesystem::path& plugin) const;

private:
    [[nodiscard]] std::filesystem::path entry_of(const std::filesystem::path& plugin) const;

    std::filesystem::path folder_;  // empty: no cache
};

}  // namespace sluice::registry

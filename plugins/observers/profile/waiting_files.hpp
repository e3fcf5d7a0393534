// Files of windows that are written completely or not at all. What cannot be written waits for later events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::observers {

class WaitingFiles {
public:
    // Replaces a waiting file of the same path. If more than 64 MiB wait, drops the oldest files.
    // If `newest` is not empty, it becomes another name of the file.
    void add(std::filesystem::path file, std::string content, std::filesystem::path newest = {});
    [[nodiscard]] bool empty() const { return files_.empty(); }
    // Writes what waits. Throws if that fails, and may be called again.
    void write_out();
    // Throws if files were dropped.
    void expect_none_lost() const;

private:
    struct Waiting {
        std::filesystem::path file;
        std::string content;
        std::filesystem::path newest;
    };

    std::vector<Waiting> files_;  // the oldest first
    std::vector<std::filesystem::path> lost_;
};

}  // namespace sluice::observers

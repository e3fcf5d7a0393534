// Reads the lines of a text file that another process appends to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::history {

class GrowingFile {
public:
    explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}

    struct News {
        bool is_new_file = false;  // it was replaced or cut: earlier lines do not count any more
        std::vector<std::string> lines{};
    };

    // Returns the whole lines since the last call. A last line without a line end is left for the next call. A file
    // that is missing has no lines. Throws Error(Exit::config) if it cannot be read.
    News read();

private:
    std::filesystem::path path_;
    ino_t inode_ = 0;
    std::uint64_t offset_ = 0;
};

}  // namespace sluice::history

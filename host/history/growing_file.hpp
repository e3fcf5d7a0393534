// Reads the lines of a text file of a run that another process appends to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sluice::history {

class GrowingFile {
public:
    GrowingFile(std::filesystem::path run, std::string name) : run_(std::move(run)), name_(std::move(name)) {}

    struct News {
        bool is_new_file = false;  // it was replaced or cut: earlier lines do not count any more
        bool has_more = false;     // there are more lines already: call again
        std::vector<std::string> lines{};
    };

    // Returns the whole lines since the last call, or of many bytes a part. A last line without a line end is left for
    // the next call; a line of more than 1 MiB is left out. A file that is missing has no lines. Throws
    // Error(Exit::config) if it cannot be read.
    News read();

private:
    std::filesystem::path run_;
    std::string name_;
    std::uint64_t inode_ = 0;
    std::uint64_t offset_ = 0;
    std::string beginning_;         // of what was read: another file may have taken the place and the inode
    bool skips_long_line_ = false;  // `offset_` is inside of one
};

}  // namespace sluice::history

// Counts the skipped files in the folders of a data set, by reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "picture_walk.hpp"

namespace sluice::shared_files {

class SkippedFiles {
public:
    void add(const std::filesystem::path& file, Skip reason);

    struct Line {
        std::string text;         // "2 files are skipped: ..."; empty if there are none
        bool is_warning = false;  // true if data may be missing
    };
    [[nodiscard]] Line line() const;

private:
    struct Count {
        std::size_t files = 0;
        std::filesystem::path first;  // in the order of names
        bool is_suspect = false;      // true if data may be missing, such as a picture of an unsupported format
    };
    void add(const std::string& reason, const std::filesystem::path& file, bool is_suspect);

    std::map<std::string, Count> counts_;  // by reason
};

}  // namespace sluice::shared_files

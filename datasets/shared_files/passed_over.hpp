// Files in the folders of a data set that are no samples, counted by the reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "picture_walk.hpp"

namespace sluice::shared_files {

class PassedOver {
public:
    void add(const std::filesystem::path& file, Skip reason);

    struct Line {
        std::string text;         // "2 files are passed over: ..."; empty if there are none
        bool is_warning = false;  // data may be missing
    };
    [[nodiscard]] Line line() const;

private:
    struct Count {
        std::size_t files = 0;
        std::filesystem::path first;  // by name
        bool is_suspect = false;      // such as a picture of a format that is not read
    };
    void add(const std::string& reason, const std::filesystem::path& file, bool is_suspect);

    std::map<std::string, Count> counts_;  // by the reason
};

}  // namespace sluice::shared_files

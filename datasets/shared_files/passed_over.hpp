// Files in the folders of a data set that are no samples, counted by the reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "sluice/sdk/host.hpp"

namespace sluice::shared_files {

class PassedOver {
public:
    void add_suffix(const std::filesystem::path& file);  // not one of those that are read
    void add_hidden(const std::filesystem::path& file);
    void add_dangling_link(const std::filesystem::path& link);
    void add_loop(const std::filesystem::path& link);  // leads to a folder above itself
    void add_special(const std::filesystem::path& file);

    // One line for all; nothing if there are none. A warning if data may be missing.
    void log(const sdk::Host& host) const;

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

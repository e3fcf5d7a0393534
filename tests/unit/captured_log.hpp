// The text of the log, for tests that run in a folder of their own.
#pragma once

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "base/log.hpp"

namespace sluice {

class CapturedLog {
public:
    CapturedLog() { log::open_file(kFile); }
    // Returns the text since the last call.
    [[nodiscard]] std::string take() const {  // NOLINT(readability-convert-member-functions-to-static)
        std::string text = read_file(kFile);
        std::filesystem::resize_file(kFile, 0);
        return text;
    }

private:
    static constexpr const char* kFile = "log.txt";
};

}  // namespace sluice

// The plugins that the tests of the registry use, copies of them with changed bytes, and the text of an Error.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/files.hpp"

namespace sluice::test {

inline std::filesystem::path broken_plugin(const std::string& name) {
    return std::filesystem::path(SLUICE_TEST_BROKEN_DIR) / name / (name + ".so");
}

// A folder of this test process, which is removed at the end.
class ScratchFolder {
public:
    ScratchFolder()
        : path_(std::filesystem::temp_directory_path() / ("sluice_registry_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~ScratchFolder() { std::filesystem::remove_all(path_); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

private:
    std::filesystem::path path_;
};

// Runs `body`, which must throw Error with the exit code `expected`, and returns the message.
template <class Body>
std::string error_of(Body&& body, Exit expected) {
    try {
        body();
    } catch (const Error& error) {
        EXPECT_EQ(static_cast<int>(error.exit()), static_cast<int>(expected));
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

// Returns the message without the file name at its beginning.
inline std::string without_file(const std::string& message, const std::filesystem::path& file) {
    const std::string prefix = file.string() + ": ";
    EXPECT_TRUE(message.starts_with(prefix)) << message;
    return message.substr(std::min(prefix.size(), message.size()));
}

}  // namespace sluice::test

// Files that are whole or not there: read at once, written aside and renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

// The whole file. Throws Error(exit) naming the file and the system's reason.
std::string read_file(const std::filesystem::path& path);

// Writes beside `path`, flushes to the disk and renames, so that a crash or a full disk leaves the old file or the new
// one, never a torn one; what is not finished is removed. Of several that write the same path at once, also in other
// processes, the last to finish stays. All of it throws Error(Exit::save).
class WholeFile {
public:
    explicit WholeFile(std::filesystem::path path);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::string_view part);
    void finish();

private:
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path path_;
    std::filesystem::path aside_;  // "PATH.writing", or "PATH.1.writing" and so on while others write
    int handle_ = -1;
};

// The parts as one WholeFile.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// "; the working folder was removed" if it was: why a relative path is not found. Else empty.
std::string lost_folder_text();

// The folder of the running executable.
std::filesystem::path executable_folder();

}  // namespace sluice

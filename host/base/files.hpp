// Reading of whole files, and atomic writing through a temporary file and a rename.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

// Returns the whole file. Throws Error(Exit::config) that names the file and the system's reason.
std::string read_file(const std::filesystem::path& path);

// Writes a temporary file next to `path`, flushes it to disk and renames it. After a crash or on a full disk, `path`
// holds the old or the new content, never a part of it. The destructor removes an unfinished file. If several writers,
// also in other processes, write the same path, the last to finish wins. All functions throw Error(Exit::save).
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
    std::filesystem::path temporary_;  // "PATH.writing", or "PATH.1.writing" and so on while other writers are active
    int handle_ = -1;
};

// The folder itself, or the nearest one above it that exists.
std::filesystem::path nearest_folder(const std::filesystem::path& folder);

// Writes the parts through one WholeFile.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// For an error of `path`, which was not found. Returns "; the working folder was removed: ..." if that is the reason:
// the path is relative, and the folder was removed. Else empty.
std::string removed_folder_text(const std::filesystem::path& path);

// Returns the folder of the running executable.
std::filesystem::path executable_folder();

}  // namespace sluice

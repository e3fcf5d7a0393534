// Files that an observer writes. Every failure throws and names the file and the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::observers {

// A file that grows at its end. What fails leaves the file as it was, so that the caller may try again.
class OutputFile {
public:
    // Touches nothing: replace() comes first.
    explicit OutputFile(std::filesystem::path path);
    // The whole file at once: readers see the old content or the new, never a part.
    void replace(std::string_view content);
    // A part that an earlier try has left at the end is cut off first.
    void append(std::string_view text);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::uint64_t size_ = 0;  // of what is whole
};

// As OutputFile::replace().
void replace_file(const std::filesystem::path& path, std::string_view content);

// The file's content; empty where there is no such file.
std::string read_file(const std::filesystem::path& path);

// The lines of `text`, without a last one that has no line end: a write that was cut off.
std::vector<std::string> whole_lines(const std::string& text);

}  // namespace sluice::observers

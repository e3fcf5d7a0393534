// Files that an observer writes. Every failure throws and names the file and the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::observers {

// A file that grows at its end. A call that fails leaves the file as it was, so that the caller may try again.
class OutputFile {
public:
    // Does not touch the file. Call replace() or continue_after() first.
    explicit OutputFile(std::filesystem::path path);
    // Continues the existing file after its first `size` bytes. The next append() cuts off the others.
    void continue_after(std::uint64_t size) { size_ = size; }
    // Replaces the whole file atomically: readers see the old content or the new, never a part.
    void replace(std::string_view content);
    // First cuts off what an earlier, failed call has left at the end.
    void append(std::string_view text);

    // Bytes that were written completely.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::uint64_t size_ = 0;
};

// Does the same as OutputFile::replace().
void replace_file(const std::filesystem::path& path, std::string_view content);

// Returns the file's content; empty: there is no such file.
std::string read_file(const std::filesystem::path& path);

// Creates `folder` and the folders between `top` and it, but not `top`.
void make_folders(const std::filesystem::path& top, const std::filesystem::path& folder);

// Returns the lines of `text`. Omits a last line without a line end, because its write was cut off.
std::vector<std::string> whole_lines(const std::string& text);

}  // namespace sluice::observers

// Files that an observer writes. Every failure throws and names the file and the system's reason.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::observers {

// A file that grows at its end.
class OutputFile {
public:
    explicit OutputFile(std::filesystem::path path);
    void write(std::string_view text);
    void flush();

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Close> file_;
};

// The whole file at once: readers see the old content or the new, never a part.
void replace_file(const std::filesystem::path& path, std::string_view content);

// The file's content; empty where there is no such file.
std::string read_file(const std::filesystem::path& path);

// The lines of `text`, without a last one that has no line end: a write that was cut off.
std::vector<std::string> whole_lines(const std::string& text);

}  // namespace sluice::observers

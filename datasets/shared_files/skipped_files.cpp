#include "skipped_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "counted.hpp"

namespace sluice::shared_files {
namespace {

bool is_of_pictures(const std::string& suffix) {
    constexpr std::array<std::string_view, 30> kSuffixes{
        ".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".avif", ".heic", ".heif", ".gif",
        ".tif", ".tiff", ".bmp", ".jp2",  ".jxl", ".ppm",  ".pgm",  ".pnm",  ".pbm",  ".tga",
        ".dds", ".ico",  ".pcx", ".exr",  ".hdr", ".dng",  ".cr2",  ".nef",  ".arw",  ".npy"};
    return std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
}

}  // namespace

void SkippedFiles::add(const std::string& reason, const std::filesystem::path& file, bool is_suspect) {
    Count& count = counts_[reason];
    count.first = count.files == 0 ? file : std::min(count.first, file);
    count.is_suspect = is_suspect;
    ++count.files;
}

void SkippedFiles::add(const std::filesystem::path& file, Skip reason) {
    switch (reason) {
        case Skip::suffix: {
            const std::string suffix = small_suffix(file);
            return add(suffix.empty() ? "without a suffix" : suffix, file, is_of_pictures(suffix));
        }
        case Skip::hidden:
            return add("hidden", file, false);
        case Skip::dangling_link:
            return add("dangling link", file, true);
        case Skip::loop:
            return add("link to a folder that is read already", file, false);
        case Skip::special:
            return add("not a regular file", file, true);
    }
}

SkippedFiles::Line SkippedFiles::line() const {
    if (counts_.empty()) {
        return {};
    }
    std::vector<std::pair<std::string, Count>> sorted(counts_.begin(), counts_.end());
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second.files > b.second.files; });
    std::size_t files = 0;
    bool is_suspect = false;
    std::string reasons;
    for (const auto& [reason, count] : sorted) {
        files += count.files;
        is_suspect = is_suspect || count.is_suspect;
        reasons += (reasons.empty() ? "" : ", ") + std::to_string(count.files) + " " + reason + " (" +
                   (count.files > 1 ? "such as " : "") + "'" + count.first.string() + "')";
    }
    return {counted(files, "file") + (files == 1 ? " is" : " are") + " skipped: " + reasons, is_suspect};
}

}  // namespace sluice::shared_files

#include "passed_over.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "log_once.hpp"
#include "picture_folder.hpp"

namespace sluice::shared_files {
namespace {

bool is_of_pictures(const std::string& suffix) {
    constexpr std::array<std::string_view, 26> kSuffixes{
        ".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".avif", ".heic", ".heif", ".gif", ".tif", ".tiff", ".bmp",
        ".jp2", ".jxl",  ".ppm", ".pgm",  ".pnm", ".tga",  ".exr",  ".hdr",  ".dng",  ".cr2", ".nef", ".arw",  ".npy"};
    return std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
}

}  // namespace

void PassedOver::add(const std::string& reason, const std::filesystem::path& file, bool is_suspect) {
    Count& count = counts_[reason];
    count.first = count.files == 0 ? file : std::min(count.first, file);
    count.is_suspect = is_suspect;
    ++count.files;
}

void PassedOver::add_suffix(const std::filesystem::path& file) {
    const std::string suffix = small_suffix(file);
    add(suffix.empty() ? "without a suffix" : suffix, file, is_of_pictures(suffix));
}

void PassedOver::add_hidden(const std::filesystem::path& file) { add("hidden", file, false); }

void PassedOver::add_dangling_link(const std::filesystem::path& link) { add("dangling link", link, true); }

void PassedOver::add_loop(const std::filesystem::path& link) { add("link to a folder above it", link, false); }

void PassedOver::add_special(const std::filesystem::path& file) { add("no regular file", file, true); }

void PassedOver::log(const sdk::Host& host) const {
    if (counts_.empty()) {
        return;
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
    const std::string line =
        std::to_string(files) + (files == 1 ? " file is" : " files are") + " passed over: " + reasons;
    if (is_suspect) {
        warn_once(host, line);
    } else {
        info_once(host, line);
    }
}

}  // namespace sluice::shared_files

#include "profile/window_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <tuple>

#include "base/error.hpp"

namespace sluice::profile {
namespace {

namespace fs = std::filesystem;

bool take_text(std::string_view& rest, std::string_view text) {
    if (!rest.starts_with(text)) {
        return false;
    }
    rest.remove_prefix(text.size());
    return true;
}

template <class Number>
bool take_number(std::string_view& rest, Number& number) {
    if (rest.empty() || rest.front() < '0' || rest.front() > '9') {
        return false;
    }
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return error == std::errc();
}

}  // namespace

std::optional<WindowFile> parse_window_name(std::string_view name) {
    WindowFile file{.path = std::string(name), .written = {}};
    const bool has_steps = take_text(name, "steps-") && take_number(name, file.first_step) && take_text(name, "-") &&
                           take_number(name, file.last_step);
    if (!has_steps || (take_text(name, "-rank-") && !take_number(name, file.rank)) || name != ".json") {
        return std::nullopt;
    }
    return file;
}

std::vector<WindowFile> find_windows(const fs::path& run) {
    std::vector<WindowFile> files;
    std::error_code error;
    fs::directory_iterator entry(run / "profile", error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::optional<WindowFile> file = parse_window_name(entry->path().filename().string());
        std::error_code removed;  // meanwhile
        if (file) {
            file->path = entry->path();
            file->written = fs::last_write_time(file->path, removed);
        }
        if (file && !removed) {
            files.push_back(*std::move(file));
        }
    }
    if (error && error != std::errc::no_such_file_or_directory) {
        throw Error(Exit::config, fmt::format("{}: cannot be read: {}", (run / "profile").string(), error.message()));
    }
    std::ranges::sort(files, {},
                      [](const WindowFile& file) { return std::tuple(file.first_step, file.last_step, file.rank); });
    return files;
}

const WindowFile* newest_window(const std::vector<WindowFile>& files) {
    const WindowFile* newest = nullptr;
    for (const WindowFile& file : files) {
        const auto order = [](const WindowFile& one) { return std::tuple(one.rank == 0, one.written, one.last_step); };
        if (newest == nullptr || order(file) > order(*newest)) {
            newest = &file;
        }
    }
    return newest;
}

std::vector<WindowFile> other_ranks(const std::vector<WindowFile>& files, const WindowFile& window) {
    std::vector<WindowFile> others;
    for (const WindowFile& file : files) {
        if (file.first_step == window.first_step && file.last_step == window.last_step && file.rank != window.rank) {
            others.push_back(file);
        }
    }
    return others;
}

}  // namespace sluice::profile

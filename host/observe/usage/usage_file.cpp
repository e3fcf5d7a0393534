#include "observe/usage/usage_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"

namespace sluice::observe {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSamplesPerRow = std::size_t{1} << 20;

std::string system_text() { return std::error_code(errno, std::generic_category()).message(); }

// Calls `visit` with each line that has an end, without its end.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
    for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
        visit(text.substr(0, end));
    }
}

}  // namespace

UsageFile::UsageFile(fs::path path, std::vector<Column> columns, std::size_t most_rows)
    : path_(std::move(path)), columns_(std::move(columns)), most_rows_(std::max<std::size_t>(most_rows, 2)) {
    open();
}

UsageFile::~UsageFile() { close(); }

void UsageFile::open() {
    std::error_code none;
    if (!fs::exists(path_, none)) {
        return;  // the first row creates it
    }
    try {
        const std::string text = read_file(path_);
        if (text.starts_with(header_line(columns_))) {
            continue_from(text);
        } else if (!text.empty()) {
            set_aside();
        }
    } catch (const std::exception& error) {
        give_up(error.what());
    }
}

// A kill may have cut off the last line.
void UsageFile::continue_from(const std::string& text) {
    std::vector<double> intervals;
    std::size_t lines = 0;
    for_each_line(text, [&](std::string_view line) {
        const Row row = lines++ == 0 ? Row() : parse_line(columns_, line);
        if (!row.empty() && std::isfinite(row[column::kIntervalSeconds])) {
            intervals.push_back(row[column::kIntervalSeconds]);
        }
    });
    rows_ = lines - 1;
    if (!intervals.empty()) {
        const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
        std::ranges::nth_element(intervals, middle);
        const double samples = std::clamp(*middle, 1.0, static_cast<double>(kMostSamplesPerRow));
        samples_per_row_ = std::bit_floor(static_cast<std::size_t>(std::lround(samples)));
    }
    if (!reopen() || ::ftruncate(handle_, static_cast<off_t>(text.rfind('\n') + 1)) != 0) {
        give_up(fmt::format("{} cannot be continued: {}", path_.string(), system_text()));
    }
    size_ = text.rfind('\n') + 1;
}

// The columns depend on the devices, and on the version of the program.
void UsageFile::set_aside() {
    for (int number = 1; number < 1000; ++number) {
        fs::path other = path_;
        other.replace_filename(fmt::format("{}.{}{}", path_.stem().string(), number, path_.extension().string()));
        std::error_code error;
        if (!fs::exists(other, error)) {
            fs::rename(path_, other, error);
            if (!error) {
                log::info(fmt::format("{} has other columns than this run; it is now {}", path_.string(),
                                      other.filename().string()));
                return;
            }
            break;
        }
    }
    give_up(fmt::format("{} has other columns than this run, and cannot be renamed", path_.string()));
}

void UsageFile::add(const Row& sample) {
    if (samples_ == 0) {
        pending_ = sample;
    } else {
        merge_row(columns_, pending_, sample);
    }
    if (++samples_ >= samples_per_row_) {
        write_row();
    }
}

void UsageFile::finish() {
    if (samples_ > 0) {
        write_row();
    }
}

void UsageFile::write_row() {
    samples_ = 0;
    if (is_given_up_) {
        return;
    }
    line_.clear();
    append_line(columns_, pending_, line_);
    if (!append(line_)) {
        return;
    }
    if (++rows_ >= most_rows_) {
        halve();
    }
}

// If somebody has removed the file, or its folder and made that again, a new file begins.
bool UsageFile::append(const std::string& text) {
    struct stat status {};
    if (handle_ >= 0 && (::fstat(handle_, &status) != 0 || status.st_nlink == 0)) {
        close();
    }
    if (handle_ < 0) {
        if (!reopen()) {
            warn(fmt::format("{} cannot be written: {}", path_.string(), system_text()));
            return false;
        }
        rows_ = size_ == 0 ? 0 : rows_;
    }
    return (size_ > 0 || write_at_end(header_line(columns_))) && write_at_end(text);
}

bool UsageFile::write_at_end(const std::string& text) {
    const ssize_t written = ::pwrite(handle_, text.data(), text.size(), static_cast<off_t>(size_));
    if (written != static_cast<ssize_t>(text.size())) {
        warn(fmt::format("{} cannot be written: {}", path_.string(),
                         written < 0 ? system_text() : "no space left on the device"));
        static_cast<void>(::ftruncate(handle_, static_cast<off_t>(size_)));
        return false;
    }
    size_ += text.size();
    return true;
}

// Rows at a place between two runs are merged too: the columns say how long each row is.
void UsageFile::halve() {
    try {
        std::string shorter = header_line(columns_);
        std::size_t rows = 0;
        std::size_t lines = 0;
        Row open;
        const auto write_open = [&] {
            append_line(columns_, open, shorter);
            open.clear();
            ++rows;
        };
        for_each_line(read_file(path_), [&](std::string_view line) {
            Row row = lines++ == 0 ? Row() : parse_line(columns_, line);
            if (row.empty()) {
                return;
            }
            if (open.empty()) {
                open = std::move(row);
                return;
            }
            merge_row(columns_, open, row);
            write_open();
        });
        if (!open.empty()) {
            write_open();
        }
        write_file_atomically(path_, shorter);
        close();  // the next row opens the new file
        rows_ = rows;
        samples_per_row_ = std::min(2 * samples_per_row_, kMostSamplesPerRow);
    } catch (const std::exception& error) {
        warn(error.what());
        samples_per_row_ = std::min(2 * samples_per_row_, kMostSamplesPerRow);
        rows_ /= 2;  // tries again after as many rows
    }
}

void UsageFile::warn(const std::string& what) {
    if (!std::exchange(has_warned_, true)) {
        log::warn(what + "; training continues, and rows are left out until the file can be written");
    }
}

void UsageFile::give_up(const std::string& why) {
    log::warn(why + "; this run samples no usage into it");
    is_given_up_ = true;
    close();
}

bool UsageFile::reopen() {
    handle_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT, 0666);
    struct stat status {};
    size_ = handle_ >= 0 && ::fstat(handle_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    return handle_ >= 0;
}

void UsageFile::close() {
    if (handle_ >= 0) {
        ::close(std::exchange(handle_, -1));
    }
}

}  // namespace sluice::observe

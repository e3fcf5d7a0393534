#include "registry/objects/tuning_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <optional>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "base/user_folders.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "sluice-kernels/1";

std::string to_text(const TuningCache::Entries& entries) {
    std::string text;
    for (const auto& [key, choice] : entries) {
        text += fmt::format("{}\t{}\n", key, choice);
    }
    return text;
}

TuningCache::Entries from_text(const std::string& text) {
    TuningCache::Entries entries;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (const std::size_t tab = line.rfind('\t'); tab != std::string::npos) {
            entries[line.substr(0, tab)] = line.substr(tab + 1);
        }
    }
    return entries;
}

// The first line holds the format and a checksum of the rest, so that a torn file is detected.
std::string header_of(std::string_view body) { return fmt::format("{} {}\n", kFormat, sha256(std::span(&body, 1))); }

// Returns nothing if the file is damaged or of another version.
std::optional<TuningCache::Entries> read_entries(const fs::path& file) {
    if (!fs::exists(file)) {
        return TuningCache::Entries();
    }
    const std::string text = read_file(file);
    const std::size_t end = text.find('\n');
    const std::string body = end == std::string::npos ? "" : text.substr(end + 1);
    if (end == std::string::npos || text.substr(0, end + 1) != header_of(body)) {
        return std::nullopt;
    }
    return from_text(body);
}

// Held while the file is read and replaced, so that no process loses the entries that another one adds.
class FileLock {
public:
    explicit FileLock(const fs::path& file) : fd_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        if (fd_ < 0 || ::flock(fd_, LOCK_EX) != 0) {
            const std::error_code reason(errno, std::generic_category());
            if (fd_ >= 0) {
                ::close(fd_);
            }
            throw fs::filesystem_error("cannot lock", file, reason);
        }
    }
    ~FileLock() { ::close(fd_); }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int fd_;
};

void add_to_file(const fs::path& file, const TuningCache::Entries& fresh) {
    fs::create_directories(file.parent_path());
    const FileLock lock(file.string() + ".lock");
    TuningCache::Entries all = fresh;
    all.merge(read_entries(file).value_or(TuningCache::Entries()));  // entries in `fresh` win
    const std::string body = to_text(all);
    write_file_atomically(file, header_of(body) + body);
}

// "/home/me/.cache/sluice: Permission denied"
std::string reason_of(const std::exception& problem) {
    const auto* const error = dynamic_cast<const fs::filesystem_error*>(&problem);
    return error == nullptr ? problem.what() : fmt::format("{}: {}", error->path1().string(), error->code().message());
}

}  // namespace

fs::path TuningCache::default_file() {
    const auto folder = cache_folder();
    return folder ? *folder / "kernels.tsv" : fs::path();
}

TuningCache::TuningCache(fs::path file, bool measure) : file_(std::move(file)), measure_(measure) {
    if (file_.empty() || !measure_) {
        return;
    }
    try {
        auto stored = read_entries(file_);
        if (!stored) {
            log::warn(
                fmt::format("{}: the kernel tuning cache is damaged or of another version; kernels are tuned again "
                            "and the file is rewritten",
                            file_.string()));
        }
        stored_ = std::move(stored).value_or(Entries());
    } catch (const std::exception& problem) {
        warn_without_file(reason_of(problem));
    }
}

std::string TuningCache::recall(const std::string& provider, const std::string& key) {
    const std::string full = provider + '\t' + key;
    if (const auto known = used_.find(full); known != used_.end()) {
        return known->second;
    }
    const auto stored = stored_.find(full);
    return stored == stored_.end() ? "" : used_[full] = stored->second;
}

void TuningCache::remember(const std::string& provider, const std::string& key, const std::string& choice) {
    const std::string full = provider + '\t' + key;
    used_[full] = choice;
    fresh_[full] = choice;
}

std::string TuningCache::used() const { return to_text(used_); }

void TuningCache::restore(const std::string& text) { used_.merge(from_text(text)); }

void TuningCache::save() {
    if (file_.empty() || !measure_ || fresh_.empty()) {
        return;
    }
    try {
        add_to_file(file_, fresh_);
    } catch (const std::exception& problem) {
        warn_without_file(reason_of(problem));
    }
    fresh_.clear();
}

void TuningCache::warn_without_file(const std::string& why) {
    if (!std::exchange(lacks_file_, true)) {
        log::warn(
            fmt::format("cannot use the kernel tuning cache: {}; each run tunes its kernels again; set SLUICE_CACHE "
                        "to another folder",
                        why));
    }
}

}  // namespace sluice::registry

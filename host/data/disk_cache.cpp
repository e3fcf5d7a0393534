#include "data/disk_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/byte_size.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/sha256.hpp"
#include "data/kept_record.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".samples";
constexpr std::string_view kFormat = "sluice samples 1\n";

std::string reason() { return std::strerror(errno); }

// Whether all of it could be read.
bool read_at(int descriptor, void* to, std::size_t bytes, std::uint64_t offset) {
    auto* at = static_cast<std::uint8_t*>(to);
    while (bytes > 0) {
        const ssize_t got = ::pread(descriptor, at, bytes, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        offset += static_cast<std::uint64_t>(got);
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

// Whether all of it could be written.
bool write_at(int descriptor, const std::vector<std::uint8_t>& record, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < record.size()) {
        const ssize_t put =
            ::pwrite(descriptor, record.data() + done, record.size() - done, static_cast<off_t>(offset + done));
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        done += static_cast<std::size_t>(put);
    }
    return true;
}

// A folder for what these inputs give, with a file that says what they are.
fs::path open_folder(const fs::path& folder, const std::string& inputs) {
    const std::array<std::string_view, 2> parts{kFormat, inputs};
    fs::path own = folder / sha256(parts).substr(0, 32);
    std::error_code error;
    fs::create_directories(own, error);
    if (error || ::access(own.c_str(), W_OK | X_OK) != 0) {
        throw Error(Exit::config, fmt::format("transform 'cache': nothing can be kept in folder '{}': {}", own.string(),
                                              error ? error.message() : reason()));
    }
    if (!fs::exists(own / "inputs.txt")) {
        write_file_atomically(own / "inputs.txt", inputs);
    }
    return own;
}

}  // namespace

DiskCache::DiskCache(const fs::path& folder, std::optional<std::uint64_t> budget, const KeptKind& kind,
                     std::string purpose)
    : folder_(open_folder(folder, kind.inputs)), fields_(kind.fields), purpose_(std::move(purpose)) {
    open_old_files();
    budget_ = budget.value_or(used_ + fs::space(folder_).available / 2);
    log::info(fmt::format("{}: {} samples ({}) of earlier runs in {}; at most {} are kept", purpose_, places_.size(),
                          format_size(used_), folder_.string(), format_size(budget_)));
}

DiskCache::~DiskCache() {
    for (const File& file : files_) {
        ::close(file.descriptor);
    }
}

void DiskCache::open_old_files() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        if (entry.path().extension() == kSuffix) {
            paths.push_back(entry.path());
        }
    }
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) {
            log::warn(fmt::format("{}: {}: {}; its samples are made again", purpose_, path.string(), reason()));
            continue;
        }
        files_.push_back({path, descriptor});
        list_samples(files_.size() - 1, fs::file_size(path));
    }
}

void DiskCache::list_samples(std::size_t file, std::uint64_t size) {
    used_ += size;
    RecordHeader header{};
    for (std::uint64_t offset = 0; offset < size; offset += header.bytes) {
        const bool is_there = read_at(files_[file].descriptor, &header, sizeof(header), offset) && is_whole(header) &&
                              header.bytes <= size - offset;
        if (!is_there) {
            log::info(fmt::format("{}: {}: no whole sample at byte {} of {}; what was kept from there on is made again",
                                  purpose_, files_[file].path.string(), offset, size));
            return;
        }
        places_.insert_or_assign(header.index, Place{file, offset, header.bytes});
    }
}

bool DiskCache::find(std::uint64_t index, KeptSample& sample) {
    Place place{};
    int descriptor = -1;
    {
        const std::shared_lock lock(mutex_);
        const auto found = places_.find(index);
        if (found == places_.end()) {
            return false;
        }
        place = found->second;
        descriptor = files_[place.file].descriptor;
    }
    sample.bytes.resize(place.bytes);
    if (read_at(descriptor, sample.bytes.data(), place.bytes, place.offset) && read_record(index, fields_, sample)) {
        return true;
    }
    forget(index, place);
    return false;
}

void DiskCache::forget(std::uint64_t index, const Place& place) {
    const std::unique_lock lock(mutex_);
    const auto found = places_.find(index);
    if (found != places_.end() && found->second.file == place.file && found->second.offset == place.offset) {
        places_.erase(found);
        log::warn(fmt::format("{}: {}: the sample at byte {} is damaged or of another kind; it is made again", purpose_,
                              files_[place.file].path.string(), place.offset));
    }
}

void DiskCache::keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    if (full_) {
        return;
    }
    const std::lock_guard writing(writing_);
    {
        const std::shared_lock lock(mutex_);
        if (places_.contains(index)) {
            return;
        }
    }
    write_record(index, name, fields, record_);
    if (record_.size() > budget_ - std::min(used_, budget_)) {
        stop_keeping(fmt::format("the cache is full ({})", format_size(budget_)));
        return;
    }
    open_own_file();
    if (!own_) {
        return;
    }
    const int descriptor = files_[*own_].descriptor;
    if (!write_at(descriptor, record_, own_size_)) {
        const std::string why = reason();
        static_cast<void>(::ftruncate(descriptor, static_cast<off_t>(own_size_)));
        stop_keeping(fmt::format("{}: {}", files_[*own_].path.string(), why));
        return;
    }
    const std::unique_lock lock(mutex_);
    places_[index] = {*own_, own_size_, record_.size()};
    own_size_ += record_.size();
    used_ += record_.size();
}

// Once there is something to keep: a run that finds everything leaves no file.
void DiskCache::open_own_file() {
    if (own_) {
        return;
    }
    int descriptor = -1;
    fs::path path;
    for (int number = 1; descriptor < 0; ++number) {
        path = folder_ / fmt::format("{:06}{}", number, kSuffix);
        descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (descriptor < 0 && errno != EEXIST) {
            stop_keeping(fmt::format("{}: {}", path.string(), reason()));
            return;
        }
    }
    const std::unique_lock lock(mutex_);
    files_.push_back({path, descriptor});
    own_ = files_.size() - 1;
}

void DiskCache::stop_keeping(const std::string& why) {
    if (!full_.exchange(true)) {
        log::warn(fmt::format("{}: {}; samples that are not kept yet are made again each time", purpose_, why));
    }
}

}  // namespace sluice::data

#include "data/disk_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/byte_size.hpp"
#include "base/log.hpp"
#include "data/kept_record.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

DiskCache::DiskCache(const fs::path& folder, std::optional<std::uint64_t> budget, const KeptKind& kind,
                     std::string purpose)
    : folder_(folder, kind.inputs, purpose), fields_(kind.fields), purpose_(std::move(purpose)) {
    open_old_files();
    others_ = folder_.others();
    budget_ = budget.value_or(used_ + others_ + fs::space(folder_.path()).available / 2);
    log::info(fmt::format("{}: {} samples ({}) of earlier runs in {}; {} for other inputs; at most {} are kept in all",
                          purpose_, places_.size(), format_size(used_), folder_.path().string(), format_size(others_),
                          format_size(budget_)));
}

DiskCache::~DiskCache() {
    for (const File& file : files_) {
        ::close(file.descriptor);
    }
}

void DiskCache::open_old_files() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
        if (entry.path().extension() == kSamplesSuffix) {
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

std::uint64_t DiskCache::bytes_to_read(std::uint64_t index) const {
    const std::shared_lock lock(mutex_);
    const auto found = places_.find(index);
    return found == places_.end() ? 0 : found->second.bytes;
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

bool DiskCache::contains(std::uint64_t index) const {
    const std::shared_lock lock(mutex_);
    return places_.contains(index);
}

void DiskCache::keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    if (full_ || contains(index)) {
        return;
    }
    std::unique_ptr<Writer> writer = take_writer();
    write_record(index, name, fields, writer->record);
    const std::uint64_t bytes = writer->record.size();
    if (reserve(bytes) && !append(index, *writer)) {
        const std::lock_guard lock(space_);
        used_ -= bytes;
    }
    const std::unique_lock lock(mutex_);
    idle_.push_back(std::move(writer));
}

// As many as there ever were threads that wrote at once.
std::unique_ptr<DiskCache::Writer> DiskCache::take_writer() {
    const std::unique_lock lock(mutex_);
    if (idle_.empty()) {
        return std::make_unique<Writer>();
    }
    std::unique_ptr<Writer> writer = std::move(idle_.back());
    idle_.pop_back();
    return writer;
}

// Room for so many bytes, if need be that of other inputs.
bool DiskCache::reserve(std::uint64_t bytes) {
    const std::lock_guard lock(space_);
    const std::uint64_t left = budget_ - std::min(used_, budget_);
    if (bytes <= left && others_ > left - bytes) {
        others_ = folder_.make_room(left - bytes);
    }
    if (bytes > left || others_ > left - bytes) {
        stop_keeping(fmt::format("the cache is full ({})", format_size(budget_)));
        return false;
    }
    used_ += bytes;
    return true;
}

// False where the record could not be written, or another thread was faster; the next one is then written over it.
bool DiskCache::append(std::uint64_t index, Writer& writer) {
    if (writer.file.descriptor < 0 && !open_file(writer)) {
        return false;
    }
    if (!write_at(writer.file.descriptor, writer.record, writer.size)) {
        const std::string why = reason();
        static_cast<void>(::ftruncate(writer.file.descriptor, static_cast<off_t>(writer.size)));
        stop_keeping(fmt::format("{}: {}", writer.file.path.string(), why));
        return false;
    }
    const std::unique_lock lock(mutex_);
    if (!places_.try_emplace(index, Place{writer.number, writer.size, writer.record.size()}).second) {
        return false;
    }
    writer.size += writer.record.size();
    return true;
}

// Once there is something to keep: a run that finds everything leaves no file.
bool DiskCache::open_file(Writer& writer) {
    File file{.path = {}, .descriptor = -1};
    for (int number = 1; file.descriptor < 0; ++number) {
        file.path = folder_.path() / fmt::format("{:06}{}", number, kSamplesSuffix);
        file.descriptor = ::open(file.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (file.descriptor < 0 && errno != EEXIST) {
            stop_keeping(fmt::format("{}: {}", file.path.string(), reason()));
            return false;
        }
    }
    writer.file = file;
    const std::unique_lock lock(mutex_);
    writer.number = files_.size();
    files_.push_back(std::move(file));
    return true;
}

void DiskCache::stop_keeping(const std::string& why) {
    if (!full_.exchange(true)) {
        log::warn(fmt::format("{}: {}; samples that are not kept yet are made again each time", purpose_, why));
    }
}

}  // namespace sluice::data

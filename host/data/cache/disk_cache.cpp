#include "data/cache/disk_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/text/byte_size.hpp"
#include "base/text/counted.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

}  // namespace

DiskCache::DiskCache(const fs::path& folder, std::optional<std::uint64_t> budget, const CacheKey& kind,
                     std::string purpose)
    : space_(folder, kind.inputs, purpose, budget), fields_(kind.fields), purpose_(std::move(purpose)) {
    list_files();
    space_.open();
    log::info(fmt::format("{}: disk cache: {} ({}) of earlier runs in {}; {} for other inputs; the limit is {} in all",
                          purpose_, counted(places_.size(), "sample"), format_size(space_.used()),
                          space_.path().string(), format_size(space_.others()), format_size(space_.budget())));
}

DiskCache::~DiskCache() {
    if (damaged_ > 1) {
        log::warn(
            fmt::format("{}: {}: {} samples were damaged, had other fields or could not be read; they were made again",
                        purpose_, space_.path().string(), damaged_));
    }
    for (const File& file : files_) {
        ::close(file.descriptor);
    }
}

void DiskCache::list_files() {
    for (const fs::path& path : kept_files(space_.path())) {
        next_number_ = std::max(next_number_.load(), kept_number(path) + 1);
        if (!list_samples(path, true)) {
            log::warn(fmt::format("{}: {}: {}; its samples are made again", purpose_, path.string(), reason()));
        }
    }
    for (const File& file : files_) {
        if (file.listed < file.bytes) {
            log::info(fmt::format("{}: {}: incomplete sample at byte {} of {}; samples from there on are made again",
                                  purpose_, file.path.string(), file.listed, file.bytes));
        }
    }
}

// Lists the records that the file has gained since the last call; another process may still be writing its end. False
// if the file cannot be read. [one thread at a time]
bool DiskCache::list_samples(const fs::path& path, bool is_old) {
    const std::optional<std::size_t> number = find_or_open(path, is_old);
    if (!number) {
        return false;
    }
    const File before = [&] {
        const std::shared_lock lock(mutex_);
        return files_[*number];
    }();
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(path, error);
    if (before.is_own || error || bytes <= before.bytes) {
        return true;
    }
    const RecordList list = list_records(before.descriptor, bytes, before.listed);
    const std::unique_lock lock(mutex_);
    for (const RecordPlace& record : list.records) {
        if (is_old) {
            places_.insert_or_assign(record.index, Place{*number, record});  // the newest counts
        } else {
            places_.try_emplace(record.index, Place{*number, record});
        }
    }
    files_[*number].bytes = bytes;
    files_[*number].listed = list.bytes;
    space_.add_found(bytes - before.bytes);
    return true;
}

// Returns the file's number in files_; std::nullopt if it cannot be opened.
std::optional<std::size_t> DiskCache::find_or_open(const fs::path& path, bool is_old) {
    const std::unique_lock lock(mutex_);
    const auto found = std::ranges::find(files_, path, &File::path);
    const auto number = static_cast<std::size_t>(found - files_.begin());
    if (found == files_.end()) {
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return std::nullopt;
        }
        files_.push_back({.path = path, .descriptor = descriptor, .is_old = is_old});
    }
    return number;
}

// Lists the samples that other processes have written meanwhile, at most once a second.
void DiskCache::list_new_records() {
    constexpr double kSeconds = 1.0;
    const std::unique_lock lock(listing_mutex_, std::try_to_lock);
    if (lock && (listed_at_ == 0.0 || now() - listed_at_ > kSeconds)) {
        for (const fs::path& path : kept_files(space_.path())) {
            static_cast<void>(list_samples(path, false));
        }
        listed_at_ = now();
    }
}

std::uint64_t DiskCache::bytes_to_read(std::uint64_t index) const {
    const std::shared_lock lock(mutex_);
    const auto found = places_.find(index);
    return found == places_.end() ? 0 : found->second.record.bytes;
}

bool DiskCache::find(std::uint64_t index, CachedSample& sample) {
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
    if (place.record.bytes > sample.bytes.capacity()) {
        return false;  // the sample was stored after the caller asked for its size
    }
    sample.bytes.resize(place.record.bytes);
    const bool is_read = read_at(descriptor, sample.bytes.data(), place.record.bytes, place.record.offset);
    if (is_read && read_record(index, fields_, sample)) {
        return true;
    }
    forget(index, place, is_read);
    return false;
}

// Marks the record as damaged only in own and old files: in others, the writer may be putting a new record there.
void DiskCache::forget(std::uint64_t index, const Place& place, bool is_read) {
    const std::unique_lock lock(mutex_);
    const auto found = places_.find(index);
    if (found == places_.end() || found->second.file != place.file ||
        found->second.record.offset != place.record.offset) {
        return;
    }
    places_.erase(found);
    const File& file = files_[place.file];
    if (is_read && (file.is_own || file.is_old)) {
        mark_damaged(file.path, place.record);
    }
    if (++damaged_ == 1) {
        log::warn(fmt::format("{}: {}: the sample at byte {} {}; it is made again, and further ones are only counted",
                              purpose_, file.path.string(), place.record.offset,
                              is_read ? "is damaged or has other fields" : "cannot be read"));
    }
}

bool DiskCache::contains(std::uint64_t index) const {
    const std::shared_lock lock(mutex_);
    return places_.contains(index);
}

void DiskCache::keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    if (contains(index)) {
        return;
    }
    try {
        if (!full_) {
            keep_copy(index, name, fields);
        }
        list_new_records();
    } catch (const fs::filesystem_error& error) {
        stop_keeping(error.what());
    }
}

void DiskCache::keep_copy(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    std::unique_ptr<Writer> writer = take_writer();
    make_record(index, name, fields, writer->record);
    const std::uint64_t bytes = writer->record.bytes;
    if (!space_.reserve(bytes)) {
        stop_keeping(fmt::format("the disk cache is full ({})", format_size(space_.budget())));
    } else if (!append(index, *writer)) {
        space_.release(bytes);
    }
    const std::unique_lock lock(mutex_);
    idle_.push_back(std::move(writer));
}

// There are as many writers as there ever were threads that wrote at the same time.
std::unique_ptr<DiskCache::Writer> DiskCache::take_writer() {
    const std::unique_lock lock(mutex_);
    if (idle_.empty()) {
        return std::make_unique<Writer>();
    }
    std::unique_ptr<Writer> writer = std::move(idle_.back());
    idle_.pop_back();
    return writer;
}

// False if the record could not be written, or another thread has stored the sample.
bool DiskCache::append(std::uint64_t index, Writer& writer) {
    if (writer.file.descriptor < 0 && !open_file(writer)) {
        return false;
    }
    const auto write = [&] { return write_at(writer.file.descriptor, writer.record.parts, writer.size); };
    if (!space_.write_or_free_disk(writer.record.bytes, write)) {
        const std::string why = reason();
        static_cast<void>(::ftruncate(writer.file.descriptor, static_cast<off_t>(writer.size)));
        stop_keeping(fmt::format("{}: {}", writer.file.path.string(), why));
        return false;
    }
    const std::unique_lock lock(mutex_);
    if (!places_.try_emplace(index, Place{writer.number, {index, writer.size, writer.record.bytes}}).second) {
        static_cast<void>(::ftruncate(writer.file.descriptor, static_cast<off_t>(writer.size)));
        return false;
    }
    writer.size += writer.record.bytes;
    return true;
}

// Called with the first record, so that a run that finds everything in the cache creates no file.
bool DiskCache::open_file(Writer& writer) {
    File file{.path = {}, .descriptor = -1, .is_own = true};
    const auto open = [&] {
        do {
            file.path = space_.path() / kept_name(next_number_++);
            file.descriptor = ::open(file.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        } while (file.descriptor < 0 && errno == EEXIST);
        return file.descriptor >= 0;
    };
    const std::unique_lock lock(mutex_);  // so that find_or_open() does not take the file for another process's
    if (!space_.write_or_free_disk(writer.record.bytes, open)) {
        stop_keeping(fmt::format("{}: {}", file.path.string(), reason()));
        return false;
    }
    writer.file = file;
    writer.number = files_.size();
    files_.push_back(std::move(file));
    return true;
}

void DiskCache::stop_keeping(const std::string& why) {
    if (!full_.exchange(true)) {
        log::warn(fmt::format("{}: {}; samples that are not cached yet are made again in every epoch", purpose_, why));
    }
}

}  // namespace sluice::data

#include "file_map.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

namespace sluice::records {
namespace {

// With a map, each page that is not in memory is waited for separately; a read from the file fetches all pages at once.
// So some reads are watched (watching all would cost a tenth of the time). After a read that waited for more than one
// page, many reads go to the file.
constexpr std::uint32_t kWatched = 16;  // one in this many reads is watched
constexpr std::uint32_t kPause = 1024;  // reads that then go to the file

constexpr std::uint64_t kLine = 64;  // of the processor's caches, in bytes

bool is_watched() {
    thread_local std::uint32_t reads = 0;
    return reads++ % kWatched == 0;
}

// Number of pages that this thread had to wait for.
std::int64_t waits() {
    rusage usage{};
    return ::getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_majflt : 0;
}

}  // namespace

FileMap::FileMap(int file, std::uint64_t bytes, const sluice_host* host) : guard_(host) {
    if (!guard_.is_there() || bytes == 0) {
        return;
    }
    void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        return;
    }
    ::madvise(mapped, bytes, MADV_RANDOM);  // no read-ahead
    begin_ = static_cast<const std::uint8_t*>(mapped);
    bytes_ = bytes;
}

FileMap::~FileMap() {
    if (begin_ != nullptr) {
        ::munmap(const_cast<std::uint8_t*>(begin_), bytes_);
    }
}

bool FileMap::read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const {
    if (begin_ == nullptr || !holds(bytes, offset)) {
        return false;
    }
    if (const std::uint32_t left = pause_.load(std::memory_order_relaxed); left > 0) {
        pause_.store(left - 1, std::memory_order_relaxed);
        return false;
    }
    const bool watched = is_watched();
    const std::int64_t before = watched ? waits() : 0;
    const bool whole = guard_.run([&]() noexcept { std::memcpy(to, begin_ + offset, bytes); });
    if (watched && waits() > before + 1) {
        pause_.store(kPause, std::memory_order_relaxed);
    }
    return whole;
}

void FileMap::expect(std::uint64_t bytes, std::uint64_t offset) const {
    if (begin_ == nullptr || !holds(bytes, offset)) {
        return;
    }
    for (std::uint64_t done = 0; done < bytes; done += kLine) {
        __builtin_prefetch(begin_ + offset + done, 0, 2);
    }
}

}  // namespace sluice::records

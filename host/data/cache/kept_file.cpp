#include "data/cache/kept_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "data/cache/kept_record.hpp"

namespace sluice::data {

namespace fs = std::filesystem;

std::vector<fs::path> kept_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored); entry != fs::directory_iterator(); entry.increment(ignored)) {
        if (entry->path().extension() == kSamplesSuffix) {
            files.push_back(entry->path());
        }
    }
    std::ranges::sort(files, {}, [](const fs::path& file) { return std::pair(kept_number(file), file); });
    return files;
}

std::string kept_name(std::uint64_t number) { return fmt::format("{:06}{}", number, kSamplesSuffix); }

std::uint64_t kept_number(const fs::path& file) {
    const std::string stem = file.stem().string();
    std::uint64_t number = 0;
    std::from_chars(stem.data(), stem.data() + stem.size(), number);
    return number;
}

RecordList list_records(int descriptor, std::uint64_t size, std::uint64_t from) {
    RecordList list{.records = {}, .bytes = from};
    RecordHeader header{};
    while (list.bytes < size) {
        if (!read_at(descriptor, &header, sizeof(header), list.bytes)) {
            list.is_read = errno == 0;
            break;
        }
        if (!is_whole(header) || header.bytes > size - list.bytes) {
            break;
        }
        if (header.is_damaged == 0) {
            list.records.push_back({header.index, list.bytes, header.bytes});
        }
        list.bytes += header.bytes;
    }
    return list;
}

void mark_damaged(const fs::path& file, const RecordPlace& place) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);  // a link is of another cache
    if (descriptor < 0) {
        return;
    }
    RecordHeader header{};
    if (read_at(descriptor, &header, sizeof(header), place.offset) && is_whole(header) && header.index == place.index &&
        header.bytes == place.bytes) {
        mark_damaged(header);
        static_cast<void>(::pwrite(descriptor, &header, sizeof(header), static_cast<off_t>(place.offset)));
    }
    ::close(descriptor);
}

bool read_at(int descriptor, void* to, std::size_t bytes, std::uint64_t offset) {
    auto* at = static_cast<std::uint8_t*>(to);
    while (bytes > 0) {
        const ssize_t got = ::pread(descriptor, at, bytes, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            errno = got == 0 ? 0 : errno;
            return false;
        }
        at += got;
        offset += static_cast<std::uint64_t>(got);
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

bool write_at(int descriptor, std::span<const std::uint8_t> bytes, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put =
            ::pwrite(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
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

bool write_at(int descriptor, std::span<const std::span<const std::uint8_t>> parts, std::uint64_t offset) {
    return std::ranges::all_of(parts, [&](std::span<const std::uint8_t> part) {
        offset += part.size();
        return write_at(descriptor, part, offset - part.size());
    });
}

}  // namespace sluice::data

#include "data/cache/cache_trim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text/byte_size.hpp"
#include "data/cache/kept_file.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

struct OldFile {
    fs::path path;
    std::uint64_t size = 0;
    RecordList list;
};

// Omits files that cannot be read, and links to files of another cache.
std::vector<OldFile> read_files(const fs::path& folder) {
    std::vector<OldFile> files;
    for (const fs::path& path : kept_files(folder)) {
        std::error_code error;
        const std::uint64_t size = fs::file_size(path, error);
        if (fs::is_symlink(path, error)) {
            continue;
        }
        const int descriptor = error ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) {
            OldFile file{path, size, list_records(descriptor, size)};
            ::close(descriptor);
            if (file.list.is_read) {
                files.push_back(std::move(file));
            }
        }
    }
    return files;
}

// Truncates the file to the whole records within its first `bytes`. Returns the number of bytes removed.
std::uint64_t cut(OldFile& file, std::uint64_t bytes) {
    std::uint64_t kept = 0;
    const auto end = [](const RecordPlace& place) { return place.offset + place.bytes; };
    const auto beyond = std::ranges::upper_bound(file.list.records, bytes, {}, end);
    if (bytes >= file.list.bytes) {
        kept = file.list.bytes;
    } else if (beyond != file.list.records.begin()) {
        kept = end(*std::prev(beyond));
    }
    std::error_code error;
    if (kept == 0) {
        fs::remove(file.path, error);
    } else if (kept < file.size) {
        fs::resize_file(file.path, kept, error);
    }
    if (error) {
        return 0;
    }
    const std::uint64_t removed_bytes = file.size - kept;
    file.list.records.erase(kept == 0 ? file.list.records.begin() : beyond, file.list.records.end());
    file.list.bytes = kept;
    file.size = kept;
    return removed_bytes;
}

std::uint64_t cut_torn(std::vector<OldFile>& files) {
    std::uint64_t removed_bytes = 0;
    for (OldFile& file : files) {
        removed_bytes += cut(file, file.list.bytes);
    }
    return removed_bytes;
}

// The indices of the samples in a file, each once.
std::vector<std::uint64_t> samples_of(const OldFile& file) {
    std::vector<std::uint64_t> samples;
    std::ranges::transform(file.list.records, std::back_inserter(samples), &RecordPlace::index);
    std::ranges::sort(samples);
    samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
    return samples;
}

std::uint64_t remove_doubles(std::vector<OldFile>& files) {
    std::unordered_map<std::uint64_t, std::uint32_t> holders;  // sample -> number of files with it
    for (const OldFile& file : files) {
        for (const std::uint64_t sample : samples_of(file)) {
            ++holders[sample];
        }
    }
    std::uint64_t removed_bytes = 0;
    for (OldFile& file : files) {
        const std::vector<std::uint64_t> samples = samples_of(file);
        const auto is_held_twice = [&](std::uint64_t sample) { return holders[sample] > 1; };
        const std::uint64_t bytes = std::ranges::all_of(samples, is_held_twice) ? cut(file, 0) : 0;
        if (bytes > 0) {
            removed_bytes += bytes;
            std::ranges::for_each(samples, [&](std::uint64_t sample) { --holders[sample]; });
        }
    }
    return removed_bytes;
}

std::uint64_t keep_newest(std::vector<OldFile>& files, std::uint64_t budget) {
    std::uint64_t removed_bytes = 0;
    for (std::size_t i = files.size(); i-- > 0;) {
        removed_bytes += files[i].size > budget ? cut(files[i], budget) : 0;
        budget -= std::min(files[i].size, budget);
    }
    return removed_bytes;
}

}  // namespace

std::string trim_cache(const fs::path& folder, std::optional<std::uint64_t> budget) {
    std::vector<OldFile> files = read_files(folder);
    std::vector<std::string> done;
    const auto note = [&](std::uint64_t bytes, const std::string& what) {
        if (bytes > 0) {
            done.push_back(format_size(bytes) + what);
        }
    };
    note(cut_torn(files), " of incomplete samples");
    note(remove_doubles(files), " of damaged or duplicate samples");
    note(budget ? keep_newest(files, *budget) : 0, " beyond the budget");
    return done.empty() ? "" : fmt::format("removed {}", fmt::join(done, ", "));
}

}  // namespace sluice::data

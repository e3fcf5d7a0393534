#include "file_list.hpp"

#include <glob.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "record_formats/damage.hpp"
#include "record_formats/gzip.hpp"
#include "record_formats/shard_file.hpp"
#include "record_formats/tfrecord.hpp"
#include "shared_files/picture_walk.hpp"
#include "shared_files/working_folder.hpp"
#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::records {
namespace {

[[noreturn]] void invalid(const std::string& path, const std::string& what) {
    throw sdk::Failure(SLUICE_INVALID,
                       "option 'path': '" + path + "' " + what + shared_files::working_folder_text(path));
}

bool is_records(const fs::path& file) {
    constexpr std::array<std::string_view, 3> kSuffixes{".records", ".tfrecord", ".tfrecords"};
    const fs::path unpacked = file.extension() == ".gz" ? file.stem() : file;
    return file.filename().string().front() != '.' &&
           std::find(kSuffixes.begin(), kSuffixes.end(), unpacked.extension().string()) != kSuffixes.end();
}

// True if this source may be able to read the file, by its first bytes. All gzip files count.
bool holds_records(const fs::path& file) {
    try {
        const InputFile input(file);
        std::array<std::uint8_t, 12> head{};
        const auto found = static_cast<std::size_t>(input.read_some(head.data(), head.size(), 0));
        const ByteSpan bytes = ByteSpan(head).first(found);
        return ShardFile::is_one(bytes) || TfRecordFile::is_one(bytes) || is_gzip(bytes);
    } catch (const Damage&) {
        return false;
    }
}

// A pattern that matches this file and those that belong to it: "data/train-*-of-00004", "data/*.tfrec".
std::string pattern_for(const fs::path& file) {
    static const std::regex numbered(R"((.*)-\d{5,6}(-of-\d{5,6}.*))");
    const std::string name = file.filename().string();
    std::smatch parts;
    const std::string pattern = std::regex_match(name, parts, numbered) ? parts[1].str() + "-*" + parts[2].str()
                                                                        : "*" + file.extension().string();
    return (file.parent_path() / pattern).string();
}

bool is_picture(const fs::path& file) {
    return std::ranges::find(shared_files::kPictureSuffixes, shared_files::small_suffix(file)) !=
           shared_files::kPictureSuffixes.end();
}

// Any picture in the folder or below it, among the first 10,000 entries; empty if there is none.
fs::path find_picture(const fs::path& folder) {
    constexpr int kMostEntries = 10'000;
    std::error_code problem;
    fs::recursive_directory_iterator entry(folder, problem);
    for (int i = 0; !problem && i < kMostEntries && entry != fs::recursive_directory_iterator(); ++i) {
        if (is_picture(entry->path())) {
            return entry->path();
        }
        entry.increment(problem);
    }
    return {};
}

// For a folder without matching names: a hint about its other files. `files` is sorted.
std::string instead(const fs::path& folder, const std::vector<fs::path>& files) {
    const auto found =
        std::ranges::find_if(files, [](const fs::path& file) { return !is_picture(file) && holds_records(file); });
    if (found != files.end()) {
        return "; path = \"" + pattern_for(*found) + "\" reads files such as '" + found->filename().string() + "'";
    }
    if (const fs::path picture = find_picture(folder); !picture.empty()) {
        return "; it holds pictures, such as '" + picture.lexically_relative(folder).string() +
               "', which the sources image_pairs, segmentation_pairs, csv_images and photos read and `sluice prepare` "
               "turns into records";
    }
    return files.empty() ? "" : "; it holds files such as '" + files.front().filename().string() + "'";
}

std::vector<fs::path> in_folder(const std::string& folder) {
    std::error_code problem;
    if (fs::exists(fs::path(folder) / "unfinished.json", problem)) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, folder +
                                                  ": it is only partly prepared; `sluice prepare` with the same "
                                                  "arguments continues where it stopped");
    }
    std::vector<fs::path> files;
    std::vector<fs::path> others;
    fs::directory_iterator entry(folder, problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
        std::error_code unused;
        if (entry->is_regular_file(unused)) {
            (is_records(entry->path()) ? files : others).push_back(entry->path());
        }
    }
    if (problem) {
        invalid(folder, "cannot be read: " + problem.message());
    }
    if (files.empty()) {
        std::ranges::sort(others);
        invalid(folder, "holds no file that ends in .records, .tfrecord, .tfrecords or one of these and .gz" +
                            instead(folder, others));
    }
    return files;
}

std::vector<fs::path> that_fit(const std::string& pattern) {
    glob_t found{};
    std::vector<fs::path> files;
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    if (files.empty()) {
        invalid(pattern, "is not a file, a folder, or a pattern that matches a file");
    }
    return files;
}

// Messages for missing shards of names like "-00003-of-00010". Numbers may have more digits if there are more shards;
// TensorFlow then gives more digits only to the larger numbers.
std::vector<std::string> missing_shards(const std::vector<fs::path>& files) {
    constexpr int kMostDigits = 6;  // limits the number of shards that could be missing
    static const std::regex numbered(R"((.*)-(\d{5,6})-of-(\d{5,6})(.*))");
    struct Shards {
        std::set<unsigned long> numbers;  // of existing shards
        int digits = kMostDigits;         // least number of digits
    };
    std::map<std::array<std::string, 3>, Shards> sets;
    for (const fs::path& file : files) {
        std::smatch parts;
        const std::string name = file.string();
        if (std::regex_match(name, parts, numbered)) {
            Shards& shards = sets[{parts[1], parts[3], parts[4]}];
            shards.numbers.insert(std::stoul(parts[2]));
            shards.digits = std::min(shards.digits, static_cast<int>(parts[2].length()));
        }
    }
    std::vector<std::string> missing;
    for (const auto& [key, shards] : sets) {
        const unsigned long count = std::stoul(key[1]);  // it has at most six digits
        for (unsigned long i = 0; i < count; ++i) {
            if (!shards.numbers.contains(i)) {
                const std::string number = std::to_string(i);
                const auto digits = static_cast<std::size_t>(shards.digits);
                missing.push_back(key[0] + "-" + std::string(digits - std::min(digits, number.size()), '0') + number +
                                  "-of-" + key[1] + key[2] + " is missing: of " + std::to_string(count) + " shards " +
                                  std::to_string(shards.numbers.size()) +
                                  (shards.numbers.size() == 1 ? " is" : " are") + " there");
            }
        }
    }
    return missing;
}

}  // namespace

FileList list_files(const std::string& path) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (fs::is_regular_file(status)) {
        return {{path}, {}};
    }
    if (!fs::status_known(status)) {
        invalid(path, "cannot be read: " + problem.message());
    }
    std::vector<fs::path> files = fs::is_directory(status) ? in_folder(path) : that_fit(path);
    std::sort(files.begin(), files.end());
    std::vector<std::string> missing = missing_shards(files);
    return {std::move(files), std::move(missing)};
}

}  // namespace sluice::records

#include "file_list.hpp"

#include <glob.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::records {
namespace {

[[noreturn]] void invalid(const std::string& path, const std::string& what) {
    std::error_code unused;
    throw sdk::Failure(SLUICE_INVALID, "option 'path': '" + path + "' " + what + " (looked for from " +
                                           fs::current_path(unused).string() + ")");
}

bool is_records(const fs::path& file) {
    constexpr std::array<std::string_view, 3> kSuffixes{".records", ".tfrecord", ".tfrecords"};
    const fs::path unpacked = file.extension() == ".gz" ? file.stem() : file;
    return file.filename().string().front() != '.' &&
           std::find(kSuffixes.begin(), kSuffixes.end(), unpacked.extension().string()) != kSuffixes.end();
}

std::vector<fs::path> in_folder(const std::string& folder) {
    if (fs::exists(fs::path(folder) / "unfinished.json")) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, folder +
                                                  ": not all of it was prepared; `sluice prepare` with the same "
                                                  "arguments goes on where it was stopped");
    }
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && is_records(entry.path())) {
            files.push_back(entry.path());
        }
    }
    if (files.empty()) {
        invalid(folder, "holds no file that ends in .records, .tfrecord, .tfrecords or one of these and .gz");
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
        invalid(pattern, "is no file, no folder, and no pattern that a file fits");
    }
    return files;
}

// "-00003-of-00010", with more digits where there are more shards, and as TensorFlow does in the greater numbers alone.
std::vector<std::string> missing_shards(const std::vector<fs::path>& files) {
    constexpr int kMostDigits = 6;  // so that all that could be missing find room
    static const std::regex numbered(R"((.*)-(\d{5,6})-of-(\d{5,6})(.*))");
    struct Shards {
        std::set<unsigned long> numbers;  // that are there
        int digits = kMostDigits;         // at least, of each
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
        const unsigned long count = std::stoul(key[1]);
        for (unsigned long i = 0; i < count; ++i) {
            if (!shards.numbers.contains(i)) {
                const std::string number = std::to_string(i);
                const auto digits = static_cast<std::size_t>(shards.digits);
                missing.push_back(key[0] + "-" + std::string(digits - std::min(digits, number.size()), '0') + number +
                                  "-of-" + key[1] + key[2] + " is missing: of " + std::to_string(count) + " shards " +
                                  std::to_string(shards.numbers.size()) + " are there");
            }
        }
    }
    return missing;
}

}  // namespace

FileList list_files(const std::string& path) {
    std::error_code unused;
    if (fs::is_regular_file(path, unused)) {
        return {{path}, {}};
    }
    std::vector<fs::path> files = fs::is_directory(path, unused) ? in_folder(path) : that_fit(path);
    std::sort(files.begin(), files.end());
    std::vector<std::string> missing = missing_shards(files);
    return {std::move(files), std::move(missing)};
}

}  // namespace sluice::records

#include "prepare/written_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <regex>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/sha256.hpp"
#include "base/text/counted.hpp"

namespace sluice::prepare {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kUnfinished = "unfinished.json";

// Refuses a folder with other files, so that none are mixed with ours or overwritten.
void require_free(const fs::path& folder) {
    std::error_code problem;
    fs::directory_iterator entry(folder, problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
        const std::string name = entry->path().filename().string();
        if (name.front() != '.' && !name.ends_with(".writing")) {
            throw Error(Exit::config, fmt::format("{} holds other files, such as '{}'; choose another --out, or an "
                                                  "empty folder",
                                                  folder.string(), name));
        }
    }
    if (problem) {
        throw Error(Exit::save, fmt::format("{}: cannot be listed: {}", folder.string(), problem.message()));
    }
}

void remove_file(const fs::path& file) {
    std::error_code problem;
    fs::remove(file, problem);
    if (problem) {
        throw Error(Exit::save, fmt::format("{}: cannot be removed: {}", file.string(), problem.message()));
    }
}

SkippedSample skipped_of(const ordered_json& sample) {
    return {sample.value("index", std::uint64_t{0}), sample.value("what", "")};
}

ShardRecord shard_of(const ordered_json& shard) {
    ShardRecord record{
        shard.value("file", ""),   shard.value("samples", std::uint64_t{0}), shard.value("bytes", std::uint64_t{0}),
        shard.value("sha256", ""), shard.value("names_sha256", ""),          {}};
    std::ranges::transform(shard.value("skipped", ordered_json::array()), std::back_inserter(record.skipped),
                           skipped_of);
    return record;
}

// 7 for "train-00007-of-00012.records"; nothing for a name of another form.
std::optional<std::size_t> number_in(const std::string& name) {
    static const std::regex pattern(R"(.*-(\d{5,9})-of-\d{5,9}\..*)");
    std::smatch parts;
    return std::regex_match(name, parts, pattern) ? std::optional<std::size_t>(std::stoul(parts[1])) : std::nullopt;
}

[[noreturn]] void fail_foreign(const fs::path& file) {
    throw Error(Exit::config,
                fmt::format("{} was not written by {}; choose another --out", file.string(), typed("prepare")));
}

void warn_lost(const fs::path& file) {
    log::warn(fmt::format("{} is missing or damaged; it is written again", file.string()));
}

}  // namespace

WrittenFiles::WrittenFiles(fs::path folder, ordered_json inputs)
    : folder_(std::move(folder)), inputs_(std::move(inputs)) {
    const bool was_finished = read(folder_ / kManifest);
    if (was_finished || read(folder_ / kUnfinished)) {
        forget_lost_shards();
    } else {
        require_free(folder_);
    }
    is_whole_ = was_finished && shards_.size() == inputs_["shards"].get<std::size_t>();
    if (is_whole_) {
        remove_file(folder_ / kUnfinished);  // a kill in the middle of finish() leaves both files
    } else {
        begin_anew();
    }
}

// Existing files are kept.
void WrittenFiles::begin_anew() {
    is_whole_ = false;
    write_file_atomically(folder_ / kUnfinished, text());
    remove_file(folder_ / kManifest);
}

bool WrittenFiles::read(const fs::path& file) {
    std::error_code unused;
    if (!fs::exists(file, unused)) {
        return false;
    }
    const ordered_json json = ordered_json::parse(read_file(file), nullptr, false);
    if (!json.is_object() || !json.contains("inputs") || !json["inputs"].is_object() || !json.contains("files") ||
        !json["files"].is_array()) {
        fail_foreign(file);
    }
    ordered_json all = json["inputs"];
    all.update(inputs_);
    for (const auto& of_either : all.items()) {
        const std::string& key = of_either.key();
        const ordered_json found = json["inputs"].value(key, ordered_json());
        const ordered_json value = inputs_.value(key, ordered_json());
        if (found != value) {
            throw Error(Exit::config, fmt::format("{}: the folder was prepared with {} = {}, now it is {}; choose "
                                                  "another --out, or remove the folder",
                                                  file.string(), key, found.dump(), value.dump()));
        }
    }
    try {
        for (const ordered_json& file_of : json["files"]) {
            ShardRecord shard = shard_of(file_of);
            const std::optional<std::size_t> number = number_in(shard.file);
            if (!number || *number >= inputs_["shards"].get<std::size_t>()) {
                fail_foreign(file);
            }
            shards_[*number] = std::move(shard);
        }
    } catch (const ordered_json::exception&) {
        fail_foreign(file);
    }
    return true;
}

void WrittenFiles::forget_lost_shards() {
    std::erase_if(shards_, [&](const auto& entry) {
        const fs::path file = folder_ / entry.second.file;
        std::error_code problem;
        const bool is_lost = fs::file_size(file, problem) != entry.second.bytes || problem;
        if (is_lost) {
            warn_lost(file);
        }
        return is_lost;
    });
}

bool WrittenFiles::is_as_written(std::size_t number) const {
    const ShardRecord& shard = shards_.at(number);
    std::ifstream file(folder_ / shard.file, std::ios::binary);
    std::vector<std::uint8_t> part(std::size_t{1} << 20);
    Sha256 sum;
    while (file) {
        file.read(reinterpret_cast<char*>(part.data()), static_cast<std::streamsize>(part.size()));
        sum.add(std::span(part).first(static_cast<std::size_t>(file.gcount())));
    }
    return sum.finish() == shard.sha256;
}

bool WrittenFiles::drop_changed(bool all, const std::function<bool()>& stop,
                                const std::function<void(const std::string&)>& report) {
    std::vector<std::size_t> numbers;
    std::ranges::transform(shards_, std::back_inserter(numbers), [](const auto& entry) { return entry.first; });
    if (!all && !numbers.empty()) {
        numbers.erase(numbers.begin(), numbers.end() - 1);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (stop()) {
            return false;
        }
        report(fmt::format("{} of {} compared", i, counted(numbers.size(), "file")));
        if (!is_as_written(numbers[i])) {
            forget(numbers[i]);
        }
    }
    return true;
}

void WrittenFiles::forget(std::size_t number) {
    warn_lost(folder_ / shards_.at(number).file);
    shards_.erase(number);
    begin_anew();
}

std::string WrittenFiles::text() const {
    ordered_json files = ordered_json::array();
    for (const auto& [number, shard] : shards_) {
        files.push_back({{"file", shard.file},
                         {"samples", shard.samples},
                         {"bytes", shard.bytes},
                         {"sha256", shard.sha256},
                         {"names_sha256", shard.names_sha256}});
        for (const SkippedSample& sample : shard.skipped) {
            files.back()["skipped"].push_back({{"index", sample.index}, {"what", sample.what}});
        }
    }
    return ordered_json{{"inputs", inputs_}, {"files", files}}.dump(2, ' ', false,
                                                                    ordered_json::error_handler_t::replace) +
           "\n";
}

std::size_t WrittenFiles::skipped() const {
    return std::transform_reduce(shards_.begin(), shards_.end(), std::size_t{0}, std::plus<>(),
                                 [](const auto& entry) { return entry.second.skipped.size(); });
}

void WrittenFiles::add(std::size_t number, ShardRecord shard) {
    shards_[number] = std::move(shard);
    write_file_atomically(folder_ / kUnfinished, text());
}

void WrittenFiles::finish() {
    write_file_atomically(folder_ / kManifest, text());
    remove_file(folder_ / kUnfinished);
    is_whole_ = true;
}

}  // namespace sluice::prepare

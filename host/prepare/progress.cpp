#include "prepare/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"

namespace sluice::prepare {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kUnfinished = "unfinished.json";

// Nobody's files are mixed with ours, or written over.
void require_free(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.front() != '.' && !name.ends_with(".writing")) {
            throw Error(Exit::config, fmt::format("{} holds other files, such as '{}'; choose another --out, or an "
                                                  "empty folder",
                                                  folder.string(), name));
        }
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

[[noreturn]] void fail_foreign(const fs::path& file) {
    throw Error(Exit::config,
                fmt::format("{} is not one of {}; choose another --out", file.string(), typed("prepare")));
}

}  // namespace

Progress::Progress(fs::path folder, ordered_json inputs) : folder_(std::move(folder)), inputs_(std::move(inputs)) {
    const bool was_finished = read(folder_ / kManifest);
    if (was_finished || read(folder_ / kUnfinished)) {
        forget_lost_shards();
    } else {
        require_free(folder_);
    }
    is_whole_ = was_finished && shards_.size() == inputs_["shards"].get<std::size_t>();
    if (!is_whole_) {
        write_file_atomically(folder_ / kUnfinished, text());
    }
    remove_file(folder_ / (is_whole_ ? kUnfinished : kManifest));  // what was killed between the two left both
}

bool Progress::read(const fs::path& file) {
    std::error_code unused;
    if (!fs::exists(file, unused)) {
        return false;
    }
    const ordered_json json = ordered_json::parse(read_file(file), nullptr, false);
    if (!json.is_object() || !json.contains("inputs") || !json["inputs"].is_object() || !json.contains("files") ||
        !json["files"].is_array()) {
        fail_foreign(file);
    }
    for (const auto& [key, value] : inputs_.items()) {
        const ordered_json found = json["inputs"].value(key, ordered_json());
        if (found != value) {
            throw Error(Exit::config, fmt::format("{}: the folder was prepared with {} = {}, now it is {}; choose "
                                                  "another --out, or remove the folder",
                                                  file.string(), key, found.dump(), value.dump()));
        }
    }
    try {
        std::ranges::transform(json["files"], std::back_inserter(shards_), shard_of);
    } catch (const ordered_json::exception&) {
        fail_foreign(file);
    }
    return true;
}

void Progress::forget_lost_shards() {
    const auto lost = std::ranges::find_if(shards_, [&](const ShardRecord& shard) {
        std::error_code problem;
        return fs::file_size(folder_ / shard.file, problem) != shard.bytes || problem;
    });
    if (lost != shards_.end()) {
        log::warn(fmt::format("{} is not there as it was written; it and what follows is made again",
                              (folder_ / lost->file).string()));
        shards_.erase(lost, shards_.end());
    }
}

std::string Progress::text() const {
    ordered_json files = ordered_json::array();
    for (const ShardRecord& shard : shards_) {
        files.push_back({{"file", shard.file},
                         {"samples", shard.samples},
                         {"bytes", shard.bytes},
                         {"sha256", shard.sha256},
                         {"names_sha256", shard.names_sha256}});
        for (const SkippedSample& sample : shard.skipped) {
            files.back()["skipped"].push_back({{"index", sample.index}, {"what", sample.what}});
        }
    }
    return ordered_json{{"inputs", inputs_}, {"files", files}}.dump(2) + "\n";
}

std::size_t Progress::skipped() const {
    return std::transform_reduce(shards_.begin(), shards_.end(), std::size_t{0}, std::plus<>(),
                                 [](const ShardRecord& shard) { return shard.skipped.size(); });
}

void Progress::add(ShardRecord shard) {
    shards_.push_back(std::move(shard));
    write_file_atomically(folder_ / kUnfinished, text());
}

void Progress::finish() {
    write_file_atomically(folder_ / kManifest, text());
    remove_file(folder_ / kUnfinished);
}

}  // namespace sluice::prepare

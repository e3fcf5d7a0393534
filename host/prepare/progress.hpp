// What of a preparation is done: kept in the folder while it runs, and in the end its manifest.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sluice::prepare {

struct SkippedSample {
    std::uint64_t index = 0;
    std::string what;  // is bad about it, with its name
};

struct ShardRecord {
    std::string file;  // in the folder
    std::uint64_t samples = 0;
    std::uint64_t bytes = 0;
    std::string sha256{};
    std::string names_sha256{};  // of the samples' names, each with a line feed
    std::vector<SkippedSample> skipped{};
};

class Progress {
public:
    // `inputs`: all that decides about the bytes. Goes on with what is in the folder, where that was made of the same.
    // Throws Error(Exit::config) where it was made of others, naming the first, or where the folder holds other files.
    Progress(std::filesystem::path folder, nlohmann::ordered_json inputs);

    [[nodiscard]] const std::vector<ShardRecord>& shards() const { return shards_; }
    [[nodiscard]] std::size_t skipped() const;
    // Whether it was finished before.
    [[nodiscard]] bool is_whole() const { return is_whole_; }
    // Of a shard that is on the disk.
    void add(ShardRecord shard);
    // All are there: the record of it becomes the manifest.
    void finish();

private:
    bool read(const std::filesystem::path& file);
    void forget_lost_shards();
    [[nodiscard]] std::string text() const;

    std::filesystem::path folder_;
    nlohmann::ordered_json inputs_;
    std::vector<ShardRecord> shards_;
    bool is_whole_ = false;
};

}  // namespace sluice::prepare

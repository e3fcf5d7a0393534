// What of a preparation is done: kept in the folder while it runs, and in the end its manifest.
#pragma once

#include <filesystem>
#include <map>
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

    // Those that are there, by their numbers.
    [[nodiscard]] const std::map<std::size_t, ShardRecord>& shards() const { return shards_; }
    [[nodiscard]] std::size_t skipped() const;
    // Whether all are there, and the manifest.
    [[nodiscard]] bool is_whole() const { return is_whole_; }
    // Reads all of a file: whether its bytes are those that were written.
    [[nodiscard]] bool is_as_written(std::size_t number) const;
    // It will be made again, which is told.
    void forget(std::size_t number);
    // Of a shard that is on the disk.
    void add(std::size_t number, ShardRecord shard);
    // All are there: the record of it becomes the manifest.
    void finish();

private:
    bool read(const std::filesystem::path& file);
    void begin_anew();
    void forget_lost_shards();
    [[nodiscard]] std::string text() const;

    std::filesystem::path folder_;
    nlohmann::ordered_json inputs_;
    std::map<std::size_t, ShardRecord> shards_;
    bool is_whole_ = false;
};

}  // namespace sluice::prepare

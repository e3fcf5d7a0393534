// The progress of a preparation. The folder holds it while it runs, and in the end it becomes the manifest.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sluice::prepare {

struct SkippedSample {
    std::uint64_t index = 0;
    std::string what;  // the error of the sample, with its name
};

struct ShardRecord {
    std::string file;  // name in the folder
    std::uint64_t samples = 0;
    std::uint64_t bytes = 0;
    std::string sha256{};
    std::string names_sha256{};  // of the samples' names, each with a line feed
    std::vector<SkippedSample> skipped{};
};

class Progress {
public:
    // `inputs`: all that determines the bytes. Continues with the files in the folder if they were made of the same
    // inputs. Throws Error(Exit::config), with the first difference, if they were made of others, or if the folder
    // holds files of another origin.
    Progress(std::filesystem::path folder, nlohmann::ordered_json inputs);

    // The complete files, by number.
    [[nodiscard]] const std::map<std::size_t, ShardRecord>& shards() const { return shards_; }
    [[nodiscard]] std::size_t skipped() const;
    // True if all files and the manifest exist.
    [[nodiscard]] bool is_whole() const { return is_whole_; }
    // Reads the whole file. True if its bytes are those that were written.
    [[nodiscard]] bool is_as_written(std::size_t number) const;
    // Drops a file, so that it is written again, and logs a warning.
    void forget(std::size_t number);
    // Adds a file that is complete on the disk.
    void add(std::size_t number, ShardRecord shard);
    // Call it when all files are complete: writes the manifest.
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

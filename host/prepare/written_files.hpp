// The files that a preparation has written. While it runs, the folder holds this list; in the end it becomes the
// manifest.
#pragma once

#include <filesystem>
#include <functional>
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

class WrittenFiles {
public:
    // `inputs`: all that determines the bytes. Continues with the files in the folder if they were made of the same
    // inputs. Throws Error(Exit::config), with the first difference, if they were made of others, or if the folder
    // holds files of another origin.
    WrittenFiles(std::filesystem::path folder, nlohmann::ordered_json inputs);

    // The complete files, by number.
    [[nodiscard]] const std::map<std::size_t, ShardRecord>& shards() const { return shards_; }
    [[nodiscard]] std::size_t skipped() const;
    // True if all files and the manifest exist.
    [[nodiscard]] bool is_whole() const { return is_whole_; }
    // Drops files whose bytes are not those that were written, with a warning, so that they are written again. Without
    // `all` it compares the last file alone, which a crash of the machine may have damaged. Returns false if `stop`
    // returned true meanwhile. `report` gets lines of progress.
    [[nodiscard]] bool drop_changed(bool all, const std::function<bool()>& stop,
                                    const std::function<void(const std::string&)>& report);
    // Adds a file that is complete on the disk.
    void add(std::size_t number, ShardRecord shard);
    // Call it when all files are complete: writes the manifest.
    void finish();

private:
    [[nodiscard]] bool is_as_written(std::size_t number) const;
    void forget(std::size_t number);
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

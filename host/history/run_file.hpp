// Opens and reads the files of a run's folder, which other users may have written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sluice::history {

// A file of a run, open for reading.
class RunFile {
public:
    // `name` is a path below the run's folder, such as "samples/epoch_001.png". Symbolic links below the folder are
    // refused, so that a run cannot show files from elsewhere, and so are pipes and devices, whose reading may never
    // end. Throws Error(Exit::config) if the file is there and is refused.
    RunFile(const std::filesystem::path& run, const std::filesystem::path& name);
    ~RunFile();
    RunFile(const RunFile&) = delete;
    RunFile& operator=(const RunFile&) = delete;

    // False: there is no such file.
    [[nodiscard]] bool is_there() const { return fd_ >= 0; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t inode() const { return inode_; }
    // Returns up to `bytes` bytes from `offset` on. Throws Error(Exit::config).
    [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t bytes) const;

private:
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    int fd_ = -1;
    std::uint64_t size_ = 0;
    std::uint64_t inode_ = 0;
};

// Returns the whole file; nothing if there is none. Throws Error(Exit::config) if it is refused or has more bytes.
std::optional<std::string> read_run_file(const std::filesystem::path& run, const std::filesystem::path& name,
                                         std::uint64_t most_bytes = std::uint64_t{64} << 20U);

}  // namespace sluice::history

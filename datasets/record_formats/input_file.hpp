// A file for random access by any thread. If it is truncated meanwhile, read() throws Damage.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bytes.hpp"
#include "file_map.hpp"

namespace sluice::records {

class InputFile {
public:
    // All functions throw Damage on errors. `host`: if not null, the file is also mapped into memory.
    explicit InputFile(std::filesystem::path path, const sluice_host* host = nullptr);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // The size when the file was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    void read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    // Reads from the map, which is faster. The caller has to check the bytes and read() them if they are wrong; see
    // FileMap::read().
    bool read_mapped(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const {
        return map_ && map_->read(to, bytes, offset);
    }
    // Prefetches what read_mapped() is called for next.
    void expect(std::uint64_t bytes, std::uint64_t offset) const {
        if (map_) {
            map_->expect(bytes, offset);
        }
    }
    // Reads up to the end of the file; returns the number of bytes.
    std::uint64_t read_some(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    // For "not a file of records": " but an HTML page".
    [[nodiscard]] std::string unlike() const;
    [[noreturn]] void damaged(const std::string& what) const;

private:
    std::filesystem::path path_;
    int handle_;
    std::uint64_t size_ = 0;
    std::optional<FileMap> map_;
};

}  // namespace sluice::records

// A file that is read at any place by any thread. It may be cut off meanwhile: that is told.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bytes.hpp"
#include "file_map.hpp"

namespace sluice::records {

class InputFile {
public:
    // Throws Damage, as all of it. host: where it is given, the file is mapped as well.
    explicit InputFile(std::filesystem::path path, const sluice_host* host = nullptr);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // When it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    void read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    // The same by the map, which is faster, for who can check the bytes and read() them where they are not right: see
    // FileMap::read().
    bool read_mapped(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const {
        return map_ && map_->read(to, bytes, offset);
    }
    // What read_mapped() will be asked for next.
    void expect(std::uint64_t bytes, std::uint64_t offset) const {
        if (map_) {
            map_->expect(bytes, offset);
        }
    }
    // As many of them as there are before the end.
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

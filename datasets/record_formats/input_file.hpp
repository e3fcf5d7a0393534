// A file that is read at any place by any thread. It may be cut off meanwhile: that is told, and is no signal, as it
// would be with mapped memory.
#pragma once

#include <filesystem>

#include "bytes.hpp"

namespace sluice::records {

class InputFile {
public:
    // Throws Damage, as all of it.
    explicit InputFile(std::filesystem::path path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // When it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    void read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    // As many of them as there are before the end.
    std::uint64_t read_some(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    [[noreturn]] void damaged(const std::string& what) const;

private:
    std::filesystem::path path_;
    int handle_;
    std::uint64_t size_ = 0;
};

}  // namespace sluice::records

// Files of /proc and /sys/fs/cgroup, which the kernel writes anew for each reader.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace sluice::observe {

// Memory for the text of one file at a time. A longer text is cut off.
using ProcBuffer = std::array<char, 1U << 15>;

// A file that stays open, since opening costs more than reading.
class ProcFile {
public:
    explicit ProcFile(const std::filesystem::path& path);
    ~ProcFile();
    ProcFile(ProcFile&& other) noexcept;
    ProcFile& operator=(ProcFile&& other) noexcept;

    [[nodiscard]] bool is_open() const { return handle_ >= 0; }
    // Returns the present text, which is valid until the buffer is used again; empty: it cannot be read.
    [[nodiscard]] std::string_view read(ProcBuffer& buffer) const;

private:
    int handle_ = -1;
};

// Returns the first number in `text` after position `at`, and moves `at` after it.
std::optional<std::uint64_t> next_number(std::string_view text, std::size_t& at);
// Returns the number of the line that begins with `key` and a colon or a space; nullopt if there is none.
std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key);

}  // namespace sluice::observe

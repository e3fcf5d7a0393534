// Names the kind of a file by its first bytes, for messages. It includes nothing of Sluice, so that plugins and the
// host can use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::file_kinds {

// Only this many first bytes of a file are examined.
inline constexpr std::size_t kBegin = 512;

inline constexpr std::string_view kSafetensors = "a safetensors file";

// "a WebP picture", "an HTML page"; std::nullopt if the file is plain text in UTF-8 or of an unknown kind.
std::optional<std::string> known_kind(std::string_view begin);

// The same, or "an empty file", "a JPEG picture cut off after 2 bytes", "text that begins with 'dear'" or
// "9 bytes that begin with 01 02 03 04 (hex)". `bytes`: size of the file.
std::string describe_file(std::string_view begin, std::uint64_t bytes);

// For a file that has to be UTF-8 text: what it is instead, and the offset of the first wrong byte.
struct NoText {
    std::size_t at = 0;
    std::string kind;
};
std::optional<NoText> find_no_text(std::string_view file);

inline std::string_view text_of(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::string describe_file(std::span<const std::uint8_t> file) {
    return describe_file(text_of(file), file.size());
}

}  // namespace sluice::file_kinds

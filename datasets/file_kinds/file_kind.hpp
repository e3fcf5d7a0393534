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

// No more bytes of a file than these are looked at.
inline constexpr std::size_t kBegin = 512;

inline constexpr std::string_view kSafetensors = "a safetensors file";

// "a WebP picture", "an HTML page". Nothing if the file is plain text in UTF-8, or of an unknown kind.
std::optional<std::string> known_kind(std::string_view begin);

// The same, else "an empty file", "a JPEG picture cut off after 2 bytes", "text that begins with 'dear'", or
// "9 bytes that begin with 01 02 03 04 (hex)".
std::string describe_file(std::string_view begin, std::uint64_t bytes);

// Of a file that has to be text in UTF-8: what it is instead, and how many bytes stand before the first wrong one.
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

#include "file_kind.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "markup.hpp"
#include "unmarked_picture.hpp"

namespace sluice::file_kinds {
namespace {

using namespace std::string_view_literals;

// Magic bytes of a kind of file: `bytes` at offset `at`, and `first` at the beginning.
struct Mark {
    std::size_t at;
    std::string_view bytes;
    std::string_view kind;
    std::string_view first{};
};

constexpr std::string_view kHarmedPng =
    "a PNG picture harmed by a transfer in text mode (copy it again, in binary mode)";
constexpr std::string_view kHarmedFile = "a file of bytes that was saved as text (copy it again, in binary mode)";

// The first mark that matches names the kind.
constexpr Mark kMarks[] = {
    {0, "\xFF\xD8\xFF"sv, "a JPEG picture"},
    {0, "\x89PNG\r\n\x1a\n"sv, "a PNG picture"},
    {8, "WEBP"sv, "a WebP picture", "RIFF"sv},
    {0, "GIF87a"sv, "a GIF picture"},
    {0, "GIF89a"sv, "a GIF picture"},
    {0, "II*\0"sv, "a TIFF picture"},
    {0, "MM\0*"sv, "a TIFF picture"},
    {0, "II+\0"sv, "a TIFF picture"},
    {0, "MM\0+"sv, "a TIFF picture"},
    {4, "ftypavif"sv, "an AVIF picture", "\0"sv},
    {4, "ftypavis"sv, "an AVIF picture", "\0"sv},
    {4, "ftyphei"sv, "a HEIC picture", "\0"sv},
    {4, "ftyphev"sv, "a HEIC picture", "\0"sv},
    {4, "ftypmif1"sv, "a HEIF picture", "\0"sv},
    {4, "ftypmsf1"sv, "a HEIF picture", "\0"sv},
    {4, "ftyp"sv, "an MP4 or QuickTime video", "\0"sv},
    {0, "\0\0\0\x0CJXL \r\n\x87\n"sv, "a JPEG XL picture"},
    {0, "\xFF\x0A"sv, "a JPEG XL picture"},
    {0, "\0\0\0\x0CjP  \r\n\x87\n"sv, "a JPEG 2000 picture"},
    {0, "\xFF\x4F\xFF\x51"sv, "a JPEG 2000 picture"},
    {0, "8BPS\0"sv, "a Photoshop picture"},
    {0, "\x76\x2F\x31\x01"sv, "an OpenEXR picture"},
    {0, "#?RADIANCE"sv, "a Radiance picture"},
    {0, "DDS \x7C\0\0\0"sv, "a DDS picture"},
    {0, "qoif\0"sv, "a QOI picture"},
    {0, "\x8AMNG\r\n\x1a\n"sv, "an MNG animation"},
    {0, "\x8BJNG\r\n\x1a\n"sv, "a JNG picture"},
    {0, "FUJIFILMCCD-RAW "sv, "a raw photograph of a Fujifilm camera"},
    {128, "DICM"sv, "a DICOM file"},
    {344, "n+1\0"sv, "a NIfTI volume"},
    {0, "\0\0\x08\x01"sv, "an IDX file, as MNIST has them"},
    {0, "\0\0\x08\x03"sv, "an IDX file, as MNIST has them"},
    {0, "\x89PNG"sv, kHarmedPng},
    {0, "\x09PNG\r\n"sv, kHarmedPng},
    {0, "\xC2\x89PNG"sv, kHarmedPng},
    {0, "\xEF\xBF\xBDPNG"sv, kHarmedPng},
    {0, "\xC3\xBF\xC3\x98\xC3\xBF"sv, kHarmedFile},
    {0, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"sv, kHarmedFile},
    {0, "\0\x05\x16\x07"sv, "an AppleDouble file, in which macOS keeps attributes of another"},
    {0, "%PDF-"sv, "a PDF document"},
    {0, "version https://git-lfs.github.com/spec/"sv, "a Git LFS pointer (`git lfs pull` fetches the file itself)"},
    {0, "/annex/objects/"sv, "a git-annex pointer (`git annex get` fetches the file itself)"},
    {0, "\x1F\x8B"sv, "gzip data"},
    {0, "PK\x03\x04"sv, "a ZIP archive (also .npz, .xlsx and PyTorch's .pt)"},
    {4, "1AY&SY"sv, "bzip2 data", "BZh"sv},
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "xz data"},
    {0, "\x28\xB5\x2F\xFD"sv, "Zstandard data"},
    {0, "\x04\x22\x4D\x18"sv, "LZ4 data"},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive"},
    {0, "Rar!\x1A\x07"sv, "a RAR archive"},
    {257, "ustar"sv, "a tar archive"},
    {0, "\x93NUMPY"sv, "a NumPy array"},
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {0, "ARROW1\0\0"sv, "an Arrow file"},
    {0, "Obj\1"sv, "an Avro file"},
    {0, "MATLAB 5.0 MAT-file"sv, "a MATLAB file"},
    {0, "MATLAB 7.3 MAT-file"sv, "a MATLAB file"},
    {0, "SQLite format 3\0"sv, "an SQLite database"},
    {0, "\x89SLREC\r\n"sv, "a file of prepared records"},
    {0,
     "\x7F"
     "ELF"sv,
     "a program or library (ELF)"},
    {0, "\xFF\xFE\0\0"sv, "text in UTF-32"},
    {0, "\0\0\xFE\xFF"sv, "text in UTF-32"},
    {0, "\xFF\xFE"sv, "text in UTF-16"},
    {0, "\xFE\xFF"sv, "text in UTF-16"},
};

bool has(std::string_view file, std::size_t at, std::string_view bytes) {
    return file.size() >= at && file.substr(at).starts_with(bytes);
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\r' && c != '\n' && c != '\f') || byte == 0x7F;
}

// "a Parquet file"; empty if it is no such table. A text may begin with the same letters, but has no control
// characters.
std::string_view binary_table(std::string_view begin) {
    constexpr std::pair<std::string_view, std::string_view> kTables[] = {{"PAR1", "a Parquet file"},
                                                                         {"PARE", "an encrypted Parquet file"},
                                                                         {"FEA1", "a Feather file"},
                                                                         {"ORC", "an ORC file"}};
    for (const auto& [mark, kind] : kTables) {
        if (begin.starts_with(mark) && std::ranges::any_of(begin, is_control)) {
            return kind;
        }
    }
    return {};
}

// Bytes of the UTF-8 character at the start, even if the text ends within it; 0: there is none.
std::size_t character_bytes(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (bytes == 0 || first > 0xF4) {
        return 0;
    }
    const std::string_view rest = text.substr(0, bytes).substr(1);
    const bool follow =
        std::ranges::all_of(rest, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; });
    if (!follow || rest.empty()) {
        return follow ? bytes : 0;
    }
    // RFC 3629: the shortest form only, no surrogates, nothing beyond U+10FFFF.
    const auto second = static_cast<unsigned char>(rest.front());
    const unsigned least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most ? bytes : 0;
}

// Number of bytes before the first one that does not belong to a whole character.
std::size_t bytes_of_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
            continue;
        }
        const std::size_t bytes = character_bytes(text.substr(at));
        if (bytes == 0 || bytes > text.size() - at) {
            break;
        }
        at += bytes;
    }
    return at;
}

// True for UTF-8 text. The last character may be cut off at kBegin.
bool is_text(std::string_view begin) {
    const std::string_view rest = begin.substr(bytes_of_utf8(begin));
    return std::ranges::none_of(begin, is_control) &&
           (rest.empty() || (begin.size() == kBegin && character_bytes(rest) > rest.size()));
}

// True for text with one byte per character, at least half of it ASCII.
bool is_latin(std::string_view begin) {
    const auto beyond = std::ranges::count_if(begin, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    return static_cast<std::size_t>(beyond) * 2 <= begin.size() && std::ranges::none_of(begin, is_control);
}

// True for ASCII characters in two bytes each, without a byte order mark.
bool is_utf16(std::string_view begin) {
    std::array<std::size_t, 2> zeros{};
    for (std::size_t i = 0; i < begin.size(); ++i) {
        zeros[i % 2] += begin[i] == '\0' ? 1 : 0;
    }
    const std::size_t units = begin.size() / 2;
    return units >= 2 && ((zeros[0] == units && zeros[1] == 0) || (zeros[0] == 0 && zeros[1] == units));
}

// The first two bytes are a multiple of 31; the first one names the method and the window (RFC 1950).
bool is_zlib(std::string_view begin) {
    if (begin.size() < 2) {
        return false;
    }
    const auto first = static_cast<unsigned char>(begin[0]);
    const auto second = static_cast<unsigned char>(begin[1]);
    return first == 0x78 && (first * 256 + second) % 31 == 0 && !is_text(begin);
}

// A safetensors file begins with a little-endian length of 8 bytes, then JSON.
bool is_safetensors(std::string_view begin) { return has(begin, 5, "\0\0\0{"sv); }

// Describes a whole file that is shorter than the mark it begins with.
std::optional<std::string> cut_off(std::string_view file) {
    constexpr std::pair<std::string_view, std::string_view> kLong[] = {{"\xFF\xD8\xFF", "a JPEG picture"},
                                                                       {"\x89PNG\r\n\x1a\n", "a PNG picture"}};
    for (const auto& [mark, kind] : kLong) {
        if (file.size() >= 2 && file.size() < mark.size() && mark.starts_with(file)) {
            return std::string(kind) + " cut off after " + std::to_string(file.size()) + " bytes";
        }
    }
    return std::nullopt;
}

bool is_pickle(std::string_view begin) {
    return begin.size() > 2 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5;
}

}  // namespace

std::optional<std::string> known_kind(std::string_view begin) {
    begin = begin.substr(0, kBegin);
    for (const Mark& mark : kMarks) {
        if (has(begin, mark.at, mark.bytes) && begin.starts_with(mark.first)) {
            return std::string(mark.kind);
        }
    }
    if (const std::string_view table = binary_table(begin); !table.empty()) {
        return std::string(table);
    }
    if (const std::string_view markup = markup_kind(begin); !markup.empty()) {
        return std::string(markup);
    }
    if (const std::string_view picture = unmarked_picture(begin); !picture.empty()) {
        return std::string(picture);
    }
    if (is_safetensors(begin)) {
        return std::string(kSafetensors);
    }
    if (is_pickle(begin)) {
        return "a Python pickle";
    }
    if (is_zlib(begin)) {
        return "zlib data";
    }
    if (is_utf16(begin)) {
        return "text in UTF-16";
    }
    if (begin.size() >= 16 && begin.find_first_not_of('\0') == begin.npos) {
        return "a file of zero bytes, as a crash or a failed copy leaves it";
    }
    return std::nullopt;
}

std::string describe_file(std::string_view begin, std::uint64_t bytes) {
    begin = begin.substr(0, kBegin);
    if (bytes == 0) {
        return "an empty file";
    }
    if (const auto cut = bytes == begin.size() ? cut_off(begin) : std::nullopt) {
        return *cut;
    }
    if (const auto known = known_kind(begin)) {
        return *known;
    }
    if (is_text(begin)) {
        constexpr std::size_t kShown = 24;
        const std::string_view line = begin.substr(0, begin.find_first_of("\r\n"));
        std::size_t shown = 0;
        while (shown < std::min(kShown, line.size())) {
            shown += character_bytes(line.substr(shown));
        }
        return "text that begins with '" + std::string(line.substr(0, shown)) + "'";
    }
    if (is_latin(begin)) {
        return "text in Latin-1 or a similar encoding";
    }
    std::string text;
    for (const char byte : begin.substr(0, 4)) {
        std::array<char, 4> hex = {};
        std::snprintf(hex.data(), hex.size(), "%02x ", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        text += hex.data();
    }
    return bytes == 1 ? "one byte, " + text + "(hex)"
                      : std::to_string(bytes) + " bytes that begin with " + text + "(hex)";
}

std::optional<NoText> find_no_text(std::string_view file) {
    if (const auto kind = known_kind(file)) {
        return NoText{0, *kind};
    }
    const std::size_t at = bytes_of_utf8(file);
    if (at == file.size()) {
        return std::nullopt;
    }
    std::array<char, 5> hex = {};
    std::snprintf(hex.data(), hex.size(), "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(file[at])));
    const std::string byte = std::string(" with byte ") + hex.data();
    // Windows-1252 has all letters of Latin-1 at the same places.
    return NoText{at, is_latin(file.substr(0, kBegin))
                          ? "text" + byte + ", as in Latin-1 (`iconv -f WINDOWS-1252 -t UTF-8` converts it)"
                          : "binary data" + byte};
}

}  // namespace sluice::file_kinds

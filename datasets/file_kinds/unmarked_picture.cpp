#include "unmarked_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::file_kinds {
namespace {

using namespace std::string_view_literals;

unsigned byte_at(std::string_view begin, std::size_t at) { return static_cast<unsigned char>(begin[at]); }

bool has_zeros(std::string_view begin, std::size_t at, std::size_t count) {
    return begin.size() >= at + count && begin.substr(at, count).find_first_not_of('\0') == begin.npos;
}

// "BM" alone may begin a text, so the zeros of a bitmap's header are checked too.
bool is_bitmap(std::string_view begin) { return begin.starts_with("BM") && has_zeros(begin, 6, 4); }

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// P and the variant, then width and height, with optional comments between them.
bool is_netpbm(std::string_view begin) {
    if (begin.starts_with("P7\nWIDTH ")) {
        return true;
    }
    if (begin.size() < 3 || begin[0] != 'P' || "123456Ff"sv.find(begin[1]) == begin.npos) {
        return false;
    }
    begin.remove_prefix(2);
    for (int number = 0; number < 2; ++number) {
        const std::size_t before = begin.size();
        while (!begin.empty() && (is_white(begin.front()) || begin.front() == '#')) {
            begin.remove_prefix(begin.front() == '#' ? std::min(begin.find('\n'), begin.size()) : 1);
        }
        const std::size_t digits = std::min(begin.find_first_not_of("0123456789"), begin.size());
        if (before == begin.size() || digits == 0) {
            return false;
        }
        begin.remove_prefix(digits);
    }
    return !begin.empty() && is_white(begin.front());
}

// Zeros, then 1 for an icon or 2 for a cursor, then their number; the fourth byte of each entry is zero.
bool is_icon(std::string_view begin) {
    return begin.size() >= 22 && (begin.starts_with("\0\0\1\0"sv) || begin.starts_with("\0\0\2\0"sv)) &&
           begin[4] != '\0' && begin[5] == '\0' && begin[9] == '\0';
}

// A line feed, the version, 1 for run-length coding, and the bits of a value. The 65th byte is reserved.
bool is_pcx(std::string_view begin) {
    return begin.size() > 64 && begin[0] == '\n' && byte_at(begin, 1) <= 5 && begin[2] == '\1' && begin[64] == '\0' &&
           "\1\2\4\x08"sv.find(begin[3]) != begin.npos;
}

// TGA has no magic bytes, so each field of its header has to have a valid value.
bool is_tga(std::string_view begin) {
    constexpr std::size_t kHead = 18;
    if (begin.size() < kHead) {
        return false;
    }
    const bool has_map = begin[1] == '\1';
    const bool is_map_right =
        has_map ? "\x0F\x10\x18\x20"sv.find(begin[7]) != begin.npos : begin[1] == '\0' && has_zeros(begin, 3, 5);
    const bool is_type_right = (has_map ? "\1\x09"sv : "\2\3\x0A\x0B"sv).find(begin[2]) != begin.npos;
    const bool has_size = !has_zeros(begin, 12, 2) && !has_zeros(begin, 14, 2);
    return is_map_right && is_type_right && has_size && "\x08\x0F\x10\x18\x20"sv.find(begin[16]) != begin.npos &&
           (byte_at(begin, 17) & 0xC0U) == 0;
}

}  // namespace

std::string_view unmarked_picture(std::string_view begin) {
    constexpr std::pair<bool (*)(std::string_view), std::string_view> kPictures[] = {
        {is_bitmap, "a BMP picture"}, {is_netpbm, "a PPM, PGM or PBM picture"},
        {is_icon, "an ICO picture"},  {is_pcx, "a PCX picture"},
        {is_tga, "a TGA picture"},
    };
    for (const auto& [is_kind, kind] : kPictures) {
        if (is_kind(begin)) {
            return kind;
        }
    }
    return {};
}

}  // namespace sluice::file_kinds

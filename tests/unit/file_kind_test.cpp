// Files named by what they are, for messages about files of the wrong kind.
#include "file_kinds/file_kind.hpp"

#include <gtest/gtest.h>

namespace sluice::file_kinds {
namespace {

using namespace std::string_view_literals;

TEST(FileKind, is_told_by_the_first_bytes) {
    const std::pair<std::string_view, std::string_view> kinds[] = {
        {"RIFF\x10\0\0\0WEBPVP8 "sv, "a WebP picture"},
        {"\0\0\0\x20"
         "ftypavif\0\0\0\0"sv,
         "an AVIF picture"},
        {"\0\0\0\x18"
         "ftypheic"sv,
         "a HEIC picture"},
        {"GIF89a\1\0"sv, "a GIF picture"},
        {"II*\0\x08\0\0\0"sv, "a TIFF picture"},
        {"BM\x36\0\0\0\0\0\0\0"sv, "a BMP picture"},
        {"\xFF\xD8\xFF\xE0"sv, "a JPEG picture"},
        {"\n <!DOCTYPE html><html>"sv, "an HTML page"},
        {"\xEF\xBB\xBF<HTML lang=en>"sv, "an HTML page"},
        {"<?xml version='1.0'?>"sv, "an XML document"},
        {"version https://git-lfs.github.com/spec/v1\n"sv,
         "a Git LFS pointer (`git lfs pull` fetches the file itself)"},
        {"\x1F\x8B\x08\0"sv, "gzip data"},
        {"x\x9C\x03\0"sv, "zlib data"},
        {"BZh91AY&SY"sv, "bzip2 data"},
        {"\xFF\xFEi\0m\0"sv, "text in UTF-16"},
        {"\0i\0m\0a"sv, "text in UTF-16"},
        {"\x40\0\0\0\0\0\0\0{\"a"sv, "a safetensors file"},
        {"\x80\x02}q"sv, "a Python pickle"},
    };
    for (const auto& [begin, kind] : kinds) {
        EXPECT_EQ(known_kind(begin), kind);
        EXPECT_EQ(describe_file(begin, 1000), kind);
    }
    EXPECT_EQ(known_kind(std::string(600, '\0')), "a file of zero bytes, as a crash or a failed copy leaves it");
}

// Such as what a table or a pipeline may begin with.
TEST(FileKind, of_plain_text_is_unknown) {
    for (const std::string_view text :
         {"image,label\n"sv, "BM,BMW,label"sv, "BZhang,label"sv, "PAR1,PAR2"sv, "x^2,label"sv, "RIFF, WAVEWEBP"sv,
          "id,ftypical"sv, "GIF file,label"sv, "MM,II"sv, "\xEF\xBB\xBF# \xC3\xA4\n"sv, "a"sv, ""sv}) {
        EXPECT_EQ(known_kind(text), std::nullopt) << text;
    }
}

TEST(FileKind, that_is_unknown_is_shown_by_its_beginning) {
    EXPECT_EQ(describe_file("", 0), "an empty file");
    EXPECT_EQ(describe_file("dear diary\nit rains", 19), "text that begins with 'dear diary'");
    EXPECT_EQ(describe_file("01234567890123456789012\xC3\xA4\xC3\xA4", 27),
              "text that begins with '01234567890123456789012\xC3\xA4'");

    EXPECT_EQ(describe_file("\x01\x02\xFF\x04\x05", 70000), "70000 bytes that begin with 01 02 ff 04 (hex)");
}

}  // namespace
}  // namespace sluice::file_kinds

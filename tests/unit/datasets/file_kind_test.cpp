// Recognition of file kinds, for messages about files of the wrong kind.
#include "file_kinds/file_kind.hpp"

#include <gtest/gtest.h>

namespace sluice::file_kinds {
namespace {

using namespace std::string_view_literals;

TEST(FileKind, is_recognised_by_the_first_bytes) {
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
        {"\n <!DOCTYPE html><html>"sv, "an HTML page (a download has to fetch the file itself)"},
        {"\xEF\xBB\xBF<HTML lang=en>"sv, "an HTML page (a download has to fetch the file itself)"},
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
        {"\0\0\1\0\2\0\x10\x10\0\0\1\0\x20\0\x68\4\0\0\x26\0\0\0"sv, "an ICO picture"},
        {"P6\n640 480\n255\n\xFF\xFE"sv, "a PPM, PGM or PBM picture"},
        {"P5 # made by hand\n#\n2\t3\n255\n"sv, "a PPM, PGM or PBM picture"},
        {"P7\nWIDTH 4\n"sv, "a PPM, PGM or PBM picture"},
        {"DDS \x7C\0\0\0\7\x10"sv, "a DDS picture"},
        {"\0\0\2\0\0\0\0\0\0\0\0\0\x10\0\x10\0\x18\0\1\2\3"sv, "a TGA picture"},
        {"\5\1\1\0\0\0\1\x18\0\0\0\0\x10\0\x10\0\x08\x20"sv, "a TGA picture"},
        {"\0\0\x08\3\0\0\xEA\x60"sv, "an IDX file, as MNIST has them"},
        {"/annex/objects/MD5-s1--a\n"sv, "a git-annex pointer (`git annex get` fetches the file itself)"},
        {"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\0\x10JFIF"sv,
         "a file of bytes that was saved as text (copy it again, in binary mode)"},
    };
    for (const auto& [begin, kind] : kinds) {
        EXPECT_EQ(known_kind(begin), kind);
        EXPECT_EQ(describe_file(begin, 1000), kind);
    }
    EXPECT_EQ(known_kind(std::string(600, '\0')), "a file of zero bytes, as a crash or a failed copy leaves it");
}

// A server may send such a document instead of a file.
TEST(FileKind, of_markup_is_recognised_after_spaces_and_comments) {
    const std::string_view html = "an HTML page (a download has to fetch the file itself)";
    for (const std::string_view begin :
         {"<head>"sv, "<body class='a'>"sv, "<!-- saved -->\n<!---->\r\n<HTML>"sv, "<!-- a --><!doctype html>"sv,
          "<title>404</title>"sv, "<h1>Not Found</h1>"sv, "<SCRIPT src=a>"sv, "<meta charset=a>"sv, "<p\n>"sv,
          "<br/>"sv, "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC>"sv,
          "<?xml version='1.0'?><!-- a --><html xmlns='a'>"sv}) {
        EXPECT_EQ(known_kind(begin), html) << begin;
    }
    for (const std::string_view begin : {"<?xml version='1.0'?><Error>"sv, "<?xml"sv, "<?xml version='1.0"sv,
                                         "<!-- a drawing --><svg>"sv, "<svg xmlns=''>"sv, "<!DOCTYPE svg>"sv}) {
        EXPECT_EQ(known_kind(begin), "an XML document") << begin;
    }
    EXPECT_EQ(known_kind("<!-- " + std::string(600, 'a')), "an HTML or XML document");
    for (const std::string_view text : {"<path>"sv, "<x>,label"sv, "<!-- a --> text"sv, "<"sv, "< head>"sv}) {
        EXPECT_EQ(known_kind(text), std::nullopt) << text;
    }
}

TEST(FileKind, of_a_table_or_an_array_is_recognised) {
    const std::pair<std::string_view, std::string_view> kinds[] = {
        {"PAR1\x15\4\x15"sv, "a Parquet file"},
        {"PAR1\x2c\0\0\0\xA1"sv, "a Parquet file"},
        {"PARE\x15\0"sv, "an encrypted Parquet file"},
        {"ARROW1\0\0\xFF\xFF\xFF\xFF"sv, "an Arrow file"},
        {"FEA1\0\0\0\0"sv, "a Feather file"},
        {"ORC\x0A\3\0\0"sv, "an ORC file"},
        {"Obj\1\4"sv, "an Avro file"},
        {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
        {"\x93NUMPY\1\0v\0{}"sv, "a NumPy array"},
        {"PK\3\4\x14\0"sv, "a ZIP archive (also .npz, .xlsx and PyTorch's .pt)"},
        {"MATLAB 5.0 MAT-file, Platform: GLNXA64"sv, "a MATLAB file"},
        {"\x8AMNG\r\n\x1a\n"sv, "an MNG animation"},
        {"FUJIFILMCCD-RAW 0201"sv, "a raw photograph of a Fujifilm camera"},
    };
    for (const auto& [begin, kind] : kinds) {
        EXPECT_EQ(known_kind(begin), kind);
    }
}

// A transfer replaced CR LF by LF, or LF by CR LF, cleared the highest bits, or made each byte a character.
TEST(FileKind, of_a_harmed_png_is_recognised) {
    for (const std::string_view begin :
         {"\x89PNG\n\x1a\n\0\0\0\rIHDR"sv, "\x89PNG\r\r\n\x1a\r\n\0"sv, "\x89PNG\r\n\x1a\r\n\0\0"sv,
          "\tPNG\r\n\x1a\n"sv, "\xC2\x89PNG\r\n\x1a\n"sv, "\xEF\xBF\xBDPNG\r\n\x1a\n"sv}) {
        EXPECT_EQ(describe_file(begin, 1000),
                  "a PNG picture harmed by a transfer in text mode (copy it again, in binary mode)");
    }
    EXPECT_EQ(known_kind("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv), "a PNG picture");
}

TEST(FileKind, of_a_file_that_was_cut_off_at_once_is_recognised) {
    EXPECT_EQ(describe_file("\xFF\xD8", 2), "a JPEG picture cut off after 2 bytes");
    EXPECT_EQ(describe_file("\x89PNG\r", 5), "a PNG picture cut off after 5 bytes");
    EXPECT_EQ(describe_file("\xFF\xD8", 600), "600 bytes that begin with ff d8 (hex)");
    EXPECT_EQ(describe_file("\xFF", 1), "one byte, ff (hex)");
}

TEST(FileKind, of_pcx_is_recognised_by_its_whole_head) {
    std::string head("\n\5\1\x08", 4);
    head.resize(128);
    EXPECT_EQ(known_kind(head), "a PCX picture");
    EXPECT_EQ(known_kind("\n\5\1\x08"), std::nullopt);
}

// A table or a pipeline may begin with such text.
TEST(FileKind, of_plain_text_is_unknown) {
    for (const std::string_view text : {"image,label\n"sv,
                                        "BM,BMW,label"sv,
                                        "BZhang,label"sv,
                                        "PAR1,PAR2"sv,
                                        "PARENT,label"sv,
                                        "ORCA,label"sv,
                                        "x^2,label"sv,
                                        "RIFF, WAVEWEBP"sv,
                                        "id,ftypical"sv,
                                        "GIF file,label"sv,
                                        "MM,II"sv,
                                        "P5,label\n"sv,
                                        "P1 12,P2 13\n"sv,
                                        "P6 12 13,a"sv,
                                        "PNG,label"sv,
                                        "DDS 1,label"sv,
                                        "\nimage,label"sv,
                                        "\xEF\xBB\xBF# \xC3\xA4\n"sv,
                                        "a"sv,
                                        ""sv}) {
        EXPECT_EQ(known_kind(text), std::nullopt) << text;
    }
}

TEST(FileKind, that_is_unknown_is_shown_by_its_beginning) {
    EXPECT_EQ(describe_file("", 0), "an empty file");
    EXPECT_EQ(describe_file("dear diary\nit rains", 19), "text that begins with 'dear diary'");
    EXPECT_EQ(describe_file("01234567890123456789012\xC3\xA4\xC3\xA4", 27),
              "text that begins with '01234567890123456789012\xC3\xA4'");

    EXPECT_EQ(describe_file("ein Caf\xE9", 8), "text in Latin-1 or a similar encoding");
    EXPECT_EQ(describe_file("\x01\x02\xFF\x04\x05", 70000), "70000 bytes that begin with 01 02 ff 04 (hex)");
}

// UTF-8 has no overlong forms, no halves of surrogate pairs, and nothing after the last character.
TEST(FileKind, of_what_is_no_text_in_utf8_is_reported_with_its_place) {
    EXPECT_FALSE(
        find_no_text("\xEF\xBB\xBF"
                     "a,\xC3\xA4,\xE0\xA0\x80\xED\x9F\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
    const std::string long_text(1000, 'a');
    for (const std::string_view wrong : {"\xE9"sv, "\x80"sv, "\xC0\x80"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv,
                                         "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv, "\xF8"sv, "\xC3("sv}) {
        const auto found = find_no_text(long_text + std::string(wrong) + long_text);
        ASSERT_TRUE(found) << wrong;
        EXPECT_EQ(found->at, 1000U);
        EXPECT_NE(found->kind.find("as in Latin-1 (`iconv -f WINDOWS-1252 -t UTF-8` converts it)"), std::string::npos);
    }
    EXPECT_EQ(find_no_text("a\xE9")->kind,
              "text with byte 0xe9, as in Latin-1 (`iconv -f WINDOWS-1252 -t UTF-8` converts it)");
    EXPECT_EQ(find_no_text("a\x01\xFF\x02")->kind, "binary data with byte 0xff");
    EXPECT_EQ(find_no_text("GIF89a")->kind, "a GIF picture");
}

}  // namespace
}  // namespace sluice::file_kinds

// How the source `csv_images` reads the text of its file: what it accepts, and messages about defects.
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

class CsvText : public SourceTest {
protected:
    void SetUp() override {
        SourceTest::SetUp();
        for (const char* picture : {"a.png", "b.png", "c, d.png", "say \"e\".png"}) {
            write(picture, "pixels");
        }
    }
    static std::vector<Made> read(const std::string& text) {
        write("t.csv", text);
        return samples(kSource);
    }
    static void expect_refusal(const std::string& text, std::initializer_list<std::string_view> parts) {
        write("t.csv", text);
        expect_contains(refusal(kSource), parts);
    }

    static constexpr const char* kSource = R"(use = "csv_images", file = "t.csv")";
    const std::vector<Made> both_{{"a.png", 0}, {"b.png", 1}};
};

TEST_F(CsvText, line_ends_a_byte_order_mark_and_empty_lines_do_not_matter) {
    EXPECT_EQ(read("image,label\na.png,cat\nb.png,dog\n"), both_);
    EXPECT_EQ(read("image,label\na.png,cat\nb.png,dog"), both_);
    EXPECT_EQ(read("image,label\r\na.png,cat\r\nb.png,dog\r\n\r\n"), both_);
    EXPECT_EQ(read("\xEF\xBB\xBFimage,label\na.png,cat\n\nb.png,dog\n\n"), both_);
}

TEST_F(CsvText, columns_are_found_by_name) {
    EXPECT_EQ(read("label,weight,image\ncat,1.5,a.png\ndog,,b.png\n"), both_);
}

TEST_F(CsvText, quoted_cells_hold_commas_quotes_and_line_ends) {
    const std::vector<Made> made = read("\"image\",label\n\"c, d.png\",\"a\nb\"\n\"say \"\"e\"\".png\",\"a\r\nb\"\r\n");
    EXPECT_EQ(made, (std::vector<Made>{{"c, d.png", 0}, {"say \"e\".png", 1}}));
    // A line break inside a cell counts as a line, too.
    expect_refusal("image,label\na.png,\"one\ntwo\"\nb.png\n", {"3 ", "t.csv:4: 1 cell, ", "2 columns"});
}

TEST_F(CsvText, wrong_number_of_cells) {
    expect_refusal("image,label\na.png,cat\nb.png,dog,brown\n", {"3 ", "t.csv:3: 3 cells, ", "2 columns"});
    expect_refusal("image,label\na.png\n", {"3 ", "t.csv:2: 1 cell, "});
}

TEST_F(CsvText, broken_quotes) {
    expect_refusal("image,label\na.png,\"cat\nb.png,dog\n", {"3 ", "t.csv:2: a quote opens a cell, and none closes"});
    expect_refusal("image,label\na.png,c\"at\"\n", {"3 ", "t.csv:2: a quote inside a cell"});
    expect_refusal("image,label\na.png,\"cat\" \n", {"3 ", "t.csv:2: a quoted cell continues"});
}

TEST_F(CsvText, no_text_of_lines) {
    expect_refusal("image,label\ra.png,cat\r", {"3 ", "t.csv:1: a carriage return"});
    expect_refusal(std::string("i\0m,\0l", 6), {"3 ", "t.csv:1: ", "zero byte"});
    expect_refusal("", {"3 ", "t.csv:1: the file is empty"});
    expect_refusal("image,label\n\n", {"3 ", "t.csv:1: there are no rows below"});
}

TEST_F(CsvText, other_files_are_named) {
    expect_refusal(std::string("i\0m\0", 4), {"3 ", "t.csv:1: not a CSV file but text in UTF-16"});
    expect_refusal("PK\x03\x04 sheet", {"3 ", "t.csv:1: not a CSV file but a ZIP archive (also .npz, .xlsx"});
    expect_refusal("version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
                   {"3 ", "t.csv:1: not a CSV file but a Git LFS pointer (`git lfs pull` fetches the file itself)"});
    expect_refusal("<!DOCTYPE html>\n<html>", {"not a CSV file but an HTML page (a download has to fetch the file"});
    expect_refusal("image,label\na.png,cat\nb.png,caf\xE9\n",
                   {"3 ", "t.csv:3: not a CSV file but text with byte 0xe9, as in Latin-1 (`iconv"});
    expect_refusal("image,label\na.png,\x01\xFF\n", {"3 ", "t.csv:2: not a CSV file but binary data with byte 0xff"});
}

TEST_F(CsvText, missing_columns_are_named_with_those_that_are_there) {
    expect_refusal("image,category\na.png,1\n",
                   {"2 ", "t.csv:1: no column 'label' for option 'label'", "'image', 'category'"});
    expect_refusal("picture;label\na.png;1\n",
                   {"2 ", "no column 'image'", "the columns are 'picture;label'; commas separate the cells of a line"});
    expect_refusal("image,image,label\na.png,a.png,1\n", {"2 ", "two columns 'image'"});
}

TEST_F(CsvText, no_file) {
    expect_contains(refusal(kSource), {"2 ", "option 'file': 't.csv'", "No such file", "current folder: "});
    expect_contains(refusal(R"(use = "csv_images", file = ".")"), {"2 ", "option 'file': '.' is a folder"});
}

}  // namespace
}  // namespace sluice::data

// Class lists of `csv_images` that are probably mistakes, and pictures whose names are not quite right.
#include <optional>

#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

class CsvClassNames : public SourceTest {
protected:
    static std::string source(const std::string& file) { return R"(use = "csv_images", file = ")" + file + "\""; }

    void SetUp() override {
        SourceTest::SetUp();
        log_.emplace();
    }
    // Returns the log about a table with these labels. Each call needs a new file name, since a line is logged once.
    std::string logged(const std::string& file, const std::vector<std::string>& labels, const std::string& more = "") {
        std::string text = "image,label\n";
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const std::string picture = std::to_string(i) + ".png";
            write(picture, "pixels");
            text.append(picture).append(",").append(labels[i]).append("\n");
        }
        write(file, text);
        samples(source(file) + more);
        samples(source(file) + more);
        return log_->take();
    }
    static void expect_once(const std::string& text, const std::string& line) {
        EXPECT_NE(text.find(line), std::string::npos) << "'" << line << "' is missing in " << text;
        EXPECT_EQ(text.find(line), text.rfind(line)) << text;
    }
    static void expect_no_warning(const std::string& text) { EXPECT_EQ(text.find(" W "), std::string::npos) << text; }

private:
    std::optional<CapturedLog> log_;  // a single one, since each adds the file to the log again
};

TEST_F(CsvClassNames, are_logged_with_their_numbers_and_counts) {
    const std::string text = logged("names.csv", {"cat", "dog", "cat", "owl"});
    expect_once(text, "names.csv: class 0 is 'cat' (2 lines), 1 'dog' (1), 2 'owl' (1)");
    expect_no_warning(text);
    std::vector<std::string> many;
    for (int i = 0; i < 30; ++i) {
        many.push_back(std::to_string(i));
    }
    expect_once(logged("many.csv", many), ", 19 '19' (1) and 10 more");
}

TEST_F(CsvClassNames, that_differ_in_spaces_or_case_are_warned_of) {
    expect_once(logged("space.csv", {"cat", "dog", "cat ", "cat"}),
                "classes 'cat' (2 lines), 'cat ' (1 line) differ only in spaces, letter case, Unicode form");
    expect_once(logged("case.csv", {"Cat", "dog", "cat"}), "classes 'Cat' (1 line), 'cat' (1 line) differ only in");
    expect_once(logged("form.csv", {"caf\xC3\xA9", "cafe\xCC\x81"}), "differ only in spaces, letter case, Unicode");
    expect_once(logged("wide.csv", {"cat", "cat\xC2\xA0"}), "'cat' (1 line), 'cat<U+00A0>' (1 line) differ only in");
    expect_once(logged("none.csv", {"dog", "dog\xE2\x80\x8B"}), "'dog' (1 line), 'dog<U+200B>' (1 line) differ only");
    expect_once(logged("number.csv", {"1", "1.0", "2"}), "'1' (1 line), '1.0' (1 line) differ only in");
    expect_no_warning(logged("inside.csv", {"black cat", "blackcat", "1", "11", "1e-9", "2e-9"}));
    const std::string space = logged("one_space.csv", {"cat", " "});
    EXPECT_EQ(space.find("begins or ends"), std::string::npos) << "one message about a mistake is enough: " << space;
    expect_once(logged("alone.csv", {" dog", "cat", " dog"}), "class ' dog' (2 lines) begins or ends with a space");
}

TEST_F(CsvClassNames, that_mean_no_class_are_warned_of) {
    expect_once(logged("nan.csv", {"cat", "NaN", "dog", "NaN"}),
                "class 0 is 'NaN' (2 lines), which programs write for a missing value");
    expect_once(logged("null.csv", {"cat", "null"}), "class 1 is 'null' (1 line), which programs write");
    const std::string negative = logged("negative.csv", {"-1", "0", "1", "-1"});
    expect_once(negative, "class 0 is '-1' (2 lines); it does not stand for a loss's ignore_label");
}

TEST_F(CsvClassNames, that_are_doubtful_are_named_in_part) {
    const std::string text = logged("much.csv", {"-1", "-2", "-3", "-4", "-5", "-6", "-7", "0"});
    expect_once(text, "class 0 is '-7' (1 line);");
    expect_once(text, "much.csv: 2 more class names are doubtful in these ways");
    EXPECT_EQ(text.find("'-1' (1 line);"), std::string::npos) << text;
}

TEST_F(CsvClassNames, that_were_given_are_meant) {
    expect_no_warning(logged("given.csv", {"-1", "NaN", "nan"}, R"(, classes = ["NaN", "nan", "-1"])"));
    write("given2.csv", "image,label\n0.png,cat\n1.png,cat \n");
    expect_contains(refusal(source("given2.csv") + R"(, classes = ["cat"])"),
                    {"3 ", "given2.csv:3: class 'cat ' is not in option 'classes', but 'cat' is: remove the spaces"});
}

TEST_F(CsvClassNames, that_are_empty_are_counted) {
    write("empty.csv", "image,label\n0.png,cat\n1.png,\n2.png,\n");
    expect_contains(refusal(source("empty.csv")),
                    {"3 ", "empty.csv:3: the cell of the class is empty, in 2 lines of the file"});
}

TEST_F(CsvClassNames, of_pictures_that_are_missing_come_with_the_nearest_name) {
    write("img/0.png", "pixels");
    write("img/B.png", "pixels");
    const std::string with_folder = source("t.csv") + R"(, folder = "img")";
    write("t.csv", "image,label\n0,cat\n");
    expect_contains(refusal(with_folder), {"3 ",
                                           "t.csv:2: there is no file 'img/0'; 'img/0.png' is there: write names "
                                           "with their suffix"});
    write("t.csv", "image,label\nb.png,cat\n");
    expect_contains(refusal(with_folder), {"3 ", "'img/b.png'; the name of 'img/B.png' differs only in letter case"});
    write("img/cafe\xCC\x81/0.png", "pixels");
    write("t.csv", "image,label\ncaf\xC3\xA9/0.png,cat\n");
    expect_contains(refusal(with_folder),
                    {"3 ", "the name of 'img/cafe\xCC\x81/0.png' differs only in its Unicode form (NFC or NFD)"});
    write("t.csv", "image,label\nimg/0.png,cat\n");
    expect_contains(refusal(with_folder), {"there is no file 'img/img/0.png'; 'img/0.png' is there: folder = \".\""});
    write("t.csv", "image,label\n" + std::string(300, 'a') + ",cat\n");
    expect_contains(refusal(source("t.csv")), {"3 ", "cannot be read: File name too long"});
}

}  // namespace
}  // namespace sluice::data

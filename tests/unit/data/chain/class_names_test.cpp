// Names of classes that sources report: the fields that still have them after a map, and what messages say.
#include "data/chain/class_names.hpp"

#include "unit/datasets/records_test_files.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using Names = std::vector<std::string>;

class ClassNamesOfSources : public SourceTest {
protected:
    void write_list(const std::string& file, const Names& classes) {
        std::string text = "image,label\n";
        for (std::size_t i = 0; i < classes.size(); ++i) {
            write(std::to_string(i) + ".png", "pixels");
            text += std::to_string(i) + ".png," + classes[i] + "\n";
        }
        write(file, text);
    }
    static std::string csv(const std::string& file) { return R"({ use = "csv_images", file = ")" + file + "\" }"; }
    static ClassNames names(const std::string& source, const std::string& map = "") {
        return make_chain("source = " + source + "\nmap = [" + map + "]").class_names();
    }
    // Returns a file of records with one sample of class 1.
    static std::string shard(const std::string& manifest) {
        const std::vector<records::FieldLayout> fields{
            {.name = "label", .role = SLUICE_FIELD_CLASS, .spec = records::spec_of(kInt64, {})}};
        const std::int64_t label = 1;
        records::TextSink sink;
        records::ShardWriter writer(sink, fields);
        writer.add(records::pack_sample(
            "x.jpg", fields, {{.spec = fields[0].spec, .bytes = reinterpret_cast<const std::uint8_t*>(&label)}}));
        writer.finish(manifest);
        return sink.text;
    }
};

TEST_F(ClassNamesOfSources, are_in_the_order_of_their_numbers) {
    write_list("a.csv", {"owl", "cat", "owl", "dog"});
    EXPECT_EQ(names(csv("a.csv")), (ClassNames{{"label", {"cat", "dog", "owl"}}}));
    EXPECT_EQ(names(R"({ use = "csv_images", file = "a.csv", classes = ["owl", "ant", "dog", "cat"] })"),
              (ClassNames{{"label", {"owl", "ant", "dog", "cat"}}}));
}

TEST_F(ClassNamesOfSources, that_are_no_plain_text_are_escaped) {
    write_list("a.csv", {"b\tc", "a\tb"});
    EXPECT_EQ(names(csv("a.csv")), (ClassNames{{"label", {R"(a\u0009b)", R"(b\u0009c)"}}}));
}

TEST_F(ClassNamesOfSources, stay_if_a_map_does_not_renumber) {
    write_list("a.csv", {"cat", "dog"});
    const ClassNames both{{"label", {"cat", "dog"}}};
    EXPECT_EQ(names(csv("a.csv"), R"({ use = "decode" }, { use = "one_hot", classes = 2 })"), both);
    EXPECT_EQ(names(csv("a.csv"), R"({ use = "label_map", to = [1, 0] })"), ClassNames());
}

TEST_F(ClassNamesOfSources, are_in_what_a_transform_says_of_a_class) {
    write_list("a.csv", {"ant", "bee", "cat"});
    const auto failure = [&](const std::string& map) {
        const Chain chain = make_chain("source = " + csv("a.csv") + "\nmap = [" + map + "]");
        return error_of([&] { Chain::Worker(chain).make(0, 2); });
    };
    const std::string name = "; field 'label' is 2 ('cat')";
    expect_contains(failure(R"({ use = "one_hot", classes = 2 })"), {"'label' is 2; ", name});
    expect_contains(failure(R"({ use = "label_map", to = [0, 1] })"), {"'label' has class 2", name});
    expect_contains(failure(R"({ use = "decode" })"), {name});
}

TEST_F(ClassNamesOfSources, are_in_what_is_said_of_a_label) {
    write_list("a.csv", {"ant", "bee", "cat"});
    const Chain chain = make_chain("source = " + csv("a.csv"));
    const auto error_with = [&](const registry::LabelRange& range) {
        Loader loader(chain, {.batch = 3, .workers = 1, .fields = {"label"}});
        loader.expect_labels({{"label", "loss 'x'", range}});
        return error_of([&] { loader.next(); });
    };
    expect_contains(error_with({.classes = 2, .ignored = 9}),
                    {"field 'label' is 2 ('cat'); loss 'x' takes classes 0 to 1 ('ant' to 'bee') and 9, which"});
    config::StreamSpec spec = stream_spec("source = " + csv("a.csv"));
    spec.sampling.use = config::SamplingKind::classes;
    spec.sampling.weights = {1.0, 2.0};
    expect_contains(error_of([&] { Chain(spec, test_registry(), 1, "data.train"); }),
                    {"sampling.weights has 2 weights; the greatest class is 2 ('cat')"});
}

TEST_F(ClassNamesOfSources, of_prepared_files_are_those_of_their_manifests) {
    write("r/a.records", shard(R"({"inputs":{},"number":0,"class_names":{"label":["cat","dog"]}})"));
    write("r/b.records", shard(R"({"inputs":{},"number":1})"));
    const std::string source = R"({ use = "records", path = "r" })";
    EXPECT_EQ(names(source), (ClassNames{{"label", {"cat", "dog"}}}));
    const CapturedLog log;
    write("r/b.records", shard(R"({"class_names":{"label":["cat","owl"],"more":["x"]}})"));
    EXPECT_EQ(names(source), ClassNames());
    expect_contains(log.take(), {"class 1 of field 'label' is 'dog' in r/a.records and 'owl' in r/b.records"});
}

// Any program may have written the manifest.
TEST_F(ClassNamesOfSources, of_a_manifest_that_has_none_are_none) {
    for (const char* const manifest :
         {"", "{}", "[]", "no JSON", "{\"class_names\":", R"({"class_names":7})", R"({"class_names":["cat"]})",
          R"({"class_names":{"label":"cat"}})", R"({"class_names":{"label":[]}})", R"({"class_names":{"label":[7]}})",
          R"({"class_names":{"label":["", "cat"]}})", "{\"class_names\":{\"label\":[\"\xe9\"]}}"}) {
        write("r/a.records", shard(manifest));
        EXPECT_EQ(names(R"({ use = "records", path = "r" })"), ClassNames()) << manifest;
    }
}

TEST_F(ClassNamesOfSources, that_differ_between_sources_are_left_out) {
    write("r/a.records", shard(R"({"class_names":{"label":["cat","dog","owl"]}})"));
    write("s/a.records", shard(R"({"class_names":{"label":["cat","dog"]}})"));
    write("t/a.records", shard(R"({"class_names":{"label":["cat","owl"]}})"));
    write("u/a.records", shard("{}"));
    const auto from = [&](const std::string& folders) {
        std::string sources;
        for (const char folder : folders) {
            sources += std::string(R"({ use = "records", path = ")") + folder + "\" }, ";
        }
        return names("[" + sources + "]");
    };
    const CapturedLog log;
    for (const char* const order : {"sru", "rsu", "urs"}) {
        EXPECT_EQ(from(order), (ClassNames{{"label", {"cat", "dog", "owl"}}})) << order;
    }
    EXPECT_EQ(log.take().find(" W "), std::string::npos);
    const CapturedLog again;
    EXPECT_EQ(from("stu"), ClassNames());
    expect_contains(again.take(), {" W test.toml:1:", "class 1 of field 'label' is 'owl' in source 'records' but 'dog'",
                                   "class names are neither shown nor saved"});
}

TEST(ClassNames, differ_at_the_first_number_with_another_name) {
    const ClassNames two{{"label", {"cat", "dog"}}};
    EXPECT_FALSE(find_difference(two, two));
    EXPECT_FALSE(find_difference(two, {}));
    EXPECT_FALSE(find_difference(two, {{"other", {"x"}}}));
    const auto other = find_difference(two, {{"label", {"cat", "owl"}}});
    ASSERT_TRUE(other);
    EXPECT_EQ(other->number, 1U);
    EXPECT_EQ(other->first, "dog");
    EXPECT_EQ(other->second, "owl");
    const auto fewer = find_difference({{"label", {"cat"}}}, two);
    ASSERT_TRUE(fewer);
    EXPECT_EQ(fewer->first, "");
    EXPECT_EQ(fewer->second, "dog");
    const auto conflict = find_conflict({{"a", {"cat"}}, {"b", {"x"}}}, {{"a", {"cat", "dog"}}, {"b", {"y"}}});
    ASSERT_TRUE(conflict);
    EXPECT_EQ(conflict->field, "b");
    EXPECT_FALSE(find_conflict({{"label", {"cat"}}}, two));
}

TEST(ClassNames, are_the_same_after_JSON) {
    const ClassNames names{{"label", {"cat", "\"dog\"", "\xc3\xa9lan"}}, {"kind", {"a"}}};
    const auto read = class_names_of(to_json(names));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, names);
    for (const char* const wrong : {"", "[]", "{\"a\":[]}", "{\"a\":[\"\"]}", "{\"a\":[1]}", R"({"a":["\n"]})"}) {
        EXPECT_FALSE(class_names_of(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace sluice::data

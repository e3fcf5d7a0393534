// `include`: which value wins, the origin that values report, and messages about a wrong `include`.
#include "config/include.hpp"
#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

TEST_F(ConfigTest, config_merges_tables_key_by_key_and_replaces_arrays) {
    write("base.toml", kShortest);
    const PipelineSpec spec = load("include = \"base.toml\"\n[data]\nprefetch = 3\n[data.train]\nmap = []\n");
    EXPECT_EQ(spec.data.batch, 4);
    EXPECT_EQ(spec.data.prefetch, 3);
    EXPECT_EQ(spec.data.train.sources[0].component.use, "dead_leaves");
    EXPECT_TRUE(spec.data.train.map.empty());
}

TEST_F(ConfigTest, config_values_come_from_where_they_were_last_written) {
    write("parts/base.toml", kShortest);
    const PipelineSpec spec = load("include = \"parts/base.toml\"\n[data]\nworkers = 2\n", {"seed=9"});
    EXPECT_EQ(to_string(origin_of(spec.resolved, "data.batch")), "parts/base.toml:3:1");
    EXPECT_EQ(to_string(origin_of(spec.resolved, "data.workers")), "a.toml:3:1");
    EXPECT_EQ(to_string(origin_of(spec.resolved, "data.prefetch")), "default");
    EXPECT_EQ(to_string(origin_of(spec.resolved, "seed")), "--set seed=9");
}

TEST_F(ConfigTest, config_includes_are_relative_to_the_including_file) {
    write("parts/inner/base.toml", kShortest);
    write("parts/middle.toml", "include = \"inner/base.toml\"\nseed = 5\n");
    EXPECT_EQ(load("include = \"parts/middle.toml\"\n").seed, 5);
}

TEST_F(ConfigTest, config_later_includes_go_over_earlier_ones) {
    write("base.toml", kShortest);
    write("one.toml", "seed = 1\n[train]\nepochs = 7\n");
    write("two.toml", "seed = 2\n");
    const PipelineSpec spec = load("include = [\"base.toml\", \"one.toml\", \"two.toml\"]\n");
    EXPECT_EQ(spec.seed, 2);
    EXPECT_EQ(spec.train.epochs, 7);
}

TEST_F(ConfigTest, config_another_component_does_not_inherit_options) {
    write("base.toml", kShortest + "rate = 0.5\nbeta1 = 0.8\n");
    const PipelineSpec spec = load(
        "include = \"base.toml\"\n[optimizer]\nuse = \"sgd\"\nmomentum = 0.9\n"
        "[data.train]\nsource = { use = \"photos\", folder = \"f\" }\n");
    EXPECT_EQ(spec.rate, 0.5);
    ASSERT_EQ(spec.optimizer.options.entries().size(), 1u);
    EXPECT_EQ(spec.optimizer.options.entries()[0].first, "momentum");
    ASSERT_EQ(spec.data.train.sources[0].component.options.entries().size(), 1u);
    EXPECT_EQ(spec.data.train.sources[0].component.options.entries()[0].first, "folder");
}

TEST_F(ConfigTest, config_the_same_component_inherits_options) {
    write("base.toml", kShortest);
    const PipelineSpec spec =
        load("include = \"base.toml\"\n[data.train]\nsource = { use = \"dead_leaves\", size = [8, 8] }\n");
    EXPECT_NE(spec.data.train.sources[0].component.options.find("count"), nullptr);
    EXPECT_NE(spec.data.train.sources[0].component.options.find("size"), nullptr);
}

TEST_F(ConfigTest, config_a_missing_include_names_the_nearest_file_and_the_way_there) {
    write("parts/base.toml", kShortest);
    write("parts/middle.toml", "seed = 1\ninclude = \"bsae.toml\"\n");
    EXPECT_EQ(refusal("include = \"parts/middle.toml\"\n"),
              "parts/middle.toml:2:1: cannot include \"bsae.toml\": there is no file parts/bsae.toml; did you mean "
              "'base.toml'?\n  included from a.toml:1:1");
}

TEST_F(ConfigTest, config_an_include_cycle_is_refused) {
    write("b.toml", "include = \"c.toml\"\n");
    write("c.toml", "\ninclude = \"a.toml\"\n");
    EXPECT_EQ(refusal("include = \"b.toml\"\n"),
              "c.toml:2:1: cannot include \"a.toml\": that file includes this one\n  included from b.toml:1:1\n  "
              "included from a.toml:1:1");
}

TEST_F(ConfigTest, config_a_file_that_includes_itself_is_named_as_such) {
    EXPECT_EQ(refusal("include = \"a.toml\"\n"), "a.toml:1:1: cannot include \"a.toml\": this is the file itself");
}

TEST_F(ConfigTest, config_a_file_may_be_included_twice_without_a_cycle) {
    write("base.toml", kShortest);
    write("one.toml", "include = \"base.toml\"\n");
    write("two.toml", "include = \"base.toml\"\nseed = 2\n");
    EXPECT_EQ(load("include = [\"one.toml\", \"two.toml\"]\n").seed, 2);
}

TEST_F(ConfigTest, config_a_syntax_error_in_an_include_shows_the_way_there) {
    write("base.toml", "seed = = 1\n");
    const std::string message = refusal("include = \"base.toml\"\n");
    EXPECT_EQ(message.find("base.toml:1:8: "), 0u) << message;
    EXPECT_NE(message.find("\n  included from a.toml:1:1"), std::string::npos) << message;
}

TEST_F(ConfigTest, config_include_is_a_name_or_names) {
    EXPECT_EQ(refusal("include = 3\n"),
              "a.toml:1:1: include is an integer (3); a file's name, or an array of them, is needed");
    write("base.toml", kShortest);
    EXPECT_EQ(refusal("include = [\"base.toml\", 3]\n"),
              "a.toml:1:25: include is an integer (3); a file's name, or an array of them, is needed");
}

TEST_F(ConfigTest, config_a_missing_pipeline_names_the_nearest_file) {
    write("deblur.toml", kShortest);
    try {
        load_pipeline("debulr.toml", {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "debulr.toml: there is no such pipeline file; did you mean 'deblur.toml'?");
    }
}

}  // namespace
}  // namespace sluice::config

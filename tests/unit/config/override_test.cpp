// `--set` and `${NAME}`.
#include <cstdlib>

#include "config/override.hpp"
#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

TEST_F(ConfigTest, config_set_takes_toml_values_and_bare_words) {
    const PipelineSpec spec = load(kShortest, {"data.batch=9", "name=first", "data.train.source.size=[8, 9]",
                                               "data.train.source.folder=/some/where", "optimizer.rate=1e-2"});
    EXPECT_EQ(spec.data.batch, 9);
    EXPECT_EQ(spec.name, "first");
    EXPECT_EQ(to_toml(*spec.data.train.sources[0].component.options.find("size")), "[8, 9]");
    EXPECT_EQ(*spec.data.train.sources[0].component.options.find("folder")->as_string(), "/some/where");
    EXPECT_EQ(spec.rate, 0.01);
}

TEST_F(ConfigTest, config_set_reaches_into_arrays) {
    const PipelineSpec spec = load(kShortest, {"data.train.map.0.vertical=true", "model.layers.0.filters=8"});
    EXPECT_TRUE(*spec.data.train.map[0].options.find("vertical")->as_bool());
    EXPECT_EQ(*spec.model.layers[0].options.find("filters")->as_int(), 8);
}

TEST_F(ConfigTest, config_set_makes_missing_tables) {
    EXPECT_EQ(load(kShortest, {"strategy.use=mirrored"}).strategy.use, "mirrored");
    EXPECT_EQ(load(kShortest, {"data.validation.source.use=photos"}).data.validation->sources[0].component.use,
              "photos");
}

TEST_F(ConfigTest, config_set_use_drops_what_belonged_to_the_other_component) {
    const std::string text = kShortest + "rate = 0.5\nbeta1 = 0.8\n[strategy]\nuse = \"single\"\nthreads = 4\n";
    const PipelineSpec spec = load(
        text, {"strategy.islands=3", "strategy.use=mirrored", "optimizer.use=sgd", "data.train.source.use=photos"});
    ASSERT_EQ(spec.strategy.options.entries().size(), 1u);
    EXPECT_EQ(spec.strategy.options.entries()[0].first, "islands");
    EXPECT_TRUE(spec.optimizer.options.empty());
    EXPECT_EQ(spec.rate, 0.5);
    EXPECT_TRUE(spec.data.train.sources[0].component.options.empty());
}

TEST_F(ConfigTest, config_set_use_to_the_same_component_drops_nothing) {
    const PipelineSpec spec = load(kShortest, {"data.train.source.use=dead_leaves"});
    EXPECT_NE(spec.data.train.sources[0].component.options.find("count"), nullptr);
}

TEST_F(ConfigTest, config_set_schedule_keeps_the_warmup) {
    const std::string text = kShortest + "[schedule]\nuse = \"cosine\"\nwarmup = \"5 %\"\nfinal = 0.1\n";
    const PipelineSpec spec = load(text, {"schedule.use=constant"});
    EXPECT_EQ(spec.schedule.warmup, 0.05);
    EXPECT_EQ(spec.schedule.final_share, 0.0);
}

TEST_F(ConfigTest, config_set_device_keeps_what_the_host_reads_itself) {
    const std::string text = kShortest +
                             "[device]\nuse = \"cpu\"\nkernels = [\"reference\"]\nmeasure = false\npin = true\n"
                             "record = false\n";
    const Table device = *load(text, {"device.use=cuda"}).resolved.find("device")->as_table();
    EXPECT_EQ(*device.find("measure")->as_bool(), false);
    EXPECT_EQ(*device.find("pin")->as_bool(), true);
    EXPECT_EQ(*device.find("record")->as_bool(), false);
    EXPECT_NE(to_toml(*device.find("kernels")).find("reference"), std::string::npos);
}

TEST_F(ConfigTest, config_set_precision_keeps_the_rules_of_layers) {
    const std::string text =
        kShortest + "[precision]\nuse = \"mixed_float16\"\nscale = 4\n[precision.layers]\n\"a\" = \"float32\"\n";
    const PipelineSpec spec = load(text, {"precision.use=mixed_bfloat16"});
    EXPECT_EQ(spec.precision_rules.size(), 1U);
    EXPECT_TRUE(spec.precision.options.empty());
}

TEST_F(ConfigTest, config_a_wrong_set_is_named_in_full) {
    EXPECT_EQ(refusal(kShortest, {"data.batch"}), "--set data.batch: the form is a.b=value");
    EXPECT_EQ(refusal(kShortest, {"data..batch=4"}),
              "--set data..batch=4: \"data..batch\" has an empty key; the form is a.b=value");
    EXPECT_EQ(refusal(kShortest, {"data.batch=many"}),
              "--set data.batch=many: data.batch is a string (\"many\"); an integer is needed");
    EXPECT_EQ(refusal(kShortest, {"data.bacth=4"}),
              "--set data.bacth=4: unknown key 'bacth' in [data]; did you mean 'batch'?");
    EXPECT_EQ(
        refusal(kShortest, {"data.train.map.1.use=x"}),
        "--set data.train.map.1.use=x: data.train.map is an array of 1, which has no '1'; an index from 0 to 0 is "
        "needed");
    EXPECT_EQ(refusal(kShortest, {"data.train.map.first=x"}),
              "--set data.train.map.first=x: data.train.map is an array of 1, which has no 'first'; an index from 0 to "
              "0 is needed");
    EXPECT_EQ(refusal(kShortest, {"data.batch.size=4"}),
              "--set data.batch.size=4: data.batch is an integer (4), which has no 'size'");
    EXPECT_EQ(refusal(kShortest, {"include=b.toml"}), "--set include=b.toml: include is read from files only");
}

TEST_F(ConfigTest, config_environment_variables_fill_strings) {
    setenv("SLUICE_TEST_ROOT", "/photos", 1);
    const PipelineSpec spec = load(with("count = 16", "folder = \"${SLUICE_TEST_ROOT}/${SLUICE_TEST_ROOT}/a\""));
    const Value& folder = *spec.data.train.sources[0].component.options.find("folder");
    EXPECT_EQ(*folder.as_string(), "/photos//photos/a");
    EXPECT_EQ(folder.origin.kind, Origin::Kind::environment);
    EXPECT_EQ(to_string(folder.origin), "environment SLUICE_TEST_ROOT, SLUICE_TEST_ROOT (a.toml:5:33)");
    unsetenv("SLUICE_TEST_ROOT");
}

TEST_F(ConfigTest, config_an_unset_environment_variable_is_named) {
    unsetenv("SLUICE_TEST_NONE");
    const std::string text = with("count = 16", "folder = \"${SLUICE_TEST_NONE}/a\"");
    EXPECT_EQ(refusal(text),
              "a.toml:5:33: the environment variable SLUICE_TEST_NONE in \"${SLUICE_TEST_NONE}/a\" is not set");
    EXPECT_EQ(refusal(with("count = 16", "folder = \"${HOME\"")),
              "a.toml:5:33: \"${HOME\" opens a variable with '${' and does not close it with '}'");
    // A value that --set replaces is not checked.
    EXPECT_EQ(refusal(text, {"data.train.source.folder=b"}), "it loads");
}

}  // namespace
}  // namespace sluice::config

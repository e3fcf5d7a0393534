// Models in files of their own: where they are found, and what a pipeline changes in them.
#include "config/model_file.hpp"

#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

const std::string kModel =
    "parameters = { classes = 10 }\n"
    "layers = [{ type = \"conv2d\", filters = \"= classes\" }, { block = \"end\" }]\n"
    "[blocks.end]\n"
    "layers = [{ type = \"relu\" }]\n";

// Returns kShortest with these lines in [model] in place of its layers.
std::string with_model(const std::string& lines) {
    std::string text = kShortest;
    const std::size_t begin = text.find("layers = [");
    return text.replace(begin, text.find("[loss]") - begin, lines);
}

TEST_F(ConfigTest, config_a_model_comes_from_its_file) {
    write("models/small.toml", kModel);
    const std::string text = with_model("use = \"models/small.toml\"\nclasses = 3\n");
    const PipelineSpec spec = load(text);
    EXPECT_EQ(spec.model.name, "small");
    ASSERT_EQ(spec.model.layers.size(), 2u);
    EXPECT_EQ(*spec.model.layers[0].options.find("filters")->as_int(), 3);
    EXPECT_EQ(to_string(spec.model.layers[0].origin), "models/small.toml:2:13");
    EXPECT_EQ(spec.model.layers[1].layers[0].type, "relu");
    EXPECT_EQ(*load(text, {"model.classes=5"}).model.layers[0].options.find("filters")->as_int(), 5);
}

TEST_F(ConfigTest, config_a_pipeline_changes_its_model) {
    write("small.toml", kModel);
    const std::string text = with_model("use = \"small.toml\"\n");
    EXPECT_EQ(load(text, {"model.layers=[{ block = \"end\", repeat = 2 }]"}).model.layers.size(), 2u);
    EXPECT_EQ(*load(text, {"model.layers.0.filters=7"}).model.layers[0].options.find("filters")->as_int(), 7);
    write("other.toml", kModel);
    EXPECT_EQ(load(text, {"model.use=other.toml"}).model.name, "other");
}

// A checkpoint stores the resolved pipeline, which needs no file any more.
TEST_F(ConfigTest, config_a_resolved_pipeline_holds_its_model) {
    write("small.toml", kModel);
    const PipelineSpec spec = load(with_model("use = \"small.toml\"\nclasses = 3\n"));
    const Table* const model = spec.resolved.find("model")->as_table();
    EXPECT_EQ(model->find("use"), nullptr);
    EXPECT_EQ(*model->find("name")->as_string(), "small");
    EXPECT_EQ(*model->find("classes")->as_int(), 3);
    EXPECT_EQ(model->find("layers")->as_array()->size(), 2u);
}

TEST_F(ConfigTest, config_a_model_that_is_not_found_is_named) {
    EXPECT_EQ(refusal(with_model("use = \"resnet50x\"\n")), "a.toml:10:1: no model 'resnet50x' is installed");
    EXPECT_EQ(refusal(with_model("use = \"none.toml\"\n")),
              "a.toml:10:1: model.use is \"none.toml\": there is no file none.toml");
    EXPECT_EQ(refusal(with_model("use = 3\n")),
              "a.toml:10:1: model.use is an integer (3); the name of a model, or of its file, is needed");
    write("twice.toml", "use = \"resnet50\"\n");
    EXPECT_EQ(refusal(with_model("use = \"twice.toml\"\n")), "twice.toml:1:1: a model cannot use another one");
}

TEST_F(ConfigTest, config_installed_models_load) {
    for (const auto& file : std::filesystem::directory_iterator(SLUICE_MODELS)) {
        EXPECT_EQ(refusal(with_model("use = \"" + file.path().string() + "\"\n")), "it loads") << file.path();
    }
}

}  // namespace
}  // namespace sluice::config

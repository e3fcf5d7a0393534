// Layers and blocks: how they are read, and messages about wrong names and references.
#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

const std::string kRelu = "{ type = \"relu\" }";

TEST_F(ConfigTest, config_reads_layers_and_blocks) {
    const PipelineSpec spec = load(with(kRelu,
                                        "{ block = \"b\", repeat = 3, name = \"tower\" },\n"
                                        "  { type = \"add\", inputs = [\"stem\", \"previous\", \"input\"] }") +
                                   "[model.blocks.b]\nlayers = [{ type = \"relu\", name = \"stem\", slope = 0.1 }]\n");
    ASSERT_EQ(spec.model.layers.size(), 5u);
    EXPECT_EQ(spec.model.layers[0].type, "conv2d");
    EXPECT_EQ(spec.model.layers[0].name, "stem");
    EXPECT_EQ(to_string(spec.model.layers[0].origin), "a.toml:11:5");
    ASSERT_EQ(spec.model.layers[0].options.entries().size(), 1u);
    for (std::size_t copy = 1; copy <= 3; ++copy) {
        const LayerSpec& use = spec.model.layers[copy];
        EXPECT_EQ(use.block, "b");
        EXPECT_EQ(use.path, copy == 1 ? "tower" : "tower_" + std::to_string(copy));
        EXPECT_EQ(use.key, "model.layers.1");
        EXPECT_EQ(use.is_copy, copy > 1);
        ASSERT_EQ(use.layers.size(), 1u);
        EXPECT_EQ(use.layers[0].key, "model.blocks.b.layers.0");
        EXPECT_EQ(*use.layers[0].options.find("slope")->as_float(), 0.1);
    }
    EXPECT_EQ(spec.model.layers[4].inputs, (std::vector<std::string>{"stem", "previous", "input"}));
    EXPECT_EQ(spec.model.layers[4].path, "add");
}

TEST_F(ConfigTest, config_inputs_may_be_one_name) {
    const PipelineSpec spec = load(with(kRelu, "{ type = \"relu\", inputs = \"stem\" }"));
    EXPECT_EQ(spec.model.layers[1].inputs, std::vector<std::string>{"stem"});
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"relu\", inputs = 3 }")),
              "a.toml:12:20: model.layers.1.inputs is an integer (3); a name, or an array of names, is needed");
}

TEST_F(ConfigTest, config_a_name_with_a_slash_numbers_its_copies) {
    const PipelineSpec spec = load(with(kRelu,
                                        "{ type = \"relu\", name = \"deep/\", repeat = 2 },\n"
                                        "  { type = \"relu\", inputs = \"deep\" }"));
    EXPECT_EQ(spec.model.layers[1].path, "deep/0");
    EXPECT_EQ(spec.model.layers[2].path, "deep/1");
    EXPECT_EQ(spec.model.layers[2].name, "deep");
}

TEST_F(ConfigTest, config_reads_the_range_of_images) {
    EXPECT_EQ(load(kShortest).model.high, 1.0);
    EXPECT_EQ(load(kShortest, {"model.range=[-1, 1]"}).model.low, -1.0);
    EXPECT_EQ(refusal(with("input =", "range = [1, 0]\ninput =")),
              "a.toml:8:1: model.range is [1, 0]; [low, high] with low < high is needed");
    EXPECT_EQ(refusal(with("input =", "range = [1]\ninput =")),
              "a.toml:8:1: model.range is an array ([1]); [low, high] with low < high is needed");
}

TEST_F(ConfigTest, config_reads_mean_and_deviation_of_channels) {
    const PipelineSpec spec = load(kShortest, {"model.image_mean=[0.5, 0.4, 0.3]", "model.image_std=[1, 2, 3]"});
    EXPECT_EQ(spec.model.image_mean, (std::vector<double>{0.5, 0.4, 0.3}));
    EXPECT_EQ(spec.model.image_std, (std::vector<double>{1.0, 2.0, 3.0}));
    EXPECT_EQ(refusal(kShortest, {"model.image_mean=[0.5]"}),
              "--set model.image_mean=[0.5]: image_mean has 1 numbers and image_std 0; both have one for each channel");
    EXPECT_EQ(refusal(kShortest, {"model.image_mean=[0.5]", "model.image_std=[0]"}),
              "--set model.image_std=[0]: image_std has 0; numbers above 0 are needed");
}

TEST_F(ConfigTest, config_a_layer_is_a_type_or_a_block) {
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"relu\", block = \"b\" }")),
              "a.toml:12:20: model.layers.1 has both 'type' and 'block'; one of the two is needed");
    EXPECT_EQ(refusal(with(kRelu, "{ typ = \"relu\" }")),
              "a.toml:12:3: [model.layers.1] has no 'type'; the type of a layer, or 'block' with the name of one, is "
              "needed; did you mean 'typ' at a.toml:12:5?");
    EXPECT_EQ(refusal(with(kRelu, "\"relu\"")),
              "a.toml:12:3: model.layers.1 is a string (\"relu\"); a table is needed");
    EXPECT_EQ(refusal(kShortest, {"model.layers=[]"}),
              "--set model.layers=[]: model.layers is empty; at least one layer is needed");
}

// A block with parameters, and entries that use it.
std::string with_block(const std::string& uses) {
    return with(kRelu, uses) +
           "[model.blocks.b]\n"
           "parameters = { filters = { type = \"integer\" }, slope = 0.5, add = true }\n"
           "layers = [\n"
           "  { type = \"conv2d\", filters = \"= 2 * filters\" },\n"
           "  { type = \"leaky_relu\", if = \"= slope > 0\", slope = \"= slope / (index + 1)\", repeat = 2 },\n"
           "  { type = \"add\", if = \"= add\", inputs = [\"previous\", \"input\"] },\n"
           "]\n";
}

TEST_F(ConfigTest, config_blocks_take_arguments) {
    const PipelineSpec spec = load(with_block("{ block = \"b\", filters = 8, repeat = 2, first = { add = false } }"));
    ASSERT_EQ(spec.model.layers.size(), 3u);
    const std::vector<LayerSpec>& first = spec.model.layers[1].layers;
    const std::vector<LayerSpec>& second = spec.model.layers[2].layers;
    ASSERT_EQ(first.size(), 4u);
    EXPECT_EQ(*first[0].options.find("filters")->as_int(), 16);
    EXPECT_EQ(to_string(first[0].options.find("filters")->origin), "a.toml:21:22");
    EXPECT_EQ(*first[1].options.find("slope")->as_float(), 0.5);
    EXPECT_EQ(*first[2].options.find("slope")->as_float(), 0.25);
    EXPECT_TRUE(first[3].is_left_out);
    EXPECT_FALSE(second[3].is_left_out);
}

TEST_F(ConfigTest, config_integers_are_numbers_too) {
    const PipelineSpec spec = load(with_block("{ block = \"b\", filters = 8, slope = 0 }"));
    EXPECT_TRUE(spec.model.layers[1].layers[1].is_left_out);
}

TEST_F(ConfigTest, config_arguments_are_checked_at_their_use) {
    EXPECT_EQ(refusal(with_block("{ block = \"b\" }")), "a.toml:12:3: the block 'b' needs 'filters', an integer");
    EXPECT_EQ(refusal(with_block("{ block = \"b\", filters = 1.5 }")),
              "a.toml:12:18: model.layers.1.filters is a number (1.5); an integer for the block 'b' is needed");
    EXPECT_EQ(refusal(with_block("{ block = \"b\", filters = 8, slop = 1 }")),
              "a.toml:12:31: unknown key 'slop' in [model.layers.1]; did you mean 'slope'?");
}

TEST_F(ConfigTest, config_a_mistake_in_a_block_names_its_use) {
    EXPECT_EQ(
        refusal(with_block("{ block = \"b\", filters = 4611686018427387904 }")),
        "a.toml:21:22: the formula \"= 2 * filters\" cannot be computed: 2 * 4611686018427387904 is too large for "
        "an integer\n  in the block 'b', used at a.toml:12:5");
}

TEST_F(ConfigTest, config_parameters_have_names_of_their_own) {
    const auto declared = [](const std::string& parameters) {
        return kShortest + "[model.blocks.b]\nparameters = { " + parameters + " }\nlayers = [{ type = \"relu\" }]\n";
    };
    EXPECT_EQ(refusal(declared("name = 1")),
              "a.toml:19:16: model.blocks.b.parameters: a parameter cannot be named 'name', which has a meaning of its "
              "own");
    EXPECT_EQ(refusal(declared("\"a-b\" = 1")),
              "a.toml:19:16: model.blocks.b.parameters: 'a-b' is no name of a parameter; letters, digits and '_' are "
              "allowed");
    EXPECT_EQ(refusal(declared("a = { type = \"float\" }")),
              "a.toml:19:22: model.blocks.b.parameters.a.type is \"float\"; one of: boolean, integer, number, string, "
              "array");
}

TEST_F(ConfigTest, config_a_model_has_parameters) {
    const std::string text = with("filters = 3", "filters = \"= width\"");
    const auto with_parameters = [&](const std::string& parameters) {
        std::string changed = text;
        return changed.replace(changed.find("input ="), 0, parameters);
    };
    const auto filters = [](const PipelineSpec& spec) {
        return *spec.model.layers[0].options.find("filters")->as_int();
    };
    const std::string defaults = with_parameters("parameters = { width = 4 }\n");
    EXPECT_EQ(filters(load(defaults)), 4);
    EXPECT_EQ(filters(load(defaults, {"model.width=5"})), 5);
    EXPECT_EQ(filters(load(with_parameters("parameters = { width = 4 }\nwidth = 6\n"))), 6);
    EXPECT_EQ(refusal(text),
              "a.toml:11:22: the formula \"= width\" cannot be computed: there is no parameter 'width'; "
              "one of: index");
}

TEST_F(ConfigTest, config_names_the_nearest_block) {
    const std::string block = "[model.blocks.residual]\nlayers = [{ type = \"relu\" }]\n";
    EXPECT_EQ(refusal(with(kRelu, "{ block = \"residul\" }") + block),
              "a.toml:12:5: there is no block 'residul'; did you mean 'residual'?");
    EXPECT_EQ(refusal(with(kRelu, "{ block = \"residual\" }")),
              "a.toml:12:5: there is no block 'residual'; write [model.blocks.residual]");
}

TEST_F(ConfigTest, config_names_the_nearest_layer) {
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"add\", inputs = [\"stme\"] }")),
              "a.toml:12:5: no earlier layer is named 'stme'; did you mean 'stem'?");
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"add\", inputs = [\"zzzzzzzz\"] }")),
              "a.toml:12:5: no earlier layer is named 'zzzzzzzz'; one of: previous, input, stem");
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"add\", inputs = [\"last\"] },\n  { type = \"relu\", name = \"last\" }")),
              "a.toml:12:5: the input 'last' is not available here: that layer, at a.toml:13:5, does not come earlier");
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"add\", inputs = [] }")),
              "a.toml:12:19: model.layers.1.inputs is empty; at least one name is needed");
}

TEST_F(ConfigTest, config_layers_of_a_block_do_not_see_the_layers_outside) {
    EXPECT_EQ(refusal(kShortest + "[model.blocks.b]\nlayers = [{ type = \"add\", inputs = [\"stem\"] }]\n"),
              "a.toml:19:13: no earlier layer is named 'stem'; one of: previous, input");
}

TEST_F(ConfigTest, config_names_are_unique_in_a_list) {
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"relu\", name = \"stem\" }")),
              "a.toml:12:5: the name 'stem' belongs to the layer at a.toml:11:5; names must be unique in a list");
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"relu\", name = \"previous\" }")),
              "a.toml:12:5: a layer is named 'previous', which is a reserved word in 'inputs'");
}

TEST_F(ConfigTest, config_a_block_cannot_contain_itself) {
    EXPECT_EQ(
        refusal(kShortest + "[model.blocks.a]\nlayers = [{ block = \"b\" }]\n[model.blocks.b]\nlayers = [{ block = "
                            "\"a\" }]\n"),
        "a.toml:21:13: the block 'a' contains itself: a -> b -> a");
}

TEST_F(ConfigTest, config_blocks_may_use_blocks) {
    EXPECT_EQ(
        refusal(kShortest + "[model.blocks.a]\nlayers = [{ block = \"b\" }]\n[model.blocks.b]\nlayers = [{ type = "
                            "\"relu\" }]\n"),
        "it loads");
}

TEST_F(ConfigTest, config_bounds_repeats) {
    EXPECT_EQ(refusal(with(kRelu, "{ type = \"relu\", repeat = 0 }")),
              "a.toml:12:20: model.layers.1.repeat is 0; an integer from 1 to 1000 is needed");
}

TEST_F(ConfigTest, config_bounds_the_layers_of_a_model) {
    const std::string block = "[model.blocks.b]\nlayers = [{ type = \"relu\", repeat = 1000 }]\n";
    EXPECT_EQ(refusal(with(kRelu, "{ block = \"b\", repeat = 1000 }") + block),
              "a.toml:19:11: the model has more than 100000 layers");
}

}  // namespace
}  // namespace sluice::config

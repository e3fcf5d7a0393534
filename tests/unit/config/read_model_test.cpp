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
    ASSERT_EQ(spec.model.layers.size(), 3u);
    EXPECT_EQ(spec.model.layers[0].type, "conv2d");
    EXPECT_EQ(spec.model.layers[0].name, "stem");
    EXPECT_EQ(to_string(spec.model.layers[0].origin), "a.toml:11:5");
    ASSERT_EQ(spec.model.layers[0].options.entries().size(), 1u);
    EXPECT_EQ(spec.model.layers[1].block, "b");
    EXPECT_EQ(spec.model.layers[1].repeat, 3);
    EXPECT_EQ(spec.model.layers[2].inputs, (std::vector<std::string>{"stem", "previous", "input"}));
    ASSERT_EQ(spec.model.blocks.size(), 1u);
    EXPECT_EQ(spec.model.blocks[0].name, "b");
    EXPECT_EQ(*spec.model.blocks[0].layers[0].options.find("slope")->as_float(), 0.1);
}

TEST_F(ConfigTest, config_reads_the_range_of_images) {
    EXPECT_EQ(load(kShortest).model.high, 1.0);
    EXPECT_EQ(load(kShortest, {"model.range=[-1, 1]"}).model.low, -1.0);
    EXPECT_EQ(refusal(with("input =", "range = [1, 0]\ninput =")),
              "a.toml:8:1: model.range is [1, 0]; [low, high] with low < high is needed");
    EXPECT_EQ(refusal(with("input =", "range = [1]\ninput =")),
              "a.toml:8:1: model.range is an array ([1]); [low, high] with low < high is needed");
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

TEST_F(ConfigTest, config_a_block_takes_no_options) {
    EXPECT_EQ(
        refusal(with(kRelu, "{ block = \"b\", filters = 3 }")),
        "a.toml:12:18: unknown key 'filters' in [model.layers.1]; one of: block, name, inputs, repeat, precision");
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

}  // namespace
}  // namespace sluice::config

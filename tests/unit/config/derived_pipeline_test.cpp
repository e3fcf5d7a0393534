// Files that include a pipeline and change some of its values.
#include "config/derived_pipeline.hpp"

#include <array>

#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

TEST_F(ConfigTest, derived_pipeline_changes_values_and_says_why) {
    const PipelineSpec base = load(with("batch = 4", "batch = 4\nworkers = 8"));
    const std::array<ValueChange, 2> changes{
        {{.set = "data.workers=2", .comment = "12 % faster"}, {.set = "train.epochs=7", .comment = "for the test"}}};
    const std::string text = derived_pipeline(base.resolved, "a.toml", changes);
    EXPECT_EQ(
        text,
        "version = 1\ninclude = \"a.toml\"\n\n[data]\nworkers = 2  # 12 % faster\n\n[train]\nepochs = 7  # for the "
        "test\n");
    write("b.toml", text);
    const PipelineSpec changed = load_pipeline("b.toml", {});
    EXPECT_EQ(changed.data.workers, 2);
    EXPECT_EQ(changed.data.batch, 4);
    EXPECT_EQ(changed.train.epochs, 7);
}

TEST_F(ConfigTest, derived_pipeline_says_it_once_for_a_list_of_numbers) {
    const std::array<ValueChange, 1> changes{{{.set = "data.train.source.size=[8, 9]", .comment = "smaller"}}};
    const std::string text = derived_pipeline(load(kShortest).resolved, "a.toml", changes);
    EXPECT_NE(text.find("size = [8, 9]  # smaller\n"), std::string::npos) << text;
}

TEST_F(ConfigTest, derived_pipeline_writes_a_changed_array_as_a_whole) {
    const PipelineSpec base = load(kShortest);
    const std::array<ValueChange, 2> changes{{{.set = "model.layers.0.kernel=3", .comment = "first"},
                                              {.set = "model.layers.0.filters=5", .comment = "second"}}};
    const std::string text = derived_pipeline(base.resolved, "a.toml", changes);
    write("b.toml", text);
    const PipelineSpec changed = load_pipeline("b.toml", {});
    ASSERT_EQ(changed.model.layers.size(), base.model.layers.size());
    EXPECT_EQ(*changed.model.layers[0].options.find("kernel")->as_int(), 3);
    EXPECT_EQ(*changed.model.layers[0].options.find("filters")->as_int(), 5);
    EXPECT_NE(text.find("# first; second"), std::string::npos) << text;
}

}  // namespace
}  // namespace sluice::config

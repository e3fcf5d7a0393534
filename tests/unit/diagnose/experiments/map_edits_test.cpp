// Changes of a stream's map.
#include "diagnose/experiments/map_edits.hpp"

#include <gtest/gtest.h>

#include "config/load.hpp"

namespace sluice::diagnose {
namespace {

const std::string kPipeline = R"(version = 1
[data.train]
source = { use = "photos" }
map = ["decode", { use = "cache", in = "disk" }, { use = "random_crop", size = [8, 8] }]
[model]
input = "blurred"
target = "sharp"
layers = [{ type = "relu" }]
[loss]
use = "mean_absolute_error"
[optimizer]
use = "adam"
)";

TEST(DiagnoseMapEdits, move_the_cache) {
    const config::PipelineSpec spec = config::load_pipeline_text(kPipeline, "a.toml", {});
    const Array map = map_of(spec, "train");
    ASSERT_EQ(map.size(), 3U);
    EXPECT_EQ(without_cache(map).size(), 2U);
    const std::string set = set_of_map("train", with_cache(map, 2, "memory"));
    const config::PipelineSpec changed = config::load_pipeline_text(kPipeline, "a.toml", std::vector{set});
    ASSERT_EQ(changed.data.train.map.size(), 3U);
    EXPECT_EQ(changed.data.train.map[0].use, "decode");
    EXPECT_EQ(changed.data.train.map[1].use, "random_crop");
    EXPECT_EQ(changed.data.train.map[2].use, "cache");
    EXPECT_TRUE(map_of(spec, "validation").empty());
}

TEST(DiagnoseMapEdits, keep_the_options_of_a_cache_that_stays_in_its_place) {
    std::string text = kPipeline;
    text.replace(text.find("in = \"disk\""), 11, R"(in = "disk", folder = "/ssd", budget = "9 GiB")");
    const Array map = map_of(config::load_pipeline_text(text, "a.toml", {}), "train");
    const std::string same = set_of_map("train", with_cache(map, 2, "disk"));
    EXPECT_NE(same.find("/ssd"), std::string::npos) << same;
    EXPECT_NE(same.find("9 GiB"), std::string::npos) << same;
    EXPECT_EQ(set_of_map("train", with_cache(map, 2, "memory")).find("/ssd"), std::string::npos);
}

}  // namespace
}  // namespace sluice::diagnose

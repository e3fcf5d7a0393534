// The resolved pipeline as text, and the pipelines that come with the host.
#include <algorithm>
#include <cstdlib>

#include "base/toml/toml.hpp"
#include "config/pipeline_text.hpp"
#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

// Returns the values alone, in a fixed order: neither the order of keys nor the origins count.
std::string values_of(const Value& value) {
    std::string text;
    if (const Table* table = value.as_table()) {
        std::vector<std::string> lines;
        for (const auto& [key, inner] : table->entries()) {
            lines.push_back(key + "=" + values_of(inner));
        }
        std::sort(lines.begin(), lines.end());
        for (const std::string& line : lines) {
            text += line + ";";
        }
        return "{" + text + "}";
    }
    if (const Array* items = value.as_array()) {
        for (const Value& item : *items) {
            text += values_of(item) + ",";
        }
        return "[" + text + "]";
    }
    return to_toml(value);
}

std::string values_of(const Table& table) { return values_of(Value{table, {}}); }

// The pipeline in a checkpoint is loaded without its origins, but resolved.toml still has them.
TEST_F(ConfigTest, config_text_keeps_recorded_places_of_values_that_hold) {
    const PipelineSpec first = load(kShortest, {"seed=5"});
    const std::string plain = to_pipeline_toml(first.resolved, Origins::leave_out);
    const std::string commented = to_pipeline_toml(first.resolved);
    const std::vector<std::string> sets{"data.batch=9"};
    const PipelineSpec later = load_pipeline_text(plain, "last.safetensors", sets);
    const std::string text =
        to_pipeline_toml(later.resolved, Origins::as_comments, recorded_origins("last.safetensors", plain, commented));
    EXPECT_EQ(text.find("last.safetensors"), std::string::npos) << text;
    EXPECT_NE(text.find("# --set data.batch=9"), std::string::npos) << text;
    EXPECT_NE(text.find("# --set seed=5"), std::string::npos) << text;
    // If resolved.toml has another value, it is not the origin of this one.
    const PipelineSpec other = load_pipeline_text(plain, "older.safetensors", {});
    const std::string changed = to_pipeline_toml(load(kShortest, {"seed=6"}).resolved);
    EXPECT_NE(
        to_pipeline_toml(other.resolved, Origins::as_comments, recorded_origins("older.safetensors", plain, changed))
            .find("# older.safetensors:3:1"),
        std::string::npos);
}

TEST_F(ConfigTest, config_text_shows_every_value_with_its_place) {
    setenv("SLUICE_TEST_MODE", "fast", 1);
    const PipelineSpec spec =
        load(with("use = \"random_flip\"", "use = \"random_flip\", mode = \"${SLUICE_TEST_MODE}\""),
             {"model.layers.0.filters=8", "seed=5"});
    unsetenv("SLUICE_TEST_MODE");
    EXPECT_EQ(to_pipeline_toml(spec.resolved), R"(version = 1           # a.toml:1:1
name = "a"            # default
seed = 5              # --set seed=5
deterministic = true  # default

[data]
batch = 4             # a.toml:3:1
workers = "auto"      # default
prefetch = "auto"     # default
skip_bad = 0          # default
stall_seconds = 60.0  # default

[data.train]
map = [                                    # a.toml:6:1
  { use = "random_flip", mode = "fast" },  # a.toml:6:8, environment SLUICE_TEST_MODE (a.toml:6:31)
]

[data.train.source]
use = "dead_leaves"  # a.toml:5:12
count = 16           # a.toml:5:33

[data.train.order]
use = "random"  # default

[data.train.sampling]
use = "uniform"  # default

[model]
input = "blurred"                                   # a.toml:8:1
target = "sharp"                                    # a.toml:9:1
range = [0.0, 1.0]                                  # default
layers = [                                          # a.toml:10:1
  { type = "conv2d", filters = 8, name = "stem" },  # a.toml:11:3, --set model.layers.0.filters=8
  { type = "relu" },                                # a.toml:12:3
]

[loss]
use = "mean_absolute_error"  # a.toml:15:1

[metrics]
use = []  # default

[optimizer]
use = "adam"         # a.toml:17:1
rate = 0.001         # default
scale_rate = "none"  # default
clip_norm = 0.0      # default

[schedule]
use = "constant"  # default
warmup = 0.0      # default

[precision]
use = "float32"  # default

[strategy]
use = "single"           # default
micro_shards = "auto"    # default
shard_threads = 1        # default
bucket = "auto"          # default
deadline = 8.0           # default
wire = "float32"         # default
shard_optimizer = false  # default

[device]
use = ["cpu"]       # default
kernels = ["auto"]  # default
measure = true      # default
record = true       # default
pin = false         # default

[train]
epochs = 1                 # default
accumulate = 1             # default
ema = 0.0                  # default
overfit_one_batch = false  # default
recompute = "none"         # default

[evaluate]
every = "1 epoch"  # default

[observe]
use = ["progress", "metrics", "images"]  # default

[checkpoint]
every = "1 epoch"  # default
keep = 3           # default
)");
}

TEST_F(ConfigTest, config_text_loads_back_to_the_same_values) {
    const PipelineSpec spec =
        load(kShortest + "[precision]\nuse = \"mixed\"\n\"odd key\" = \"a\\\"b\\n\"\nrules = { a = 1 }\n",
             {"data.train.source.text=line\nline", "data.train.source.deep.x=[{ y = 2 }]"});
    const std::string text = to_pipeline_toml(spec.resolved);
    EXPECT_EQ(values_of(parse_toml(text, "text")), values_of(spec.resolved)) << text;
    write("again.toml", text);
    const PipelineSpec again = load_pipeline("again.toml", {});
    EXPECT_EQ(values_of(again.resolved), values_of(spec.resolved));
    EXPECT_EQ(again.name, "a");
}

class GoldenPipeline : public testing::TestWithParam<const char*> {};

TEST_P(GoldenPipeline, config_loads_what_comes_with_the_host) {
    const std::string file = std::string(SLUICE_PIPELINES) + "/" + GetParam() + ".toml";
    const PipelineSpec spec = load_pipeline(file, {});
    EXPECT_EQ(spec.name, GetParam());
    EXPECT_EQ(spec.model.input, "blurred");
    EXPECT_TRUE(spec.data.validation.has_value());
    const std::string text = to_pipeline_toml(spec.resolved);
    EXPECT_EQ(values_of(parse_toml(text, "text")), values_of(spec.resolved)) << text;
}

INSTANTIATE_TEST_SUITE_P(config, GoldenPipeline, testing::Values("deblur", "deblur-photos"));

}  // namespace
}  // namespace sluice::config

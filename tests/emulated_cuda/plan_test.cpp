// Tests of the plan for a GPU, and of the nodes that its kernels refuse.
#include <algorithm>

#include "check/numerics/node_case.hpp"
#include "config/load.hpp"
#include "plan/passes/make_plan.hpp"
#include "plan/plan.hpp"
#include "plugin_test.hpp"
#include "run/network/threads.hpp"

namespace sluice::test {
namespace {

constexpr const char* kPipeline = R"(
version = 1
name = "small"
device = { use = "emulated_cuda", measure = false }
precision.use = "mixed_bfloat16"
data.batch = 3
data.train.source = { use = "dead_leaves", count = 3, size = [10, 10] }
optimizer.use = "adam"
loss.use = "mean_absolute_error"
[model]
input = "blurred"
target = "sharp"
layers = [
  { type = "conv2d", filters = 5, kernel = 3, padding = "reflect", name = "stem" },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "conv2d", filters = 5, kernel = 3 },
  { type = "add", inputs = ["stem", "previous"] },
  { type = "conv2d", filters = 3, kernel = 3 },
]
)";

class GpuPlan : public PluginTest {
protected:
    static plan::Plan plan() {
        const config::PipelineSpec spec = config::load_pipeline_text(kPipeline, "test.toml", {});
        const plan::Toolbox tools = plan::open_toolbox(spec, plugins());
        const std::vector<registry::Field> fields{
            {"blurred", SLUICE_FIELD_IMAGE, make_spec(kUint8, {3, 10, 10, 3})},
            {"sharp", SLUICE_FIELD_IMAGE, make_spec(kUint8, {3, 10, 10, 3})},
        };
        const run::Threads threads(1);
        return plan::make_plan(spec, tools, fields, plan::Mode::train, threads.api());
    }
};

TEST_F(GpuPlan, places_everything_as_the_device_aligns_its_blocks) {
    const std::uint64_t alignment = gpu()->info().alignment;
    ASSERT_GT(alignment, 64U);
    const plan::Plan plan = GpuPlan::plan();
    std::vector<std::uint64_t> offsets;
    const auto add = [&](const std::vector<std::uint64_t>& more) {
        offsets.insert(offsets.end(), more.begin(), more.end());
    };
    add(plan.memory.tensors);
    add(plan.memory.gradients);
    for (const plan::Step& step : plan.steps) {
        add(step.saved);
        add({step.forward_workspace, step.backward_workspace});
    }
    std::erase(offsets, plan::kNowhere);
    EXPECT_GT(offsets.size(), 20U);
    EXPECT_TRUE(std::ranges::all_of(offsets, [&](std::uint64_t offset) { return offset % alignment == 0; }));
    for (const auto* places : {&plan.layout.parameters, &plan.layout.states}) {
        EXPECT_GT(places->size(), 1U);
        EXPECT_TRUE(std::ranges::all_of(
            *places, [&](std::uint64_t element) { return element * sizeof(float) % alignment == 0; }));
    }
}

// Returns why a convolution of an image with that many pixels along each side is refused; empty: it is not.
std::string refusal(const registry::Registry& plugins, const registry::Device& gpu, std::int64_t pixels) {
    const registry::Component type = plugins.find(registry::Kind::layer, "conv2d", {});
    Table options;
    options.set("filters", {std::int64_t{8}, {}});
    options.set("kernel", {std::int64_t{7}, {}});
    options.set("padding", {std::string("reflect"), {}});
    const registry::CheckCase check{.inputs = {make_spec(kBfloat16, {1, pixels, pixels, 8})},
                                    .options = plugins.options(type, {"conv2d", {}, options}),
                                    .then = {},
                                    .files = {}};
    const check::NodeCase node(plugins, type, check, 1, true);
    const check::NodeView view(node, kBfloat16, {});
    const registry::Component kernels = plugins.find(registry::Kind::kernel, "emulated_cudnn", {});
    return registry::KernelProvider(kernels, plugins.options(kernels, {"emulated_cudnn", {}, {}}), gpu)
        .refuses(view.chain())
        .value_or("");
}

TEST_F(GpuPlan, refuses_an_image_that_is_too_large_only_with_its_margins) {
    EXPECT_EQ(refusal(plugins(), *gpu(), 16377), "");
    EXPECT_NE(refusal(plugins(), *gpu(), 16378).find("mirrored margins it has 2147483648 elements"), std::string::npos);
    EXPECT_NE(refusal(plugins(), *gpu(), 16384).find("is too large: a tensor has at most 2147483647 elements"),
              std::string::npos);
}

}  // namespace
}  // namespace sluice::test

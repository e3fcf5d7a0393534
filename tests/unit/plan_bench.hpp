// A small pipeline with everything that a plan is made from, for tests of plan and run.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "plan/passes/make_plan.hpp"
#include "plan/plan.hpp"
#include "registry/loading/registry.hpp"
#include "run/network/threads.hpp"

namespace sluice::test {

// Two residual blocks with dropout, a fork and a stride give each kind of lifetime.
inline const std::string kModel = R"(
version = 1
name = "test"
device.measure = false
data.batch = 2
data.train.source = { use = "dead_leaves", count = 4, size = [16, 16] }
loss.use = "mean_absolute_error"
metrics.use = ["psnr"]
optimizer = { use = "adam", rate = 1e-3 }
[model]
input = "blurred"
target = "sharp"
layers = [
  { type = "conv2d", filters = 8, kernel = 3, padding = "reflect", name = "stem" },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "conv2d", filters = 8, stride = 2 },
  { block = "residual", repeat = 2 },
  { type = "upsample" },
  { type = "add", inputs = ["stem", "previous"] },
  { type = "conv2d", filters = 3, kernel = 3 },
]
[model.blocks.residual]
layers = [
  { type = "conv2d", kernel = 3 },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "dropout", rate = 0.5 },
  { type = "conv2d", kernel = 3 },
  { type = "add", inputs = ["input", "previous"] },
]
)";

// Returns a small pipeline with these entries of model.layers.
inline std::string pipeline_of(const std::string& layers, const std::string& loss = "mean_squared_error") {
    return R"(
version = 1
name = "small"
data.batch = 2
data.train.source = { use = "dead_leaves", count = 4, size = [16, 16] }
optimizer.use = "adam"
[model]
input = "blurred"
target = "sharp"
layers = [)" +
           layers + "]\n[loss]\nuse = \"" + loss + "\"\n";
}

struct PlanBench {
    explicit PlanBench(const std::vector<std::string>& sets = {}, const std::string& text = kModel)
        : spec(config::load_pipeline_text(text, "test.toml", sets)),
          registry(SLUICE_TEST_PLUGIN_DIR, {}),
          tools(plan::open_toolbox(spec, registry)) {}

    [[nodiscard]] plan::Plan plan(plan::Mode mode) const {
        return plan::make_plan(spec, tools, fields, mode, threads.api());
    }

    config::PipelineSpec spec;
    registry::Registry registry;
    plan::Toolbox tools;
    run::Threads threads{2};
    std::vector<registry::Field> fields{
        {"blurred", SLUICE_FIELD_IMAGE, make_spec(kUint8, {2, 16, 16, 3})},
        {"sharp", SLUICE_FIELD_IMAGE, make_spec(kUint8, {2, 16, 16, 3})},
    };
};

inline bool has_step(const plan::Plan& plan, const std::vector<std::string>& types) {
    return std::ranges::any_of(plan.steps, [&](const plan::Step& step) {
        return std::ranges::equal(step.nodes, types, {}, [&](std::size_t n) { return plan.graph.nodes[n].type; });
    });
}

// Returns what a pass reports in the listing of a plan.
inline std::string pass_text(const plan::Plan& plan, const std::string& pass) {
    const auto record = std::ranges::find(plan.passes, pass, &plan::PassRecord::name);
    return record == plan.passes.end() ? "" : record->did;
}

// Returns the message of the Error that `action` throws.
template <class Action>
std::string error_of(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace sluice::test

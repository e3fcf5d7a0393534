// What is learnt and how: [loss], [metrics], [optimizer], [schedule], [precision].
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

void read_loss(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("loss", "a table with 'use'");
    TableReader table = pipeline.child("loss");
    spec.loss = read_component(table);
    pipeline.put("loss", table.finish());
}

void read_metrics(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("metrics");
    spec.metrics = read_components(table, "use", {});
    pipeline.put("metrics", table.finish());
}

void read_optimizer(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("optimizer", "a table with 'use'");
    TableReader table = pipeline.child("optimizer");
    table.need("use", "a string");
    spec.rate = table.number("rate", {.min = 0.0, .above_min = true}, spec.rate);
    spec.optimizer = read_component(table);
    pipeline.put("optimizer", table.finish());
}

void read_schedule(TableReader& pipeline, PipelineSpec& spec) {
    static const std::vector<std::string> names = {"constant", "cosine", "linear", "step"};
    TableReader table = pipeline.child("schedule");
    ScheduleSpec& schedule = spec.schedule;
    schedule.use = table.text("use", schedule.use);
    if (std::find(names.begin(), names.end(), schedule.use) == names.end()) {
        fail(table.origin_of("use"),
             fmt::format("schedule.use is \"{}\"{}", schedule.use, suggestion(schedule.use, names)));
    }
    schedule.warmup = read_share(table, "warmup", schedule.warmup);
    if (schedule.use == "cosine" || schedule.use == "linear") {
        schedule.final_share = read_share(table, "final", schedule.final_share);
    }
    if (schedule.use == "step") {
        schedule.step_factor =
            table.number("factor", {.min = 0.0, .max = 1.0, .above_min = true}, schedule.step_factor);
        schedule.step_epochs = table.integer("every_epochs", {.min = 1});
    }
    pipeline.put("schedule", table.finish());
}

void read_precision(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("precision");
    spec.precision = read_component(table, "float32");
    pipeline.put("precision", table.finish());
}

}  // namespace

void read_learning(TableReader& pipeline, PipelineSpec& spec) {
    read_loss(pipeline, spec);
    read_metrics(pipeline, spec);
    read_optimizer(pipeline, spec);
    read_schedule(pipeline, spec);
    read_precision(pipeline, spec);
}

}  // namespace sluice::config

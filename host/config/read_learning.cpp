// Reads [loss], [metrics], [optimizer], [schedule] and [precision].
#include <fmt/format.h>

#include "config/read.hpp"

namespace sluice::config {
namespace {

void read_loss(TableReader& pipeline, PipelineSpec& spec, bool trains) {
    if (!trains && pipeline.maybe("loss") == nullptr) {
        return;
    }
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

void read_rate_scale(TableReader& optimizer, PipelineSpec& spec) {
    static const std::vector<std::string> names = {"none", "linear", "square_root"};
    const bool is_given = optimizer.has("scale_rate");
    spec.scale_rate = static_cast<RateScale>(optimizer.choice("scale_rate", names));
    const Range range{.min = 1};
    if (spec.scale_rate != RateScale::none) {
        spec.scale_from = optimizer.integer("scale_from", range);
        return;
    }
    spec.scale_from = optimizer.maybe_integer("scale_from", range).value_or(0);
    if (spec.scale_from > 0 && !is_given) {
        fail(optimizer.origin_of("scale_from"),
             fmt::format("{} is {}, but {} is not given; set it to \"linear\" or \"square_root\"",
                         optimizer.path_of("scale_from"), spec.scale_from, optimizer.path_of("scale_rate")));
    }
}

void read_optimizer(TableReader& pipeline, PipelineSpec& spec, bool trains) {
    if (!trains && pipeline.maybe("optimizer") == nullptr) {
        return;
    }
    pipeline.need("optimizer", "a table with 'use'");
    TableReader table = pipeline.child("optimizer");
    table.need("use", "a string");
    spec.rate = table.number("rate", {.min = 0.0, .above_min = true}, spec.rate);
    read_rate_scale(table, spec);
    spec.clip_norm = table.number("clip_norm", {.min = 0.0}, spec.clip_norm);
    spec.optimizer = read_component(table);
    pipeline.put("optimizer", table.finish());
}

// Reads the schedule's own length; nullopt: as long as the training.
std::optional<Interval> read_length(TableReader& table) {
    const std::optional<std::int64_t> epochs = table.maybe_integer("epochs", {.min = 1});
    const std::optional<std::int64_t> steps = table.maybe_integer("steps", {.min = 1});
    if (epochs && steps) {
        fail(table.origin_of("steps"),
             table.path_of("steps") + ": the schedule's length is given in epochs too; keep one of the two");
    }
    if (!epochs && !steps) {
        return std::nullopt;
    }
    return Interval{epochs ? *epochs : *steps, epochs.has_value()};
}

void read_plateau(TableReader& table, const PipelineSpec& spec, ScheduleSpec& schedule) {
    schedule.factor = table.number("factor", {.min = 0.0, .max = 1.0, .above_min = true}, schedule.factor);
    schedule.patience = table.integer("patience", {.min = 0}, schedule.patience);
    schedule.threshold = table.number("threshold", {.min = 0.0}, schedule.threshold);
    schedule.min_rate = table.number("min_rate", {.min = 0.0}, schedule.min_rate);
    schedule.monitor = table.text("monitor", schedule.monitor);
    check_monitored(table, "monitor", schedule.monitor, spec);
    if (!spec.data.validation) {
        fail(table.origin_of("use"), "schedule.use is \"plateau\", which needs evaluations; add [data.validation]");
    }
}

void read_schedule(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("schedule");
    ScheduleSpec& schedule = spec.schedule;
    schedule.use = static_cast<ScheduleKind>(table.choice("use", schedule_names()));
    schedule.length = read_length(table);
    schedule.warmup = read_share(table, "warmup", schedule.warmup);
    if (schedule.use == ScheduleKind::cosine || schedule.use == ScheduleKind::linear) {
        schedule.final_share = read_share(table, "final", schedule.final_share);
    }
    if (schedule.use == ScheduleKind::step) {
        schedule.factor = table.number("factor", {.min = 0.0, .max = 1.0, .above_min = true}, schedule.factor);
        schedule.step_epochs = table.integer("every_epochs", {.min = 1});
    }
    if (schedule.use == ScheduleKind::plateau) {
        read_plateau(table, spec, schedule);
    }
    pipeline.put("schedule", table.finish());
}

void read_precision(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("precision");
    if (table.maybe("layers") != nullptr) {
        TableReader layers = table.child("layers");
        for (const std::string& pattern : layers.keys()) {
            const std::string use = layers.text(pattern);
            spec.precision_rules.push_back({pattern, use, layers.origin_of(pattern)});
        }
        table.put("layers", layers.finish());
    }
    spec.precision = read_component(table, "float32");
    pipeline.put("precision", table.finish());
}

}  // namespace

void read_learning(TableReader& pipeline, PipelineSpec& spec, bool trains) {
    read_loss(pipeline, spec, trains);
    read_metrics(pipeline, spec);
    read_optimizer(pipeline, spec, trains);
    read_schedule(pipeline, spec);
    read_precision(pipeline, spec);
}

}  // namespace sluice::config

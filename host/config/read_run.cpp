// Where and how long a run goes, and what it leaves: [strategy], [device], [train], [evaluate], [observe],
// [checkpoint].
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

void read_strategy(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("strategy");
    spec.strategy = read_component(table, "single");
    pipeline.put("strategy", table.finish());
}

std::vector<ComponentSpec> read_some(TableReader& table, const std::string& key,
                                     const std::vector<std::string>& fallback) {
    std::vector<ComponentSpec> components = read_components(table, key, fallback);
    if (components.empty()) {
        fail(table.origin_of(key), table.path_of(key) + " is empty; at least one name is needed");
    }
    return components;
}

void read_device(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("device");
    spec.devices = read_some(table, "use", {"cpu"});
    spec.kernels = read_some(table, "kernels", {"onednn", "reference"});
    spec.measure = table.boolean("measure", spec.measure);
    pipeline.put("device", table.finish());
}

Recompute read_recompute(TableReader& train) {
    static const std::vector<std::string> names = {"none", "selective", "full"};
    const std::string name = train.text("recompute", names.front());
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
        fail(train.origin_of("recompute"),
             fmt::format("train.recompute is \"{}\"; it is one of none, selective, full{}", name,
                         suggestion(name, names)));
    }
    return static_cast<Recompute>(at - names.begin());
}

void read_lengths(TableReader& pipeline, PipelineSpec& spec) {
    TableReader train = pipeline.child("train");
    spec.epochs = train.integer("epochs", {.min = 1}, spec.epochs);
    spec.steps = train.maybe_integer("steps", {.min = 0});
    spec.recompute = read_recompute(train);
    pipeline.put("train", train.finish());

    TableReader evaluate = pipeline.child("evaluate");
    spec.evaluate_every = read_interval(evaluate, "every", "1 epoch");
    pipeline.put("evaluate", evaluate.finish());
}

void read_observe(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("observe");
    spec.observers = read_components(table, "use", {"progress", "metrics", "images"});
    pipeline.put("observe", table.finish());
}

void read_checkpoint(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("checkpoint");
    spec.checkpoint.every = read_interval(table, "every", "1 epoch");
    spec.checkpoint.keep = table.integer("keep", {.min = 1}, spec.checkpoint.keep);
    spec.checkpoint.monitor = table.maybe_text("monitor").value_or("");
    std::vector<std::string> watched = {"loss"};
    for (const ComponentSpec& metric : spec.metrics) {
        watched.push_back(metric.use);
    }
    const std::string& monitor = spec.checkpoint.monitor;
    if (!monitor.empty() && std::find(watched.begin(), watched.end(), monitor) == watched.end()) {
        fail(table.origin_of("monitor"),
             fmt::format("checkpoint.monitor is \"{}\", which this pipeline does not measure{}", monitor,
                         suggestion(monitor, watched)));
    }
    pipeline.put("checkpoint", table.finish());
}

}  // namespace

void read_run(TableReader& pipeline, PipelineSpec& spec) {
    read_strategy(pipeline, spec);
    read_device(pipeline, spec);
    read_lengths(pipeline, spec);
    read_observe(pipeline, spec);
    read_checkpoint(pipeline, spec);
}

}  // namespace sluice::config

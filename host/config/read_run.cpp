// Reads [strategy], [device], [train], [evaluate], [observe], [checkpoint], [profile] and [what_if].
#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <utility>

#include "config/cache_entry.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

constexpr double kMostDecay = 0.999999;  // of the weights' moving average: above it, float32 rounds a step away

// True if gradients are sent as bfloat16.
bool read_wire(TableReader& strategy) {
    static const std::vector<std::string> names = {"float32", "bfloat16"};
    return strategy.choice("wire", names) == 1;
}

void read_strategy(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("strategy");
    (void)table.text("use", "single");  // read first, so that listings begin with it
    SharingSpec& sharing = spec.sharing;
    sharing.micro_shards = table.integer_or_auto("micro_shards", {.min = 1}).value_or(0);
    sharing.shard_threads = table.integer("shard_threads", {.min = 1}, sharing.shard_threads);
    if (sharing.shard_threads > 1 && sharing.micro_shards == 0) {
        fail(
            table.origin_of("shard_threads"),
            fmt::format("{} is {}, but there are no micro-shards; set {}, for example to 4, or leave shard_threads out",
                        table.path_of("shard_threads"), sharing.shard_threads, table.path_of("micro_shards")));
    }
    sharing.bucket = table.size_or_auto("bucket");
    sharing.deadline = table.number("deadline", {.min = 0.0}, sharing.deadline);
    sharing.sends_bfloat16 = read_wire(table);
    if (spec.deterministic && sharing.micro_shards > 0 && sharing.sends_bfloat16) {
        fail(table.origin_of("wire"),
             "strategy.wire = \"bfloat16\" rounds the gradients of each process, so results depend on the number of "
             "processes, but strategy.micro_shards with deterministic = true excludes that; leave one of the two out, "
             "or set deterministic = false");
    }
    sharing.shard_optimizer = table.boolean("shard_optimizer", sharing.shard_optimizer);
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

// Returns an empty list for "auto", which is also the default.
std::vector<ComponentSpec> read_kernels(TableReader& table) {
    std::vector<ComponentSpec> kernels = read_some(table, "kernels", {"auto"});
    return kernels.size() == 1 && kernels.front().use == "auto" ? std::vector<ComponentSpec>{} : kernels;
}

void read_device(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("device");
    spec.devices = read_some(table, "use", {"cpu"});
    spec.kernels = read_kernels(table);
    // Kernel tuning may choose other kernels in another process or run, which changes the bits of the results.
    spec.measure = table.boolean("measure", !(spec.deterministic && spec.sharing.micro_shards > 0));
    spec.record = table.boolean("record", spec.record);
    spec.pin = table.boolean("pin", spec.pin);
    pipeline.put("device", table.finish());
}

Recompute read_recompute(TableReader& train) {
    static const std::vector<std::string> names = {"none", "selective", "full"};
    return static_cast<Recompute>(train.choice("recompute", names));
}

void read_train(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("train");
    TrainSpec& train = spec.train;
    train.epochs = table.integer("epochs", {.min = 1}, train.epochs);
    train.steps = table.maybe_integer("steps", {.min = 0});
    train.accumulate = table.integer("accumulate", {.min = 1}, train.accumulate);
    train.ema = table.number("ema", {.min = 0.0, .max = kMostDecay}, train.ema);
    train.overfit_one_batch = table.boolean("overfit_one_batch", train.overfit_one_batch);
    train.recompute = read_recompute(table);
    pipeline.put("train", table.finish());
}

void read_evaluate(TableReader& pipeline, PipelineSpec& spec) {
    TableReader evaluate = pipeline.child("evaluate");
    spec.evaluate_every = read_interval(evaluate, "every", "1 epoch");
    pipeline.put("evaluate", evaluate.finish());
}

void read_observe(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("observe");
    spec.observers = read_observers(table);
    pipeline.put("observe", table.finish());
}

void read_checkpoint(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("checkpoint");
    spec.checkpoint.every = read_interval(table, "every", "1 epoch");
    spec.checkpoint.keep = table.integer("keep", {.min = 1}, spec.checkpoint.keep);
    spec.checkpoint.monitor = table.maybe_text("monitor").value_or("");
    if (!spec.checkpoint.monitor.empty()) {
        check_monitored(table, "monitor", spec.checkpoint.monitor, spec);
        if (!spec.data.validation) {
            fail(table.origin_of("monitor"), fmt::format("{} is \"{}\", which needs evaluations; add [data.validation]",
                                                         table.path_of("monitor"), spec.checkpoint.monitor));
        }
    }
    pipeline.put("checkpoint", table.finish());
}

// Reads "20-24" or "20".
ProfileSpec::Steps read_steps(const TableReader& table, const std::string& key, const std::string& text) {
    ProfileSpec::Steps steps;
    const char* const end = text.data() + text.size();
    std::from_chars_result read = std::from_chars(text.data(), end, steps.first);
    steps.last = steps.first;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') {
        read = std::from_chars(read.ptr + 1, end, steps.last);
    }
    if (read.ec != std::errc() || read.ptr != end || steps.first < 1 || steps.last < steps.first) {
        fail(table.origin_of(key),
             fmt::format("{} is \"{}\"; it must be the steps to record, from 1, as in \"20-24\" or "
                         "\"20\", with the lower number first",
                         table.path_of(key), text));
    }
    if (steps.last - steps.first >= ProfileSpec::kMostSteps) {
        fail(table.origin_of(key), fmt::format("{} is \"{}\"; a window has at most {} steps", table.path_of(key), text,
                                               ProfileSpec::kMostSteps));
    }
    return steps;
}

void read_profile(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("profile");
    if (const std::optional<std::string> steps = table.maybe_text("steps")) {
        spec.profile.steps = read_steps(table, "steps", *steps);
    }
    Value read = table.finish();
    if (spec.profile.steps) {  // listings show no empty table
        pipeline.put("profile", std::move(read));
    }
}

void read_what_if(TableReader& pipeline, PipelineSpec& spec) {
    TableReader table = pipeline.child("what_if");
    WhatIfSpec& what_if = spec.what_if;
    what_if.replay_batches = table.integer("replay_batches", {.min = 0}, what_if.replay_batches);
    what_if.repeat_samples = table.integer("repeat_samples", {.min = 0}, what_if.repeat_samples);
    what_if.skips_upload = table.boolean("skip_upload", what_if.skips_upload);
    what_if.skips_network = table.boolean("skip_network", what_if.skips_network);
    what_if.skips_exchange = table.boolean("skip_exchange", what_if.skips_exchange);
    what_if.cache_folder = table.text("cache_folder", what_if.cache_folder);
    if (!what_if.cache_folder.empty()) {
        move_disk_cache(spec.data.train, what_if.cache_folder);
        if (spec.data.validation) {
            move_disk_cache(*spec.data.validation, what_if.cache_folder);
        }
    }
    Value read = table.finish();
    if (what_if.leaves_work_out() || !what_if.cache_folder.empty()) {  // listings show no empty table
        pipeline.put("what_if", std::move(read));
    }
}

}  // namespace

void read_run(TableReader& pipeline, PipelineSpec& spec) {
    read_strategy(pipeline, spec);
    read_device(pipeline, spec);
    read_train(pipeline, spec);
    read_evaluate(pipeline, spec);
    read_observe(pipeline, spec);
    read_checkpoint(pipeline, spec);
    read_profile(pipeline, spec);
    read_what_if(pipeline, spec);
}

}  // namespace sluice::config

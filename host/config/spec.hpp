// What a pipeline file says, typed. Tables that belong to plugins are kept as they were written; the registry checks
// them against the schema of the component that they name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace sluice::config {

// `{ use = "adam", beta1 = 0.9 }`: a component by name, and the keys that belong to it.
struct ComponentSpec {
    std::string use;
    Origin origin;
    Table options;
};

// One entry of a list of layers: a layer by type, or a block by name.
struct LayerSpec {
    std::string type;                 // empty for a block
    std::string block;                // empty for a layer
    std::string name;                 // empty where the pipeline gives none
    std::vector<std::string> inputs;  // "previous", "input", or a name; empty: the previous layer
    std::int64_t repeat = 1;
    Origin origin;
    Table options;  // what belongs to the layer type
};

struct BlockSpec {
    std::string name;
    Origin origin;
    std::vector<LayerSpec> layers;
};

// Data of one purpose: where samples come from and what happens to each.
struct StreamSpec {
    ComponentSpec source;
    std::vector<ComponentSpec> map;
};

struct DataSpec {
    std::int64_t batch = 8;
    std::optional<std::int64_t> workers;   // nothing: "auto"
    std::optional<std::int64_t> prefetch;  // batches made ahead; nothing: "auto"
    StreamSpec train;
    std::optional<StreamSpec> validation;
};

struct ModelSpec {
    std::string input;   // field that the network sees
    std::string target;  // field that the loss compares with
    double low = 0.0;    // images are mapped from 0..255 to low..high
    double high = 1.0;
    std::vector<LayerSpec> layers;
    std::vector<BlockSpec> blocks;
};

// The learning rate over the run. Closed list: constant, cosine, linear, step.
struct ScheduleSpec {
    std::string use = "constant";
    double warmup = 0.0;           // linear, as a share of all steps
    double final_share = 0.0;      // cosine, linear: rate at the end over `optimizer.rate`
    double step_factor = 0.1;      // step: the rate is multiplied by it
    std::int64_t step_epochs = 0;  // step: every that many epochs
};

// A length of time in the run's own units.
struct Interval {
    std::int64_t count = 1;
    bool epochs = true;  // else steps
};

struct CheckpointSpec {
    Interval every;
    std::int64_t keep = 3;
    std::string monitor;  // metric that decides which is best; empty: the first metric, else the loss
};

// What backward computes again rather than keeps from forward (activation checkpointing). selective: cheap layers
// where that saves memory; full: all of each block.
enum class Recompute { none, selective, full };

struct PipelineSpec {
    std::string name;  // the file's name without ".toml"
    std::int64_t seed = 0;
    bool deterministic = true;
    DataSpec data;
    ModelSpec model;
    ComponentSpec loss;
    std::vector<ComponentSpec> metrics;
    ComponentSpec optimizer;
    double rate = 1e-3;  // optimizer.rate: the host's, because the schedule scales it
    ScheduleSpec schedule;
    ComponentSpec precision;
    ComponentSpec strategy;
    std::vector<ComponentSpec> devices;  // the first that works
    std::vector<ComponentSpec> kernels;  // in the order in which they are asked
    bool measure = true;                 // kernels may run what they choose among
    std::int64_t epochs = 1;
    std::optional<std::int64_t> steps;  // stops after that many; the schedule keeps its length
    Recompute recompute = Recompute::none;
    Interval evaluate_every;
    std::vector<ComponentSpec> observers;
    CheckpointSpec checkpoint;

    // The whole file after include, ${NAME} and --set, in one order, with every default of the host's own tables. Lists
    // of layers and what belongs to plugins are as they were written.
    Table resolved;
};

// Where a value of `resolved` was written: origin_of(spec.resolved, "model.input"). Where there is none, the place of
// the innermost table on the way that there is.
Origin origin_of(const Table& resolved, std::string_view path);

}  // namespace sluice::config

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
    std::string precision;  // the policy of this layer, or of all in the block; empty: that of the pipeline
    Origin precision_origin;
    Origin origin;
    Table options;  // what belongs to the layer type
};

struct BlockSpec {
    std::string name;
    Origin origin;
    std::vector<LayerSpec> layers;
};

struct SourceSpec {
    ComponentSpec component;
    std::optional<double> weight;         // share of an epoch, where several are mixed by weight; then all have one
    std::vector<ComponentSpec> others{};  // of the same name, of all streams of the pipeline
};

// How the samples of an epoch are put into a random order: all of them, or block by block.
struct OrderSpec {
    std::int64_t block = 0;     // consecutive samples; 0: all are mixed
    std::int64_t together = 1;  // blocks whose samples are mixed
};

// How often each sample comes.
struct SamplingSpec {
    std::string use = "uniform";  // once; balanced: all classes alike; classes: by `weights`; weights: the source's
    std::vector<double> weights;  // of classes
    Origin origin;
};

// Data of one purpose: where samples come from, in which order, and what happens to each.
struct StreamSpec {
    std::vector<SourceSpec> sources;
    OrderSpec order;
    SamplingSpec sampling;
    std::vector<ComponentSpec> map;
    std::optional<std::uint64_t> cache_bytes;   // of data.memory, for its cache in memory; nothing: no share of it
    std::optional<std::uint64_t> batch_bytes;   // of data.memory, for its batches, with the one in use
    std::optional<std::uint64_t> sample_bytes;  // of data.memory, for its samples while they are made
};

struct DataSpec {
    std::int64_t batch = 8;
    std::optional<std::int64_t> workers;   // nothing: "auto"
    std::optional<std::int64_t> prefetch;  // batches made ahead; nothing: "auto"
    std::optional<std::uint64_t> memory;   // bytes for caches in memory, batches and samples that are made
    std::int64_t skip_bad = 0;             // samples of train that may be bad; 0: the first ends the run
    double stall_seconds = 60.0;           // a batch that takes longer is told of; 0: never
    StreamSpec train;
    std::optional<StreamSpec> validation;
};

// How replicas share a step: what [strategy] says beside the options of the strategy itself.
struct SharingSpec {
    std::int64_t micro_shards = 0;        // parts of a batch that are computed by themselves; 0: replicas
    std::int64_t shard_threads = 1;       // that compute a micro-shard: sums depend on them
    std::optional<std::uint64_t> bucket;  // bytes of gradients that travel together; nothing: "auto"
    double deadline = 8.0;                // seconds after which a replica that does not come is given up
    bool shard_optimizer = false;         // each replica updates a part of the parameters
    bool narrow_wire = false;             // gradients travel as bfloat16, else as they are
};

struct ModelSpec {
    std::string input;   // field that the network sees; empty: there is no [model] (load_input)
    std::string target;  // field that the loss compares with
    double low = 0.0;    // images are mapped from 0..255 to low..high
    double high = 1.0;
    std::vector<LayerSpec> layers;
    std::vector<BlockSpec> blocks;
};

// A length of time in the run's own units.
struct Interval {
    std::int64_t count = 1;
    bool epochs = true;  // else steps
};

// How the learning rate follows the samples of a step, over those that it was found for: not at all, by their ratio, or
// by its root.
enum class RateScale { none, linear, square_root };

// The learning rate over the run. Closed list: constant, cosine, linear, step, plateau.
struct ScheduleSpec {
    std::string use = "constant";
    std::optional<Interval> length;  // nothing: as long as the training
    double warmup = 0.0;             // linear, as a share of the length
    double final_share = 0.0;        // cosine, linear: rate at the end over `optimizer.rate`
    double factor = 0.1;             // step, plateau: the rate is multiplied by it
    std::int64_t step_epochs = 0;    // step: every that many epochs
    std::int64_t patience = 10;      // plateau: evaluations without a gain that are let pass
    double threshold = 1e-4;         // plateau: a smaller gain, as a share of the best, is none
    double min_rate = 0.0;           // plateau: the rate falls no further
    std::string monitor = "loss";    // plateau: the validation loss, or a metric
};

// What backward computes again rather than keeps from forward (activation checkpointing). selective: cheap layers
// where that saves memory; full: all of each block.
enum class Recompute { none, selective, full };

// [train]
struct TrainSpec {
    std::int64_t epochs = 1;
    std::optional<std::int64_t> steps;  // stops after that many; the schedule keeps its length
    std::int64_t accumulate = 1;        // batches whose gradients make one step
    double ema = 0.0;                   // decay of the weights' moving average; 0: none is kept
    bool overfit_one_batch = false;     // the first batch again and again
    Recompute recompute = Recompute::none;
};

struct CheckpointSpec {
    Interval every;
    std::int64_t keep = 3;
    std::string monitor;  // metric that decides which is best; empty: the first metric, else the loss
};

// `"head/*" = "float32"`: the precision policy of the layers whose path fits; `*` is any text.
struct PrecisionRule {
    std::string pattern;
    std::string use;
    Origin origin;
};

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
    RateScale scale_rate = RateScale::none;
    std::int64_t scale_from = 0;  // optimizer.scale_from: samples of a step that `rate` was found for; 0: not given
    double clip_norm = 0.0;       // optimizer.clip_norm: the most that the norm of all gradients may be; 0: no limit
    ScheduleSpec schedule;
    ComponentSpec precision;
    std::vector<PrecisionRule> precision_rules;  // precision.layers: the first that fits
    ComponentSpec strategy;
    SharingSpec sharing;
    std::vector<ComponentSpec> devices;  // the first that works
    std::vector<ComponentSpec> kernels;  // in the order in which they are asked; empty: all that are installed
    bool measure = true;                 // kernels may run what they choose among
    bool record = true;                  // device.record: steps are recorded and run as one, where the device can
    bool pin = false;                    // device.pin: each compute thread stays on one core
    TrainSpec train;
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

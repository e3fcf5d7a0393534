// The typed content of a pipeline file. Tables that belong to plugins stay as written; the registry checks them against
// the schema of the component that they name.
#pragma once

#include <cstddef>
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

// A layer by type, or a block by name. An entry with `repeat` becomes several of these.
struct LayerSpec {
    std::string type;                 // empty for a block
    std::string block;                // empty for a layer
    std::string name;                 // for `inputs` of later layers; empty if the pipeline gives none
    std::string path;                 // within its list, unique: "conv2d_2"
    std::string key;                  // leads to the entry in the pipeline: "model.blocks.residual.layers.2"
    std::vector<std::string> inputs;  // "previous", "input", or a name; empty: the previous layer
    std::string precision;            // policy of this layer, or of all layers in the block; empty: the pipeline's
    Origin precision_origin;
    Origin origin;
    Table options;                  // options of the layer type
    std::vector<LayerSpec> layers;  // that the block contains
    bool is_left_out = false;       // its `if` is false: it passes on its first input
    bool is_copy = false;           // by `repeat`: not the first of its entry
    bool is_numbered = false;       // its name ended with '/', so that others may have the same
};

struct SourceSpec {
    ComponentSpec component;
    std::optional<double> weight;         // share of an epoch; given for all of several sources or for none
    std::vector<ComponentSpec> others{};  // other sources of the same name, in all streams
};

struct ObserverSpec {
    ComponentSpec component;
    bool hold = false;  // the run waits until the observer has handled each event
};

// How the samples of an epoch are shuffled: all together, or block by block.
struct OrderSpec {
    std::int64_t block = 0;     // consecutive samples; 0: all are shuffled together
    std::int64_t together = 1;  // blocks whose samples are shuffled together
};

// Decides how often an epoch draws each sample. uniform: once; balanced: all classes equally; classes: by weights of
// the classes; weights: by those that the source has.
enum class SamplingKind { uniform, balanced, classes, weights };

struct SamplingSpec {
    SamplingKind use = SamplingKind::uniform;
    std::vector<double> weights;  // classes: one per class
    Origin origin;
};

// Data of one purpose: its sources, their order, and the transforms of each sample.
struct StreamSpec {
    std::vector<SourceSpec> sources;
    OrderSpec order;
    SamplingSpec sampling;
    std::vector<ComponentSpec> map;
    std::optional<std::uint64_t> cache_bytes;   // of data.memory, for its memory cache; nullopt: none
    std::optional<std::uint64_t> batch_bytes;   // of data.memory, for its batches, including the one in use
    std::optional<std::uint64_t> sample_bytes;  // of data.memory, for its samples in preparation
};

struct DataSpec {
    std::int64_t batch = 8;
    std::optional<std::int64_t> workers;   // nullopt: "auto"
    std::optional<std::int64_t> prefetch;  // batches prepared ahead; nullopt: "auto"
    std::optional<std::uint64_t> memory;   // bytes for memory caches, batches and samples in preparation
    std::int64_t skip_bad = 0;             // bad samples that train tolerates; 0: the first stops the run
    double stall_seconds = 60.0;           // a batch that takes longer is reported; 0: never
    StreamSpec train;
    std::optional<StreamSpec> validation;
};

// How replicas share a step: the keys of [strategy] that the host reads itself.
struct SharingSpec {
    std::int64_t micro_shards = 0;        // parts of a batch that are computed separately; 0: one per replica
    std::int64_t shard_threads = 1;       // threads per micro-shard; sums depend on their number
    std::optional<std::uint64_t> bucket;  // bytes of gradients that are sent at once; nullopt: "auto"
    double deadline = 8.0;                // timeout in seconds, after which a silent replica is lost
    bool shard_optimizer = false;         // each replica updates a part of the parameters
    bool sends_bfloat16 = false;          // gradients are sent as bfloat16, else unchanged
};

// The beginning of a layer's path in files of another program. "*" stands for one part of a path: "blocks/*/conv".
struct NameRule {
    std::string ours;
    std::string theirs;
};

// Names that some files have for the layers of a model.
struct NameSet {
    std::string name;  // says which program or package has them
    std::vector<NameRule> rules;
};

struct ModelSpec {
    std::string input;   // field that the network sees; empty: there is no [model] (load_input)
    std::string target;  // field that the loss compares with
    double low = 0.0;    // images are mapped from 0..255 to low..high
    double high = 1.0;
    std::vector<double> image_mean;  // subtracted from the channels of the input after that; empty: nothing
    std::vector<double> image_std;   // the channels are divided by it then
    std::string name;                // that the file of the model has; empty: [model] uses none
    std::vector<LayerSpec> layers;
    std::string weights;  // file that a new run starts from; empty: none
    std::vector<NameSet> names;
};

// Calls `visit` with each layer and block of the list, each block followed by its own layers. `Layers` is a vector of
// LayerSpec, constant or not.
template <typename Layers, typename Visit>
void visit_layers(Layers& layers, const Visit& visit) {
    for (auto& layer : layers) {
        if (!layer.is_left_out) {
            visit(layer);
            visit_layers(layer.layers, visit);
        }
    }
}

// A length of time in the run's own units.
struct Interval {
    std::int64_t count = 1;
    bool epochs = true;  // else steps
};

// How the learning rate scales with the samples per step, relative to `scale_from`: not at all, with the ratio, or with
// its square root.
enum class RateScale { none, linear, square_root };

enum class ScheduleKind { constant, cosine, linear, step, plateau };

// The learning rate over the run.
struct ScheduleSpec {
    ScheduleKind use = ScheduleKind::constant;
    std::optional<Interval> length;  // nullopt: as long as the training
    double warmup = 0.0;             // linear, as a share of the length
    double final_share = 0.0;        // cosine, linear: rate at the end over `optimizer.rate`
    double factor = 0.1;             // step, plateau: the rate is multiplied by it
    std::int64_t step_epochs = 0;    // step: epochs between two changes of the rate
    std::int64_t patience = 10;      // plateau: evaluations without improvement that are tolerated
    double threshold = 1e-4;         // plateau: least improvement that counts, as a share of the best
    double min_rate = 0.0;           // plateau: lowest rate
    std::string monitor = "loss";    // plateau: the validation loss, or a metric
};

// Backward recomputes activations that forward does not keep (activation checkpointing). selective: those of cheap
// layers, if that saves memory; full: all of each block.
enum class Recompute { none, selective, full };

// [train]
struct TrainSpec {
    std::int64_t epochs = 1;
    std::optional<std::int64_t> steps;  // stops after that many; the schedule keeps its length
    std::int64_t accumulate = 1;        // batches whose gradients make one step
    double ema = 0.0;                   // decay of the weights' moving average; 0: no average
    bool overfit_one_batch = false;     // trains on the first batch only
    Recompute recompute = Recompute::none;
};

struct CheckpointSpec {
    Interval every;
    std::int64_t keep = 3;
    std::string monitor;  // metric that decides which checkpoint is best; empty: the first metric, else the loss
};

// [profile]
struct ProfileSpec {
    static constexpr std::int64_t kMostSteps = 1000;  // that a window may have

    struct Steps {
        std::int64_t first = 1;
        std::int64_t last = 1;
    };
    std::optional<Steps> steps;  // that are recorded, counted from the start of the training
};

// [what_if]: leaves a part of the work out, to measure what it costs. The weights of such a run are worthless.
struct WhatIfSpec {
    std::int64_t replay_batches = 0;  // the first batches are trained on again and again; 0: all are
    std::int64_t repeat_samples = 0;  // the first samples of an epoch are made again and again; 0: all are
    bool skips_upload = false;        // a step computes on the batch that its device has already
    bool skips_network = false;       // a step takes its batch and computes nothing
    bool skips_exchange = false;      // gradients are not exchanged, so that replicas drift apart
    std::string cache_folder;         // caches on disk are in this folder; empty: where the pipeline says

    [[nodiscard]] bool leaves_work_out() const {
        return replay_batches > 0 || repeat_samples > 0 || skips_upload || skips_network || skips_exchange;
    }
};

// `"head/*" = "float32"`: the precision policy of the layers whose path matches; `*` matches any text.
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
    double rate = 1e-3;  // optimizer.rate: a host key, because the schedule scales it
    RateScale scale_rate = RateScale::none;
    std::int64_t scale_from = 0;  // optimizer.scale_from: samples per step that `rate` was tuned for; 0: not given
    double clip_norm = 0.0;       // optimizer.clip_norm: largest norm of all gradients; 0: no limit
    ScheduleSpec schedule;
    ComponentSpec precision;
    std::vector<PrecisionRule> precision_rules;  // precision.layers: the first match applies
    ComponentSpec strategy;
    SharingSpec sharing;
    std::vector<ComponentSpec> devices;  // the first that works is used
    std::vector<ComponentSpec> kernels;  // providers in fallback order; empty: all installed
    bool measure = true;                 // kernels may be tuned by running their alternatives
    bool record = true;                  // device.record: steps run as captured graphs, if the device can
    bool pin = false;                    // device.pin: each compute thread stays on one core
    TrainSpec train;
    Interval evaluate_every;
    std::vector<ObserverSpec> observers;
    CheckpointSpec checkpoint;
    ProfileSpec profile;
    WhatIfSpec what_if;

    // The whole file after include, ${NAME} and --set, in a fixed order, with all defaults of the host's own tables.
    // Lists of layers and options of plugins stay as written.
    Table resolved;
};

// Number of batches that a training takes from its loader and then repeats; 0: it takes all.
inline std::int64_t replayed_batches(const PipelineSpec& spec) {
    return spec.train.overfit_one_batch ? 1 : spec.what_if.replay_batches;
}

// The names of all kinds in a pipeline file, in the order of the enum.
const std::vector<std::string>& sampling_names();
const std::vector<std::string>& schedule_names();

inline const std::string& name_of(SamplingKind kind) { return sampling_names()[static_cast<std::size_t>(kind)]; }
inline const std::string& name_of(ScheduleKind kind) { return schedule_names()[static_cast<std::size_t>(kind)]; }

// Returns where a value of `resolved` was written: origin_of(spec.resolved, "model.input"). If it is missing, returns
// the place of the innermost table on its path.
Origin origin_of(const Table& resolved, std::string_view path);

}  // namespace sluice::config

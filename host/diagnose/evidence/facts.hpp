// Facts of a training that ran undisturbed, without an experiment.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "config/spec.hpp"
#include "profile/stage.hpp"

namespace sluice::diagnose {

// A stage of the input: the source, an entry of the map, or the cache.
struct InputStage {
    std::string name;
    bool reads = false;     // from the source or the cache
    double calls = 0.0;     // per sample of a batch; a cache makes them less than 1
    double seconds = 0.0;   // that a thread spends here per sample of a batch
    double computed = 0.0;  // CPU time in these seconds; the rest waits for a file, a lock or a core
    double bytes = 0.0;     // that it wrote, per call
};

// A launch of the network: an operation of a layer in one direction.
struct Operation {
    std::string layer;      // its path, as "block/3/conv2d"; "loss" and "optimizer" are no layers
    std::string direction;  // "forward", "backward", ...
    double seconds = 0.0;   // per step
    double flop = 0.0;      // per step, by definition of the layer
    double limit = 0.0;     // seconds per step that it takes at least; 0: not known
};

// If several processes train, each rank has its own times: seconds of a step.
struct ProcessTimes {
    std::int64_t rank = 0;
    double own = 0.0;    // without waiting for the others
    double input = 0.0;  // the part of `own` that waits for input
};

struct OtherProcess {
    std::string name;
    std::int64_t id = 0;
    double cores = 0.0;  // that it used on average
};

// Times are seconds of the training loop, on average over the steps that were watched.
struct Facts {
    double steps = 0.0;      // that were watched
    double samples = 0.0;    // in one step of all replicas
    double seconds = 0.0;    // from one step to the next, with evaluations and checkpoints in between
    double variation = 0.0;  // standard deviation of a step over its mean, without its slowest twentieth
    std::array<double, profile::kStages> stages{};  // seconds in a step, by stage
    double evaluation = 0.0;                        // per step
    double evaluation_input = 0.0;                  // of this, waiting for validation data
    double checkpoints = 0.0;                       // per step
    bool has_rare_evaluations = false;              // none came while it was watched: one was timed apart
    bool has_rare_checkpoints = false;
    double length = 0.0;             // seconds of the whole training, at this pace
    double filling_seconds = 0.0;    // that an experiment may take to fill a cache
    std::vector<InputStage> input;   // first the source, then the entries of the map
    std::size_t steady_entries = 0;  // entries of the map before the first random one; the cache does not count
    double epoch_samples = 0.0;
    double validation_samples = 0.0;  // that an evaluation reads
    bool has_files = false;           // options of a source name files
    std::int64_t workers = 0;
    std::int64_t prefetch = 0;
    double workers_busy = 0.0;  // share of their time
    double input_queued = 0.0;  // seconds that threads of the input waited for a core, per sample
    int cores = 1;
    double cores_computing = 0.0;  // cores used on average by threads of each class
    double cores_input = 0.0;
    double cores_observers = 0.0;
    double cores_other = 0.0;
    double run_queue = 0.0;  // threads that wait for a core, on average
    double disk_read = 0.0;  // bytes per second
    double disk_write = 0.0;
    double cache_growth = 0.0;      // bytes of cached samples in memory, per step
    double growth = 0.0;            // bytes of other resident memory per step, after the start
    double growth_error = 0.0;      // its standard error
    std::uint64_t resident = 0;     // bytes at the end
    std::uint64_t available = 0;    // bytes of memory that the machine has left
    double cache_room = 0.0;        // bytes that a cache in memory may take, if it gives no budget
    double disk_room = 0.0;         // bytes that are free where caches on disk are
    double disk_rate = 0.0;         // bytes per second that this disk reads; 0: not measured
    double device_bytes = 0.0;      // memory of the device that a replica needs; 0: not known
    double device_room = 0.0;       // that is free while nothing trains
    bool is_host_device = true;     // the network computes on the CPU
    bool has_fast_16_bits = false;  // the device computes faster with 16-bit numbers
    std::int64_t replicas = 1;
    std::vector<ProcessTimes> processes;  // by rank; empty if there is only one
    double lag = 0.0;                     // share of the time that the others wait for the slowest process
    double lag_error = 0.0;               // its standard error
    std::vector<Operation> operations;
    std::vector<OtherProcess> others;  // that use the cores, most first
};

inline double seconds_of(const Facts& facts, profile::Stage stage) {
    return facts.stages[static_cast<std::size_t>(stage)];
}
// Seconds of a step that wait for the next batch.
inline double input_wait(const Facts& facts) {
    return seconds_of(facts, profile::Stage::read) + seconds_of(facts, profile::Stage::preprocess);
}
// Seconds per sample that a thread waits in this stage for a file, a lock or a device, and not for a core.
inline double blocked_seconds(const Facts& facts, const InputStage& stage) {
    double all = 0.0;
    for (const InputStage& one : facts.input) {
        all += one.seconds - one.computed;
    }
    const double waited = stage.seconds - stage.computed;
    return all > 0.0 ? std::max(0.0, waited - facts.input_queued * waited / all) : 0.0;
}
// True if a thread spends most of its time in this stage waiting, and not for a core.
inline bool waits(const Facts& facts, const InputStage& stage) {
    return blocked_seconds(facts, stage) > 0.5 * stage.seconds;
}
// The largest share of the time that an input without cost could save: the waits, and the cores that it takes.
inline double most_input_share(const Facts& facts) {
    const double takes = facts.is_host_device ? facts.cores_input / facts.cores : 0.0;
    return (facts.seconds > 0.0 ? input_wait(facts) / facts.seconds : 0.0) + takes;
}
// Number of samples that experiments with a cache make again and again, so that it is full soon: as many as there is
// time for, since few samples stay in the caches of the cores.
inline std::int64_t repeated_samples(const Facts& facts) {
    constexpr double kBatches = 4.0;
    constexpr double kFewest = 32.0;
    const double made = facts.filling_seconds * facts.samples / std::max(facts.seconds, 1e-9);
    return static_cast<std::int64_t>(
        std::min(std::max({kBatches * facts.samples, kFewest, made}), std::max(facts.epoch_samples, 1.0)));
}
// The process that takes longest; null if there is only one.
inline const ProcessTimes* slowest_process(const Facts& facts) {
    const auto slowest = std::ranges::max_element(facts.processes, {}, &ProcessTimes::own);
    return slowest != facts.processes.end() ? &*slowest : nullptr;
}
// A training makes so many samples until a cache of `kept` samples is full, and what it made before is used up.
inline double samples_until_full(const Facts& facts, double kept) {
    return kept + static_cast<double>(facts.prefetch + 1) * facts.samples;
}
inline double samples_until_full(const Facts& facts) {
    return samples_until_full(facts, static_cast<double>(repeated_samples(facts)));
}
// Returns the steps between two times of what comes at this interval.
inline double steps_of(const config::Interval& interval, const Facts& facts) {
    const double steps_of_epoch = std::max(1.0, facts.epoch_samples / std::max(facts.samples, 1.0));
    return std::max(1.0, static_cast<double>(interval.count) * (interval.epochs ? steps_of_epoch : 1.0));
}
// Seconds that threads spend on a sample in all stages of the input.
inline double input_seconds(const Facts& facts) {
    return std::accumulate(facts.input.begin(), facts.input.end(), 0.0,
                           [](double sum, const InputStage& stage) { return sum + stage.seconds; });
}
// `seconds` of a step as a share of all its time.
inline double share_of(const Facts& facts, double seconds) {
    return facts.seconds > 0.0 ? seconds / facts.seconds : 0.0;
}

}  // namespace sluice::diagnose

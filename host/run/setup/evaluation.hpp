// One pass over the validation data.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/loader/loader.hpp"
#include "registry/optional/processes.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// The value of a metric over all samples.
struct MetricScore {
    std::string name;  // "psnr"; "input_psnr" if of_input
    double value = 0.0;
    bool higher_is_better = false;
    bool of_input = false;  // the same metric of the input itself
};

struct SampleScore {
    std::string name;
    std::vector<double> values;  // in the order of Evaluation::metrics
};

struct Evaluation {
    LossSum loss;
    std::string not_finite;  // if the loss is not finite: first layer whose output is not, in the first such batch
    std::vector<MetricScore> metrics;         // those of the input follow the others, in the same order
    std::vector<SampleScore> samples;         // empty if several processes evaluate
    std::size_t left_out = 0;                 // bad samples that were left out
    std::vector<data::NamedTensor> pictures;  // of the first replica's share of the first batch, float32 in 0..1
};

// Timeout of a batch in evaluation, from the times of earlier batches. A batch that is larger than all before gets
// kRareWorkTimeout.
class EvaluationTimes {
public:
    // `deadline`: shortest timeout in seconds; 0: no timeouts.
    explicit EvaluationTimes(double deadline) : deadline_(deadline) {}

    // Returns the seconds by which a replica may be behind another in this batch; 0: no timeout.
    [[nodiscard]] double timeout(const data::Batch& batch) const;
    void add(const data::Batch& batch, double seconds);

private:
    double deadline_;
    std::size_t largest_ = 0;  // bytes
    double longest_ = 0.0;     // seconds
};

// Evaluates all samples once, in order. Each process evaluates its share of every batch, and all return the same loss
// and metrics. Samples that the loader leaves out are added to `bad`; results only cover the others.
// `stop` is called after every batch. If it returns true, as it must in all processes, evaluation stops early with the
// results so far. A loader that is asked to stop has the same effect.
// Throws Error(Exit::data) if no sample is left. `times` keeps the times of earlier evaluations.
Evaluation evaluate(const ReplicaGroup& replicas, const registry::Processes& processes, data::Loader& loader,
                    data::BadSamples& bad, EvaluationTimes& times, const std::function<bool()>& stop);

struct Monitored {
    std::string name;  // as in the event of an evaluation
    double value = 0.0;
    bool higher_is_better = false;
};
// Returns the value that decides which weights are best: the validation loss for "loss", else the metric of this name.
// For an empty name it is the first metric, or the loss without metrics.
Monitored monitored(const Evaluation& evaluation, const std::string& name);

// Converts pictures in 0..1 to uint8, rounded to nearest.
std::vector<std::pair<std::string, HostTensor>> to_bytes(std::span<const data::NamedTensor> pictures);

}  // namespace sluice::run

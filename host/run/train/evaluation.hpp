// One pass over the validation data.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/loader/loader.hpp"
#include "registry/objects/processes.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

struct SampleScore {
    std::string name;
    std::vector<double> values;  // in the order of Evaluation::metrics
};

struct Evaluation {
    LossSum loss;
    std::string not_finite;  // where the loss is not: the first layer whose output is not, in the first such batch
    std::vector<std::pair<std::string, double>> metrics;  // by name: "psnr", "ssim", "input_psnr", ...
    std::vector<bool> higher_is_better;                   // of each metric
    std::vector<SampleScore> samples;                     // none where several processes evaluate
    std::size_t left_out = 0;                             // samples that are bad
    std::vector<data::NamedTensor> pictures;  // of the first replica's part of the first batch, float32 in 0..1
};

// How long a replica may be behind another in a batch: as in a step by those before, of which none was smaller.
class EvaluationPace {
public:
    // Seconds; 0: however long it takes.
    explicit EvaluationPace(double deadline) : deadline_(deadline) {}

    [[nodiscard]] double patience(const data::Batch& batch) const;
    void add(const data::Batch& batch, double seconds);

private:
    double deadline_;
    std::size_t largest_ = 0;  // bytes
    double longest_ = 0.0;     // seconds
};

// Evaluates samples 0 to length - 1 once, in order; of several processes each its part of every batch, and all find the
// same. Samples that the loader leaves out are told to `bad`, and all it gives is of the others. `stop` is asked after
// every batch; true, in all processes, leaves early with what there is; so does the loader that is asked to stop.
// Throws Error(Exit::data) where no sample is left. `pace` is that of earlier evaluations.
Evaluation evaluate(const ReplicaGroup& replicas, const registry::Processes& processes, data::Loader& loader,
                    data::BadSamples& bad, EvaluationPace& pace, const std::function<bool()>& stop);

struct Monitored {
    double value = 0.0;
    bool higher_is_better = false;
};
// The value that decides: the validation loss for "loss", else a metric; for an empty name the first metric if any.
Monitored monitored(const Evaluation& evaluation, const std::string& name);

// Pictures in 0..1 as uint8, rounded to nearest.
std::vector<std::pair<std::string, HostTensor>> to_bytes(std::span<const data::NamedTensor> pictures);

}  // namespace sluice::run

// The results of a computed batch: loss, metrics and pictures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/loader/batch.hpp"
#include "run/network/program.hpp"
#include "run/network/tensor_reader.hpp"

namespace sluice::run {

// Sums over the samples of one batch; the mean is sum / weight.
struct LossSum {
    double sum = 0.0;
    double weight = 0.0;
    [[nodiscard]] double mean() const { return weight > 0.0 ? sum / weight : 0.0; }
};

// The results of an evaluated batch.
struct EvaluatedBatch {
    std::vector<std::string> names;  // of its samples
    LossSum loss;
    std::string not_finite;  // first layer whose output is not finite, if the loss is not; empty: none
    std::vector<std::vector<double>> metric_sums;  // one vector of accumulators for each metric of the graph
    std::vector<std::vector<double>> per_sample;   // [metric][sample], finalized

    // Adds the results of the micro-batch that `program` has just computed.
    void add(const Program& program, TensorReader& reader);

    // Appends the results as bytes, for another process. Names and values of single samples are left out.
    void write(std::string& to) const;
    // Reads what write() wrote, and removes it from `from`.
    static EvaluatedBatch read(std::string_view& from);
};

// Returns the pictures of the last run of `program`: "input", "output", "target", float32 NHWC in 0..1.
std::vector<data::NamedTensor> read_images(const Program& program, TensorReader& reader);

}  // namespace sluice::run

// What the outputs of a batch say: its loss, its metrics, its pictures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/loader/loader.hpp"
#include "run/network/program.hpp"
#include "run/network/tensor_reader.hpp"

namespace sluice::run {

// Sums over the samples of one batch; the mean is sum / weight.
struct LossSum {
    double sum = 0.0;
    double weight = 0.0;
    [[nodiscard]] double mean() const { return weight > 0.0 ? sum / weight : 0.0; }
};

// What an evaluated batch gives.
struct EvaluatedBatch {
    std::vector<std::string> names;  // of its samples
    LossSum loss;
    std::string not_finite;  // where the loss is not: the first layer whose output is not; empty where none is
    std::vector<std::vector<double>> metric_sums;  // one vector of accumulators for each metric of the graph
    std::vector<std::vector<double>> per_sample;   // [metric][sample], finalized

    // What a piece of the batch gave, which `program` has just computed.
    void add(const Program& program, TensorReader& reader);

    // As bytes, for another process; nothing of single samples.
    void write(std::string& to) const;
    // Takes them away.
    static EvaluatedBatch read(std::string_view& from);
};

// Pictures of what `program` has computed last: "input", "output", "target", float32 NHWC in 0..1.
std::vector<data::NamedTensor> read_images(const Program& program, TensorReader& reader);

}  // namespace sluice::run

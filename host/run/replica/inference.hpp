// Forward alone: evaluation and prediction, with the average of the weights if one is kept.
#pragma once

#include <string>
#include <vector>

#include "run/collective/own_shards.hpp"
#include "run/network/fitting_size.hpp"
#include "run/network/scores.hpp"
#include "run/replica/network_runner.hpp"

namespace sluice::run {

class Inference {
public:
    // All of these outlive it.
    Inference(const config::PipelineSpec& spec, const plan::Toolbox& tools, NetworkRunner& runner, OwnShards& shards);

    // Measures kernels and takes memory for batches of such shapes, where that is not done yet.
    void prepare(const data::Batch& batch);
    // Adds what each of its shards of the batch that has samples gives. Pictures of a size that the network does not
    // take are padded for it; loss and metrics are those of the pictures themselves.
    void evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards);
    void predict(const data::Batch& batch);
    // In which the network takes pictures.
    [[nodiscard]] FittingSizes& sizes() { return sizes_; }

private:
    // What loss and metrics are computed of, and by which plan.
    struct Judged {
        plan::Mode mode;
        const data::Batch& batch;
    };
    [[nodiscard]] Judged to_judge(const data::Batch& own);
    void predict_padded();
    void forward(const data::Batch& piece);
    [[nodiscard]] std::string layer_not_finite(plan::Mode mode, const data::Batch& batch);

    const std::string& input_;  // field
    NetworkRunner& runner_;
    OwnShards& shards_;
    FittingSizes sizes_;
    data::Batch padded_;      // the input as the network takes it
    data::Batch prediction_;  // what the network makes of it, in the size of the pictures, with the fields of the batch
};

}  // namespace sluice::run

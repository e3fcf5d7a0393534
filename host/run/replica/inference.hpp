// Evaluation and prediction: forward only, with the average of the weights if one is kept.
#pragma once

#include <string>
#include <vector>

#include "run/collective/shard_range.hpp"
#include "run/network/fitting_size.hpp"
#include "run/network/scores.hpp"
#include "run/replica/network_runner.hpp"

namespace sluice::run {

class Inference {
public:
    // The arguments must outlive this object.
    Inference(const config::PipelineSpec& spec, const plan::Toolbox& tools, NetworkRunner& runner, ShardRange& shards);

    // Tunes kernels and allocates memory for batches of these shapes, if that is not done yet.
    void prepare(const data::Batch& batch);
    // Appends the results of each own shard that has samples. Pictures of a size that the network does not take are
    // padded for it; loss and metrics are those of the unpadded pictures.
    void evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards);
    void predict(const data::Batch& batch);
    // Returns the pictures of the last evaluated or predicted micro-batch: "input", "output", "target", float32 NHWC in
    // 0..1.
    [[nodiscard]] std::vector<data::NamedTensor> images() { return read_images(runner_.used(), runner_.reader()); }
    // The picture sizes that the network takes.
    [[nodiscard]] FittingSizes& sizes() { return sizes_; }

private:
    // The batch from which loss and metrics are computed, and the mode of the plan that does it.
    struct JudgedBatch {
        plan::Mode mode;
        const data::Batch& batch;
    };
    [[nodiscard]] JudgedBatch to_judge(const data::Batch& own);
    void predict_padded();
    void forward(const data::Batch& micro_batch);
    [[nodiscard]] std::string layer_not_finite(plan::Mode mode, const data::Batch& batch);

    const std::string& input_;  // name of the input field
    NetworkRunner& runner_;
    ShardRange& shards_;
    FittingSizes sizes_;
    data::Batch padded_;      // the input in the size that the network takes
    data::Batch prediction_;  // the batch's fields, and the network's output in the size of the pictures
};

}  // namespace sluice::run

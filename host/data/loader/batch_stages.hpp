// The transforms of whole batches at the end of a chain.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/chain/chain.hpp"
#include "data/chain/stage_times.hpp"
#include "data/loader/batch.hpp"
#include "registry/optional/batch_transform.hpp"

namespace sluice::data {

// The result for batch i of epoch e is a pure function of (seed, e, i) and the batch.
class BatchStages {
public:
    // `fields`: names of the chain's fields that go into batches; names that the chain does not have are ignored.
    // Throws Error(Exit::config) if a transform does not accept the fields.
    BatchStages(const Chain& chain, std::span<const std::string> fields);
    [[nodiscard]] std::size_t count() const { return stages_.size(); }

    // Each worker thread has its own Worker.
    class Worker {
    public:
        explicit Worker(const BatchStages& stages);
        // Applies all transforms in place, in order. Throws "data.train: batch 3 of epoch 1: transform 'mixup': ...".
        void apply(Batch& batch);
        [[nodiscard]] const StageTimes& times() const { return times_; }

    private:
        void view(Batch& batch);

        const BatchStages* stages_;
        std::vector<registry::WorkerContext> contexts_;  // one for each transform
        std::vector<Strides> strides_;
        std::vector<sluice_tensor> views_;
        StageTimes times_;
    };

private:
    struct Stage {
        std::string name;
        registry::BatchTransform transform;
        std::uint64_t random_stream;
    };

    std::string purpose_;
    std::uint64_t seed_;
    std::vector<Stage> stages_;
};

}  // namespace sluice::data

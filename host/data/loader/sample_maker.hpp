// Performs the tasks of a batch queue: makes each sample, checks its labels, replaces a bad one, and applies the
// transforms of whole batches. Private to this folder.
#pragma once

#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "data/chain/chain.hpp"
#include "data/chain/chain_worker.hpp"
#include "data/chain/sampling.hpp"
#include "data/loader/batch_queue.hpp"
#include "data/loader/batch_stages.hpp"
#include "data/loader/label_check.hpp"
#include "data/loader/loader_options.hpp"

namespace sluice::data {

class SampleMaker {
public:
    // Keeps references to all three.
    SampleMaker(const Chain& chain, const LoaderOptions& options, BatchQueue& queue);

    // Each thread has its own Worker.
    struct Worker {
        explicit Worker(const SampleMaker& maker) : samples(maker.chain_), batches(maker.stages_) {}
        Chain::Worker samples;
        BatchStages::Worker batches;
        std::vector<std::uint8_t*> places;  // addresses of the current sample's fields in its batch
    };

    // Call it before the first task.
    void expect_labels(std::vector<registry::LabelReader> readers) { readers_ = std::move(readers); }
    // Number of transforms of whole batches.
    [[nodiscard]] std::size_t batch_stages() const { return stages_.count(); }
    // Performs and finishes a task of the queue, even if `stop` is requested. A failure goes to the batch.
    void perform(const BatchQueue::Task& task, Worker& worker, const std::stop_token& stop) const;

private:
    void make(const BatchQueue::Task& task, Worker& worker, const std::stop_token& stop, const Drawn& drawn) const;
    void make_or_replace(const BatchQueue::Task& task, Worker& worker, const std::stop_token& stop) const;
    void leave_out(const BatchQueue::Task& task, std::uint64_t index, const Error& error) const;

    const Chain& chain_;
    const LoaderOptions& options_;
    BatchQueue& queue_;
    const BatchStages stages_;
    const Sampling sampling_;
    std::vector<registry::LabelReader> readers_;
};

}  // namespace sluice::data

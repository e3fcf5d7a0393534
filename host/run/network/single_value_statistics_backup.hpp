// A backup of running statistics for layers that normalise a single value. One value has no variance, so a step must
// leave their statistics unchanged.
#pragma once

#include <memory>
#include <optional>

#include "run/network/statistics_backup.hpp"

namespace sluice::run {

class SingleValueStatisticsBackup {
public:
    // `weights` must outlive this object.
    SingleValueStatisticsBackup(const std::shared_ptr<const registry::Device>& device, void* stream,
                                const Weights& weights, const plan::Graph& graph);

    // Runs `work`, which trains on a micro-batch. Most layers normalise over the micro-batch; synchronized layers
    // normalise over the batch of all replicas.
    template <class Work>
    void keep_over(bool micro_batch_has_one_sample, bool batch_has_one_sample, const Work& work) const {
        const bool keeps_one = micro_batch_has_one_sample && of_one_;
        const bool keeps_all = batch_has_one_sample && of_all_;
        if (keeps_one) {
            of_one_->take();
        }
        if (keeps_all) {
            of_all_->take();
        }
        work();
        if (keeps_one) {
            of_one_->put_back();
        }
        if (keeps_all) {
            of_all_->put_back();
        }
    }

private:
    std::optional<StatisticsBackup> of_one_;  // layers of one replica
    std::optional<StatisticsBackup> of_all_;  // synchronized layers
};

}  // namespace sluice::run

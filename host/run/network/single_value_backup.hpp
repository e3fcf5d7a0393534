// The running statistics of layers that normalise one value: it has no variance, so that they stay as they were.
#pragma once

#include <memory>
#include <optional>

#include "run/network/running_backup.hpp"

namespace sluice::run {

class SingleValueBackup {
public:
    // The weights outlive it.
    SingleValueBackup(const std::shared_ptr<const registry::Device>& device, void* stream, const Weights& weights,
                      const plan::Graph& graph);

    // Work that trains on a piece of a batch. A layer of one replica sees the samples of the piece, one that sums over
    // all replicas those of the batch.
    template <class Work>
    void keep_over(bool piece_has_one_sample, bool batch_has_one_sample, const Work& work) const {
        const bool keeps_one = piece_has_one_sample && of_one_;
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
    std::optional<RunningBackup> of_one_;  // replica
    std::optional<RunningBackup> of_all_;
};

}  // namespace sluice::run

// The bucket tuner measures in the first steps of a run which bucket size is fastest, then keeps it. It only runs if
// sums do not depend on the bucket size, so that a run has the same bits with every result. Unlike
// sdk::choose_candidate(), it measures over several steps of the run, and all processes agree on the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/optional/processes.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// Bucket sizes that are tried in turn, each for a few steps.
class BucketTrial {
public:
    // The first size is kept unless another one is clearly faster.
    explicit BucketTrial(std::vector<std::uint64_t> sizes);

    [[nodiscard]] bool is_over() const;
    // The size for the next step, in bytes.
    [[nodiscard]] std::uint64_t size() const { return sizes_[steps_ % sizes_.size()]; }
    void add_step(double seconds);
    [[nodiscard]] const std::vector<std::uint64_t>& sizes() const { return sizes_; }
    // Seconds of the fastest step with each size.
    [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }
    // Returns the index of the size to keep, given such seconds.
    [[nodiscard]] static std::size_t best_of(const std::vector<double>& seconds);

private:
    std::vector<std::uint64_t> sizes_;
    std::vector<double> seconds_;
    std::size_t steps_ = 0;
};

class BucketTuner {
public:
    // The references must outlive this object. `world`: number of replicas in all processes.
    BucketTuner(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
                std::uint32_t world);

    // Takes the size that a checkpoint remembers, if it has one. All processes call it before the first step.
    void begin();
    [[nodiscard]] bool is_done() const { return trial_.is_over(); }
    // Adds a finished step of the usual number of samples: its seconds without waits for data. Returns the result for
    // the log once, else nothing. All processes call it for the same steps, at most `timeout` seconds apart.
    std::string add_step(double seconds, double timeout);

private:
    [[nodiscard]] std::string key() const;
    void set_bucket_size(std::uint64_t bucket) const;
    [[nodiscard]] std::string settle(double timeout);

    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::uint32_t world_;
    BucketTrial trial_;
    int steps_ = 0;  // steps before the trial
};

}  // namespace sluice::run

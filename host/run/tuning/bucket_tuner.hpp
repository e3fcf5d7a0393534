// How many bytes of gradients travel together best: found in the first steps of a run, then kept. Only where sums do
// not depend on it, so that a run has the same bits whatever is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/objects/processes.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// Sizes that are tried in turn, each for a few steps.
class BucketTrial {
public:
    // The first is what is kept unless another is clearly faster.
    explicit BucketTrial(std::vector<std::uint64_t> sizes);

    [[nodiscard]] bool is_over() const;
    // That the next step is made with.
    [[nodiscard]] std::uint64_t size() const { return sizes_[steps_ % sizes_.size()]; }
    void add_step(double seconds);
    [[nodiscard]] const std::vector<std::uint64_t>& sizes() const { return sizes_; }
    // Of the fastest step with each size.
    [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }
    // Which of the sizes is kept, by such seconds.
    [[nodiscard]] static std::size_t best_of(const std::vector<double>& seconds);

private:
    std::vector<std::uint64_t> sizes_;
    std::vector<double> seconds_;
    std::size_t steps_ = 0;
};

class BucketTuner {
public:
    // All outlive it; `world` replicas are there in all processes.
    BucketTuner(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
                std::uint32_t world);

    // What a checkpoint says was found before is kept. All processes call it, before the first step.
    void begin();
    [[nodiscard]] bool is_done() const { return trial_.is_over(); }
    // Of each step of as many samples as all have, when it is done: its seconds, without those for which it waited for
    // data. Returns what there is to tell, once. All processes have made the same steps, and are `patience` seconds
    // apart at most.
    std::string add_step(double seconds, double patience);

private:
    [[nodiscard]] std::string key() const;
    void cut(std::uint64_t bucket) const;
    [[nodiscard]] std::string settle(double patience);

    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::uint32_t world_;
    BucketTrial trial_;
    int steps_ = 0;  // before the trial
};

}  // namespace sluice::run

// One replica of the network on one device, with its own stream: what runs its network, and what trains it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/optimizer.hpp"
#include "registry/objects/tuning_cache.hpp"
#include "run/collective/shard_range.hpp"
#include "run/network/replica_place.hpp"
#include "run/replica/inference.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/replica_training.hpp"

namespace sluice::run {

class Replica {
public:
    // `fields` are the fields of its share of a batch, with their largest shapes. `optimizer` null: inference only. The
    // arguments must outlive this object. Throws Error(Exit::device), with advice, if the replica does not fit into
    // device memory.
    Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
            std::span<const registry::Field> fields, int threads, const ReplicaPlace& place = {});

    [[nodiscard]] Network& network() { return runner_.network(); }
    [[nodiscard]] const Network& network() const { return runner_.network(); }
    [[nodiscard]] NetworkRunner& runner() { return runner_; }
    [[nodiscard]] const NetworkRunner& runner() const { return runner_; }
    [[nodiscard]] Inference& inference() { return inference_; }
    // Not allowed if the replica has no optimizer.
    [[nodiscard]] ReplicaTraining& training() { return *training_; }

    // Results of tuning: of the kernels and of the run.
    [[nodiscard]] registry::TuningCache& choices() const { return *tools_.choices; }
    // The candidate that was chosen for the pipeline's precision policy; empty: the policy has no candidates.
    [[nodiscard]] const std::string& chosen_policy() const {
        return tools_.policies[tools_.measured.value_or(0)].chosen;
    }

private:
    const plan::Toolbox& tools_;
    NetworkRunner runner_;
    ShardRange shards_;
    Inference inference_;
    std::optional<ReplicaTraining> training_;  // if it is trained
};

}  // namespace sluice::run

// The replicas of a training in this process, with all that they are made of.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/objects.hpp"
#include "registry/objects/processes.hpp"
#include "run/network/thread_plan.hpp"
#include "run/replica/replica_group.hpp"
#include "run/tuning/policy_choice.hpp"

namespace sluice::run {

class TrainingReplicas {
public:
    // Joins the other processes, and has no replica yet. The spec outlives it. Throws as the strategy does.
    TrainingReplicas(const config::PipelineSpec& spec, const plan::Toolbox& tools, int cores);
    ~TrainingReplicas();
    TrainingReplicas(const TrainingReplicas&) = delete;
    TrainingReplicas& operator=(const TrainingReplicas&) = delete;

    // Once, before all else. `first`: of the first replica; `data`, which outlives this: what they train on. Throws as
    // what it opens, and Error(Exit::device) where a replica does not fit.
    void make(plan::Toolbox first, const data::Chain& data);

    [[nodiscard]] const ReplicaGroup& group() const { return *group_; }
    [[nodiscard]] const registry::Processes& processes() const { return processes_; }
    // Tells the other processes why they are to wait for this one no longer.
    void give_up(std::string_view reason) const { strategy_.abort(reason); }
    // Replicas of all processes.
    [[nodiscard]] std::uint32_t world() const { return strategy_.topology().world_replicas; }
    [[nodiscard]] sluice_topology topology() const { return strategy_.topology(); }
    // Of each.
    [[nodiscard]] const ThreadPlan& threads() const { return threads_; }
    // For all.
    [[nodiscard]] const PolicyChoice& policy() const { return policy_; }

    // Makes ready for evaluations on these data; throws where metrics or memory do not suffice. Returns what reads
    // their class numbers.
    [[nodiscard]] std::vector<registry::LabelReader> prepare_evaluation(const data::Chain& validation) const;

private:
    struct Part {
        plan::Toolbox tools;
        registry::Optimizer optimizer;
    };

    Part& add(plan::Toolbox tools);
    void settle_policy(const std::vector<registry::Field>& batch);
    void measure_in_turn(registry::Choices& choices, const std::function<void()>& measure) const;
    [[nodiscard]] std::unique_ptr<Replica> make_replica(std::uint32_t number,
                                                        const std::vector<registry::Field>& batch) const;

    const config::PipelineSpec& spec_;
    int cores_;
    std::deque<Part> parts_;  // one for each replica
    registry::Strategy strategy_;
    registry::Processes processes_;
    ThreadPlan threads_;
    PolicyChoice policy_;
    std::optional<ReplicaGroup> group_;
};

}  // namespace sluice::run

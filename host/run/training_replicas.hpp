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
#include "data/chain.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects.hpp"
#include "registry/processes.hpp"
#include "run/policy_choice.hpp"
#include "run/replica_group.hpp"
#include "run/thread_plan.hpp"

namespace sluice::run {

class TrainingReplicas {
public:
    // `first`: of the first replica; `data`: what they train on. Spec and data outlive it. Throws as what it opens, and
    // Error(Exit::device) where a replica does not fit.
    // `compare` is called as soon as the processes have joined, and throws where they have not the same before them.
    using Compare = std::function<void(const plan::Toolbox& tools, const registry::Processes& processes)>;
    TrainingReplicas(const config::PipelineSpec& spec, plan::Toolbox first, const data::Chain& data, int cores,
                     const Compare& compare);

    ~TrainingReplicas();
    TrainingReplicas(const TrainingReplicas&) = delete;
    TrainingReplicas& operator=(const TrainingReplicas&) = delete;

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

    void make(plan::Toolbox first, const data::Chain& data, int cores, const Compare& compare);
    Part& add(plan::Toolbox tools);
    void settle_policy(const std::vector<registry::Field>& batch);
    void measure_in_turn(registry::Choices& choices, const std::function<void()>& measure) const;
    [[nodiscard]] std::unique_ptr<Replica> make_replica(std::uint32_t number,
                                                        const std::vector<registry::Field>& batch) const;

    const config::PipelineSpec& spec_;
    std::deque<Part> parts_;  // one for each replica
    registry::Strategy strategy_;
    registry::Processes processes_;
    ThreadPlan threads_;
    PolicyChoice policy_;
    std::optional<ReplicaGroup> group_;
};

}  // namespace sluice::run

// The replicas of a training in this process, with their tools, strategy and processes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/peaks/bandwidth.hpp"
#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/optimizer.hpp"
#include "registry/objects/strategy.hpp"
#include "registry/objects/tuning_cache.hpp"
#include "registry/optional/processes.hpp"
#include "run/network/thread_plan.hpp"
#include "run/replica/replica_group.hpp"
#include "run/tuning/policy_choice.hpp"

namespace sluice::run {

// What a device other than the CPU can do at most, as measured.
struct DevicePeaks {
    double flop = 0.0;                   // per second; 0: not measured
    std::vector<Bandwidth> bandwidth{};  // empty: not measured
};

class TrainingReplicas {
public:
    // Joins the other processes, but makes no replicas yet. `spec` must outlive this object. Throws as the strategy.
    TrainingReplicas(const config::PipelineSpec& spec, const plan::Toolbox& tools, int cores);
    ~TrainingReplicas();
    TrainingReplicas(const TrainingReplicas&) = delete;
    TrainingReplicas& operator=(const TrainingReplicas&) = delete;

    // Makes the replicas. Call it once, before all other functions. `first`: tools of the first replica. `data`: the
    // training data, which must outlive this object. Throws Error(Exit::device) if a replica does not fit, and the
    // errors of what it opens.
    void make(plan::Toolbox first, const data::Chain& data);

    [[nodiscard]] const ReplicaGroup& group() const { return *group_; }
    [[nodiscard]] const registry::Processes& processes() const { return processes_; }
    // Makes the other processes stop waiting for this one; they report `reason`.
    void give_up(std::string_view reason) const { strategy_.abort(reason); }
    // Number of replicas in all processes.
    [[nodiscard]] std::uint32_t world() const { return strategy_.topology().world_replicas; }
    [[nodiscard]] sluice_topology topology() const { return strategy_.topology(); }
    // Threads of each replica.
    [[nodiscard]] const ThreadPlan& threads() const { return threads_; }
    // Precision policy of all replicas.
    [[nodiscard]] const PolicyChoice& policy() const { return policy_; }

    // Measures the device of these tools with operands of a type. The first call may take seconds, later ones are
    // quick.
    using PeakMeter = std::function<DevicePeaks(const plan::Toolbox&, sluice_dtype)>;
    void set_peak_meter(PeakMeter meter) { peak_meter_ = std::move(meter); }
    // The peaks of the first replica's device; nothing without a meter. No step may be in flight.
    [[nodiscard]] DevicePeaks device_peaks(sluice_dtype operands) const {
        return peak_meter_ ? peak_meter_(parts_.front().tools, operands) : DevicePeaks{};
    }

    // Prepares evaluations on these data. Throws if metrics cannot be computed or memory does not suffice. Returns the
    // readers of class numbers in these data.
    [[nodiscard]] std::vector<registry::LabelReader> prepare_evaluation(const data::Chain& validation) const;

private:
    struct Part {
        plan::Toolbox tools;
        registry::Optimizer optimizer;
    };

    Part& add(plan::Toolbox tools);
    void settle_policy(const std::vector<registry::Field>& batch);
    void measure_in_turn(registry::TuningCache& choices, const std::function<void()>& measure) const;
    [[nodiscard]] std::unique_ptr<Replica> make_replica(std::uint32_t local_rank,
                                                        const std::vector<registry::Field>& batch) const;

    const config::PipelineSpec& spec_;
    int cores_;
    std::deque<Part> parts_;  // one for each replica
    registry::Strategy strategy_;
    registry::Processes processes_;
    ThreadPlan threads_;
    PolicyChoice policy_;
    PeakMeter peak_meter_;
    std::optional<ReplicaGroup> group_;
};

}  // namespace sluice::run

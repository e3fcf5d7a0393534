#include "run/train/training_replicas.hpp"

#include <exception>
#include <string>
#include <utility>

#include "run/collective/sharing.hpp"
#include "run/collective/timeouts.hpp"
#include "run/network/fitting_size.hpp"
#include "run/setup/batch_fields.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/setup/open_optimizer.hpp"

namespace sluice::run {

TrainingReplicas::TrainingReplicas(const config::PipelineSpec& spec, const plan::Toolbox& tools, int cores)
    : spec_(spec), cores_(cores), strategy_(open_strategy(spec, tools, cores)), processes_(strategy_) {}

void TrainingReplicas::make(plan::Toolbox first, const data::Chain& data) {
    const sluice_topology& topology = strategy_.topology();
    check_shared(spec_, first, topology);
    auto& [tools, optimizer] = add(std::move(first));
    tools.replicas_sharing_memory = tools.device->is_host_memory() ? topology.local_replicas : 1;
    const auto batch = batch_fields(data, model_fields(spec_.model), shard_batch(spec_, topology, spec_.data.batch));
    threads_ = thread_plan(spec_, tools, batch, plan::Mode::train, cores_of_shard(spec_, topology, cores_));
    settle_policy(batch);
    for (std::uint32_t i = 1; i < topology.local_replicas; ++i) {
        adopt_policy(policy_.name, add(plan::open_toolbox_for_replica(tools, spec_, i)).tools);
    }
    const auto make_one = [&](std::uint32_t local_rank) { return make_replica(local_rank, batch); };
    measure_in_turn(*tools.choices, [&] { group_.emplace(strategy_, make_one); });
}

// Process 0 tunes kernels while the machine is quiet; then the others tune kernels for other shapes. Each process keeps
// the choices of all, since a checkpoint belongs to all.
void TrainingReplicas::measure_in_turn(registry::TuningCache& choices, const std::function<void()>& measure) const {
    if (processes_.count() == 1 || !choices.may_measure()) {
        return measure();
    }
    if (processes_.is_first()) {
        measure();
    }
    choices.restore(processes_.from_first(choices.used(), "the kernels of process 0", kTuningTimeout));
    if (!processes_.is_first()) {
        measure();
    }
    for (const std::string& others : processes_.gather_texts(choices.used(), "the kernels of all", kTuningTimeout)) {
        choices.restore(others);
    }
}

TrainingReplicas::~TrainingReplicas() {
    if (std::uncaught_exceptions() > 0) {
        give_up("it stops with an error");
    }
}

// Process 0 measures for all.
void TrainingReplicas::settle_policy(const std::vector<registry::Field>& batch) {
    auto& [tools, optimizer] = parts_.front();
    if (processes_.is_first()) {
        policy_ = run::settle_policy({spec_, optimizer, batch, threads_.threads}, tools);
    }
    const std::string name = processes_.from_first(policy_.name, "the precision policy", kRareWorkTimeout);
    if (!processes_.is_first()) {
        policy_.name = name;
        adopt_policy(name, tools);
    }
}

TrainingReplicas::Part& TrainingReplicas::add(plan::Toolbox tools) {
    registry::Optimizer optimizer = open_optimizer(spec_, *tools.registry, tools.device->kind());
    return parts_.emplace_back(Part{std::move(tools), std::move(optimizer)});
}

std::unique_ptr<Replica> TrainingReplicas::make_replica(std::uint32_t local_rank,
                                                        const std::vector<registry::Field>& batch) const {
    const sluice_topology& topology = strategy_.topology();
    const ReplicaPlace place{.strategy = &strategy_,
                             .local_rank = local_rank,
                             .rank = topology.first_replica + local_rank,
                             .world = topology.world_replicas,
                             .shards = shard_count(spec_, topology),
                             .is_one_of_several_processes = processes_.count() > 1};
    const Part& part = parts_[local_rank];
    return std::make_unique<Replica>(spec_, part.tools, &part.optimizer, batch, threads_.threads, place);
}

std::vector<registry::LabelReader> TrainingReplicas::prepare_evaluation(const data::Chain& validation) const {
    const auto batch = batch_fields(validation, model_fields(spec_.model),
                                    shard_batch(spec_, strategy_.topology(), validation_batch(spec_, validation)));
    const auto padded = FittingSizes(spec_, parts_.front().tools).padded(batch);
    std::vector<registry::LabelReader> labels;
    group_->each([&](Replica& replica, std::uint32_t local_rank) {
        const plan::Plan& plan = replica.network().prepare(plan::Mode::evaluate, padded);
        if (local_rank == 0) {
            labels = plan.graph.labels;
        }
    });
    return labels;
}

}  // namespace sluice::run

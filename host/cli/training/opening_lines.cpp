#include "cli/training/opening_lines.hpp"

#include <fmt/format.h>

#include <string>

#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/text/counted.hpp"
#include "base/text/scaled_number.hpp"
#include "plan/plan_text.hpp"
#include "plan/single_value_norms.hpp"
#include "run/collective/sharing.hpp"
#include "run/schedule/schedule.hpp"

namespace sluice::cli {

void warn_of_replica_count(const config::PipelineSpec& spec, std::uint32_t world) {
    const Value* const asked = spec.resolved.find("deterministic");
    if (world > 1 && spec.sharing.micro_shards == 0 && spec.deterministic && asked != nullptr &&
        asked->origin.kind != Origin::Kind::built_in) {
        log::warn(
            fmt::format("{}: deterministic = true gives the same bits again with {} replicas; for the same bits with "
                        "another number of replicas, set strategy.micro_shards",
                        to_string(asked->origin), world));
    }
}

void print_opening(const config::PipelineSpec& spec, const run::TrainingReplicas& replicas, const TrainingData& data,
                   const std::filesystem::path& folder) {
    const run::Replica& replica = replicas.group().first();
    const plan::Plan& plan = replica.network().plan();
    log::info(fmt::format("device  {}", replica.runner().device()->info().name));
    log::info(fmt::format("threads {}{} compute{}, at most {}",
                          replicas.world() > 1 ? fmt::format("{} replicas, in each ", replicas.world()) : "",
                          replicas.threads().threads, spec.pin ? ", pinned" : "",
                          counted(data.most_workers(), "data worker")));
    if (const int idle = idle_cores(); idle > 0) {
        log::warn(
            fmt::format("the launcher has bound each process to {}, which leaves {} idle: with `mpirun --bind-to "
                        "none` or `srun --cpu-bind=none` every process can use all cores",
                        counted(usable_cores(), "core"), idle));
    }
    log::info(fmt::format("data    {}, {} a batch", counted(data.train().length(), "sample"), spec.data.batch));
    log::info(fmt::format("model   {} parameters, {}FLOP forward a sample, arena {}",
                          metric_number(static_cast<double>(plan::parameter_total(plan.graph))),
                          metric_number(plan::flops_total(plan.graph) / static_cast<double>(plan.batch)),
                          byte_text(plan.memory.arena_bytes)));
    if (const std::string rate = run::scaled_rate_text(spec); !rate.empty()) {
        log::info(fmt::format("rate    {}", rate));
    }
    if (plan.micro_batches > 1) {
        log::info(fmt::format("split   {}", plan::micro_batches_text(plan)));
    }
    if (replicas.processes().is_first()) {
        plan::warn_of_single_values(plan.graph, run::batch_sizes(spec, replicas.topology(), data.train().length()));
    }
    log::info(fmt::format("run     {}", folder.string()));
    if (const run::PolicyChoice& policy = replicas.policy(); !policy.name.empty()) {
        log::info(fmt::format("precision {}: {} ({})", policy.asked, policy.name, policy.why));
    }
}

}  // namespace sluice::cli

#include "plan/passes/make_plan.hpp"

#include <algorithm>
#include <vector>

#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

std::vector<registry::Field> micro_batch_fields(std::span<const registry::Field> fields, std::int64_t micro_batches) {
    std::vector<registry::Field> some(fields.begin(), fields.end());
    for (registry::Field& field : some) {
        field.spec.shape[0] /= micro_batches;
    }
    return some;
}

// The numbers of equal micro-batches that a batch can be split into, from 2, ascending.
std::vector<std::int64_t> micro_batch_counts(std::int64_t batch) {
    std::vector<std::int64_t> counts;
    for (std::int64_t micro_batches = 2; micro_batches <= batch; ++micro_batches) {
        if (batch % micro_batches == 0) {
            counts.push_back(micro_batches);
        }
    }
    return counts;
}

}  // namespace

Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads) {
    const std::lock_guard lock(*tools.planning);
    const auto plan_micro_batches = [&](std::int64_t micro_batches) {
        Plan plan;
        plan.graph = build_graph(spec, tools, micro_batch_fields(fields, micro_batches), mode);
        plan.batch = fields.front().spec.shape[0] / micro_batches;
        plan.micro_batches = micro_batches;
        plan.memory.alignment = std::max(plan.memory.alignment, tools.device->info().alignment);
        run_passes(plan, {spec, tools, threads});
        return plan;
    };
    try {
        return plan_micro_batches(1);
    } catch (const NoKernel& whole) {
        for (const std::int64_t micro_batches : micro_batch_counts(fields.front().spec.shape[0])) {
            try {
                Plan plan = plan_micro_batches(micro_batches);
                plan.split_reason = whole.reason();
                return plan;
            } catch (const NoKernel&) {
                continue;  // there is none for this size either
            }
        }
        throw;
    }
}

}  // namespace sluice::plan

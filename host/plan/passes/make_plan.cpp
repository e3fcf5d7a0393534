#include "plan/passes/make_plan.hpp"

#include <algorithm>
#include <vector>

#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

std::vector<registry::Field> cut(std::span<const registry::Field> fields, std::int64_t pieces) {
    std::vector<registry::Field> some(fields.begin(), fields.end());
    for (registry::Field& field : some) {
        field.spec.shape[0] /= pieces;
    }
    return some;
}

// The numbers of equal micro-batches that a batch can be split into, from 2, ascending.
std::vector<std::int64_t> piece_counts(std::int64_t batch) {
    std::vector<std::int64_t> counts;
    for (std::int64_t pieces = 2; pieces <= batch; ++pieces) {
        if (batch % pieces == 0) {
            counts.push_back(pieces);
        }
    }
    return counts;
}

}  // namespace

Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads) {
    const std::lock_guard lock(*tools.planning);
    const auto plan_pieces = [&](std::int64_t pieces) {
        Plan plan;
        plan.graph = build_graph(spec, tools, cut(fields, pieces), mode);
        plan.batch = fields.front().spec.shape[0] / pieces;
        plan.pieces = pieces;
        plan.memory.alignment = std::max(plan.memory.alignment, tools.device->info().alignment);
        run_passes(plan, {spec, tools, threads});
        return plan;
    };
    try {
        return plan_pieces(1);
    } catch (const NoKernel& whole) {
        for (const std::int64_t pieces : piece_counts(fields.front().spec.shape[0])) {
            try {
                Plan plan = plan_pieces(pieces);
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

#include "plan/memory_need.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text/scaled_number.hpp"
#include "plan/upload_slots.hpp"

namespace sluice::plan {
namespace {

// Into how many batches the pipeline's batch has to be split so that the arena fits; 0 if even single samples are too
// large. The arena grows with the largest shard of a batch.
std::int64_t find_fitting_split(const MemoryNeed& need, std::uint64_t free, std::int64_t batch) {
    const std::uint64_t room = free > need.weights ? free - need.weights : 0;
    const auto shard = [&](std::int64_t parts) { return (batch / parts + need.shards - 1) / need.shards; };
    const auto grows = static_cast<double>(need.arena + need.batches) / static_cast<double>(shard(1));
    for (std::int64_t parts = 2; parts <= batch / need.shards; ++parts) {
        if (batch % parts == 0 && grows * static_cast<double>(shard(parts)) <= static_cast<double>(room)) {
            return parts;
        }
    }
    return 0;
}

std::vector<std::string> list_remedies(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec,
                                       Mode mode) {
    std::vector<std::string> cures;
    const std::int64_t batch = spec.data.batch / need.micro_batches;
    if (const std::int64_t parts = find_fitting_split(need, free, batch); parts > 0 && mode != Mode::predict) {
        cures.push_back(mode == Mode::train
                            ? fmt::format("data.batch = {} with train.accumulate = {}, which keeps the samples of a "
                                          "step",
                                          batch / parts, spec.train.accumulate * need.micro_batches * parts)
                            : fmt::format("data.batch = {}", batch / parts));
    }
    if (mode == Mode::predict) {
        cures.emplace_back("a smaller --tile");
    }
    if (mode == Mode::train && spec.train.recompute == config::Recompute::none) {
        cures.emplace_back("train.recompute = \"selective\"");
    }
    if (need.others > 0) {
        cures.push_back(fmt::format("strategy.shard_optimizer = true, which saves {}", byte_text(need.others)));
    }
    if (spec.precision.use == "float32") {
        cures.emplace_back("precision.use = \"mixed_bfloat16\"");
    }
    return cures;
}

}  // namespace

bool keeps_gradients(const Plan& plan, const config::PipelineSpec& spec, bool has_others) {
    return has_others && spec.train.accumulate > 1 && joins_replicas(plan.graph) != nullptr;
}

MemoryNeed memory_need(const Plan& plan, const WeightBytes& weights, const config::PipelineSpec& spec,
                       const registry::Device& device, const ReplicaPart& part) {
    MemoryNeed need{.arena = plan.memory.arena_bytes, .weights = weights.total(), .micro_batches = plan.micro_batches};
    if (keeps_gradients(plan, spec, part.has_others)) {
        need.kept += weights.gradients;
    }
    if (plan.graph.mode == Mode::train && part.shards_per_replica > 1) {
        need.kept += static_cast<std::uint64_t>(part.shards_per_replica) * (weights.gradients + weights.running);
    }
    need.weights += need.kept;
    const std::size_t batches = upload_slots(plan, spec, device);
    for (const Feed& feed : plan.graph.feeds) {
        need.batches += batches * byte_count(plan.graph.tensors[feed.tensor].spec);
    }
    return need;
}

std::string why_too_large(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec, Mode mode) {
    if (need.total() <= free) {
        return {};
    }
    const std::vector<std::string> cures = list_remedies(need, free, spec, mode);
    return fmt::format(
        "{} of memory are needed, {} for activations and {} for weights, gradients and optimizer states; {} "
        "are free{}",
        byte_text(need.total()), byte_text(need.arena + need.batches), byte_text(need.weights), byte_text(free),
        cures.empty() ? "" : fmt::format("; what helps: {}", fmt::join(cures, ", or ")));
}

void check_fits(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec, Mode mode,
                const registry::Device& device) {
    const std::string reason = why_too_large(need, free, spec, mode);
    if (!reason.empty()) {
        throw OutOfMemory(fmt::format("device '{}': {}", device.kind(), reason));
    }
}

}  // namespace sluice::plan

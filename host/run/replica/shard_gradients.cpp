#include "run/replica/shard_gradients.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text/counted.hpp"
#include "plan/plan_text.hpp"
#include "run/upload/micro_batches.hpp"

namespace sluice::run {

ShardGradients::ShardGradients(const config::PipelineSpec& spec, const Dependencies& dependencies)
    : runner_(dependencies.runner),
      shards_(dependencies.shards),
      micro_batch_gradients_(dependencies.micro_batches),
      faults_(dependencies.faults),
      report_(dependencies.report),
      exchange_(dependencies.exchange),
      whole_batch_(spec.data.batch) {
    expect_whole_batches();
    if (shards_.count() > 1) {
        kept_shards_.emplace(runner_.network().weights(), dependencies.report,
                             static_cast<std::uint64_t>(shards_.count()));
    }
}

// Shards and micro-batches are computed one after the other, so such a layer would not see the whole batch.
void ShardGradients::expect_whole_batches() const {
    const plan::Plan& plan = runner_.network().plan();
    const plan::Node* const joining = plan::joins_replicas(plan.graph);
    if (joining == nullptr) {
        return;
    }
    const std::string what =
        fmt::format("{}: layer '{}' needs the statistics of a whole batch", to_string(joining->origin), joining->path);
    if (shards_.count() > 1) {
        throw Error(Exit::config,
                    fmt::format("{}, but strategy.micro_shards = {} gives several parts of it to each of {}; remove "
                                "one of the two",
                                what, shards_.of_batch(), counted(shards_.of_batch() / shards_.count(), "replica")));
    }
    if (plan.micro_batches > 1) {
        throw Error(Exit::config, fmt::format("{}, but {}; lower data.batch, or use a layer without such statistics",
                                              what, plan::micro_batches_text(plan)));
    }
}

void ShardGradients::make_ready(const data::Batch& batch) {
    for (std::int64_t shard = shards_.begin(); shard < shards_.end(); ++shard) {
        const data::Batch& own = shards_.samples(shard, batch);
        runner_.batch_feed().make_room(
            runner_.network().program(plan::Mode::train, own.count > 0 ? own : shards_.first_sample(batch)));
    }
}

void ShardGradients::compute(const data::Batch& batch, const StepBatch& batch_in_step) {
    if (batch_in_step.number == 0) {
        faults_.begin_step();
    }
    if (exchange_ != nullptr) {
        exchange_->collectives().begin_batch(batch_in_step.timeout);
    }
    for (std::int64_t shard = shards_.begin(); shard < shards_.end(); ++shard) {
        const auto kept = static_cast<std::uint64_t>(shard - shards_.begin());
        if (kept_shards_) {
            kept_shards_->bring(kept, batch_in_step.number == 0);
        }
        compute_shard(batch, batch_in_step, shard);
        if (kept_shards_) {
            kept_shards_->keep(kept);
        }
    }
    if (kept_shards_ && batch_in_step.is_last) {
        kept_shards_->add_up();
        if (exchange_ != nullptr) {
            exchange_->finish();
        }
    }
    if (exchange_ != nullptr && batch_in_step.is_last) {
        faults_.expect_finite_losses(*report_);
    }
}

// NCCL requires that all replicas capture a collective or none. Only whole batches are captured: every replica has
// computed the same number of those. Of a short batch, some replicas have no samples, or as many as of a whole one.
void ShardGradients::compute_shard(const data::Batch& batch, const StepBatch& batch_in_step, std::int64_t shard) {
    const data::Batch& own = shards_.samples(shard, batch);
    if (own.count == 0) {
        skip_shard(batch, batch_in_step, shard);
        return;
    }
    Program& train = runner_.use(plan::Mode::train, own);
    set_loss_elements(train, batch, batch_in_step);
    MicroBatches micro_batches(own, train.plan.micro_batches);
    for (std::int64_t i = 0; i < train.plan.micro_batches; ++i) {
        compute_micro_batch(train, micro_batches[i], batch_in_step,
                            {.number = i * shards_.of_batch() + shard,
                             .is_first = batch_in_step.number == 0 && i == 0,
                             .exchanges = exchanges_itself(batch_in_step) && i + 1 == train.plan.micro_batches,
                             .may_be_captured = exchange_ == nullptr || batch.count == whole_batch_,
                             .is_of_one = batch.count == 1});
    }
}

// A short batch may have no sample for this shard, which then contributes nothing to the step.
void ShardGradients::skip_shard(const data::Batch& batch, const StepBatch& batch_in_step, std::int64_t shard) {
    const data::Batch& sample = shards_.first_sample(batch);
    const MicroBatchGradients::Place place{.number = shard,
                                           .is_first = batch_in_step.number == 0,
                                           .exchanges = exchanges_itself(batch_in_step),
                                           .may_be_captured = false,
                                           .is_of_one = batch.count == 1,
                                           .has_no_samples = true};
    Program& train = runner_.use(plan::Mode::train, sample);
    set_loss_elements(train, batch, batch_in_step);
    if (micro_batch_gradients_.joins_others()) {  // it must take part in the sums of the other replicas' layers
        compute_micro_batch(train, sample, batch_in_step, place);
    } else {
        micro_batch_gradients_.skip(batch_in_step, place);
    }
}

// True if backward of this batch exchanges the gradients. Several shards are summed before that.
bool ShardGradients::exchanges_itself(const StepBatch& batch_in_step) const {
    return exchange_ != nullptr && !kept_shards_ && batch_in_step.is_last;
}

// All batches of a step and all replicas use the same number.
void ShardGradients::set_loss_elements(const Program& program, const data::Batch& batch,
                                       const StepBatch& batch_in_step) {
    if (batch_in_step.number == 0) {
        const plan::Graph& graph = program.plan.graph;
        const std::int64_t of_sample = element_count(graph.tensors[graph.prediction].spec) / program.plan.batch;
        micro_batch_gradients_.set_loss_elements(static_cast<double>(of_sample * batch.count));
    }
}

void ShardGradients::compute_micro_batch(Program& program, const data::Batch& micro_batch,
                                         const StepBatch& batch_in_step, const MicroBatchGradients::Place& place) {
    if (!micro_batch_gradients_.compute(program, micro_batch, batch_in_step, place)) {
        faults_.find_in(micro_batch, batch_in_step.step, report_->loss_sum);
    }
}

}  // namespace sluice::run

// One replica of the network on one device, with its own stream: it trains, evaluates and predicts batches.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/loader/loader.hpp"
#include "plan/plan.hpp"
#include "run/collective/shard_range.hpp"
#include "run/network/scores.hpp"
#include "run/replica/inference.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/replica_training.hpp"
#include "run/replica/step_batch.hpp"

namespace sluice::run {

class Replica {
public:
    // `fields` are the fields of its share of a batch, with their largest shapes. `optimizer` null: inference only.
    // Throws Error(Exit::device), with advice, if the replica does not fit into device memory.
    Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
            std::span<const registry::Field> fields, int threads, const ReplicaPlace& place = {});

    // Makes the program for batches of these fields; otherwise the first batch does. Throws as the constructor.
    const plan::Plan& prepare(plan::Mode mode, std::span<const registry::Field> fields) {
        return runner_.prepare(mode, fields);
    }

    // Waits until its stream is idle.
    void rest() const { runner_.rest(); }
    // Allocates what training needs for batches of these shapes; otherwise the first batch does. With several replicas
    // that could block: other devices may wait for this one in a collective. All replicas must be idle.
    void make_ready(const data::Batch& batch) { training_->make_ready(batch); }
    // Enqueues forward and backward of its samples of a batch. weights().gradients() accumulates the batches of the
    // step; after the last batch it has the sums of all replicas. On a CPU the work is done on return. Then it throws
    // Error(Exit::diverged) with the layer if the loss is not finite, unless the data are finite and the loss is
    // scaled.
    void compute_gradients(const data::Batch& batch, const StepBatch& batch_in_step) {
        training_->compute_gradients(batch, batch_in_step);
    }
    // Calls Exchange::set_bucket_size(). Needs other replicas.
    void set_bucket_size(std::uint64_t bucket) { training_->exchange()->set_bucket_size(bucket); }
    // Rolls back what an unfinished step has changed: the running statistics.
    void abandon_step() { training_->abandon_step(); }
    // Returns Exchange::waited() of the last step; 0 if there are no other replicas.
    [[nodiscard]] double waited_for_others() const { return exchange() != nullptr ? exchange()->waited() : 0.0; }
    // Return Collectives::busy_since() and Exchange::next_collective(). [any thread]
    [[nodiscard]] double busy_since() const {
        return exchange() != nullptr ? exchange()->collectives().busy_since() : 0.0;
    }
    [[nodiscard]] std::string next_collective() const {
        return exchange() != nullptr ? exchange()->next_collective() : std::string();
    }
    // Enqueues the optimizer step with these gradients.
    void update() { training_->update(); }
    // All-gathers sharded optimizer states; all replicas call it at the same time. `to`, which may be null, receives
    // all states. Not allowed while a step is on the stream. Throws Error(Exit::replica_lost) if another replica does
    // not come within `timeout` seconds.
    void gather_states(FullOptimizerStates* to, double timeout) { training_->gather_states(to, timeout); }
    // Waits for the oldest step in flight and returns its result. Throws Error(Exit::diverged) with the layer if the
    // loss or, if it is wanted, the gradient norm is not finite, unless the loss is scaled. The parameters are then
    // those from before that step.
    StepResult finish_step() { return training_->finish_step(); }
    // Returns how many updates may be in flight before finish_step() must be called.
    [[nodiscard]] std::size_t steps_ahead() const;

    // How the loss is scaled, if it is.
    [[nodiscard]] const LossScaler& loss_scaler() const { return training_->loss_scaler(); }
    // Resumes from this loss scale and number of updates. Not allowed while a step is on the stream. The loss of a step
    // is multiplied by the scale, and its gradients are divided by it before they are clipped.
    void resume_from(const LossScale& scale, std::uint64_t updates) { training_->resume_from(scale, updates); }
    // Returns where the last finished step was not finite: "in a gradient of layer 'x'". For the last of too many
    // skipped steps.
    [[nodiscard]] std::string overflow_place() { return training_->faults().place(); }
    // True if the loss of that step was not finite, so that the loss scale is not the cause.
    [[nodiscard]] bool overflowed_forward() const { return training_->faults().is_in_forward(); }

    // Tunes kernels and allocates memory for batches of these shapes, if that is not done yet.
    void prepare_to_evaluate(const data::Batch& batch) { inference_.prepare(batch); }
    // Evaluation and prediction use the average of the weights if one is kept. Appends the results of each own shard
    // that has samples. Pictures of a size that the network does not take are padded for it; loss and metrics are those
    // of the unpadded pictures.
    void evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards) { inference_.evaluate(batch, shards); }
    // Returns the pictures of the last evaluated or predicted micro-batch: "input", "output", "target", float32 NHWC in
    // 0..1.
    [[nodiscard]] std::vector<data::NamedTensor> images() { return read_images(runner_.used(), runner_.reader()); }
    void predict(const data::Batch& batch) { inference_.predict(batch); }
    // The picture sizes that the network takes.
    [[nodiscard]] FittingSizes& sizes() { return inference_.sizes(); }

    [[nodiscard]] Weights& weights() { return runner_.weights(); }
    // The plans of the first mode and of the last computed batch.
    [[nodiscard]] const plan::Plan& plan() const { return runner_.plan(); }
    [[nodiscard]] const plan::Plan& last_plan() const { return runner_.used().plan; }
    // Results of tuning: of the kernels and of the run.
    [[nodiscard]] registry::TuningCache& choices() const { return *tools_.choices; }
    // The candidate that was chosen for the pipeline's precision policy; empty: the policy has no candidates.
    [[nodiscard]] const std::string& chosen_policy() const {
        return tools_.policies[tools_.measured.value_or(0)].chosen;
    }
    [[nodiscard]] const registry::Device& device() const { return *runner_.device(); }
    [[nodiscard]] void* stream() const { return runner_.stream(); }
    // Reports every later launch to `watch`; null: to nobody. `watch` must outlive the replica, unless it is reset to
    // null before.
    void watch_launches(LaunchWatch* watch) { runner_.watch_launches(watch); }
    // For a LaunchWatch: a tensor of the last batch and its gradient (empty: none), as float32. Which tensors are in
    // the arena depends on the launch. The values are valid until the next call.
    [[nodiscard]] std::span<const float> tensor(plan::TensorId id) { return runner_.tensor(id); }
    [[nodiscard]] std::span<const float> gradient(plan::TensorId id) { return runner_.gradient(id); }
    // Returns `count` parameter gradients from `offset` on in their buffer, in the same way.
    [[nodiscard]] std::span<const float> parameter_gradients(std::uint64_t offset, std::int64_t count) {
        return runner_.parameter_gradients(offset, count);
    }
    // Call it after weights were written from outside.
    void parameters_changed() { weights().mark_changed(); }

private:
    // Null: there are no other replicas.
    [[nodiscard]] Exchange* exchange() const { return training_ ? training_->exchange() : nullptr; }

    const plan::Toolbox& tools_;
    NetworkRunner runner_;
    ShardRange shards_;
    Inference inference_;
    std::optional<ReplicaTraining> training_;  // if it is trained
};

}  // namespace sluice::run

// One replica of the network on one device, with its stream: what it makes of batches, and its steps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/loader/loader.hpp"
#include "plan/plan.hpp"
#include "run/collective/own_shards.hpp"
#include "run/network/scores.hpp"
#include "run/replica/inference.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/replica_training.hpp"
#include "run/replica/step_part.hpp"

namespace sluice::run {

class Replica {
public:
    // `fields` are those of its part of a batch, with their largest shapes known; `optimizer` may be null: then nothing
    // is trained. Throws Error(Exit::device) with what would help where it does not fit into the device's memory.
    Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
            std::span<const registry::Field> fields, int threads, const ReplicaPlace& place = {});

    // Makes ready for batches of these fields, which otherwise the first of them does; throws as the constructor.
    const plan::Plan& prepare(plan::Mode mode, std::span<const registry::Field> fields) {
        return runner_.prepare(mode, fields);
    }

    // Waits until its device has nothing to do.
    void rest() const { runner_.rest(); }
    // Takes what it needs to train on batches of these shapes, which otherwise the first of them does: where it may not
    // share a step with other replicas, since their devices may wait for it while it takes memory. All rest.
    void make_ready(const data::Batch& batch) { training_->make_ready(batch); }
    // Puts forward and backward of its samples of a batch on the stream; the gradients of all parts of the step so far
    // will be in weights().gradients(), with the last part those of all replicas. On a CPU, which has then done it,
    // throws Error(Exit::diverged) with the layer where the loss is not finite and either the data are not or the loss
    // is not scaled.
    void compute_gradients(const data::Batch& batch, const StepPart& part) {
        training_->compute_gradients(batch, part);
    }
    // As Exchange::cut(), where there are other replicas.
    void cut_gradients(std::uint64_t bucket) { training_->exchange()->cut(bucket); }
    // Takes back what the parts of an unfinished step have changed: the running statistics.
    void abandon_step() { training_->abandon_step(); }
    // As Exchange::waited(), of the step computed last; 0 where there are no other replicas.
    [[nodiscard]] double waited_for_others() const { return exchange() != nullptr ? exchange()->waited() : 0.0; }
    // As Collectives::busy_since() and Exchange::missed() [any thread]
    [[nodiscard]] double busy_since() const {
        return exchange() != nullptr ? exchange()->collectives().busy_since() : 0.0;
    }
    [[nodiscard]] std::string missed() const { return exchange() != nullptr ? exchange()->missed() : std::string(); }
    // Puts one update with those gradients on the stream.
    void update() { training_->update(); }
    // Where the replicas share the update: brings its optimizer states to all replicas, which all call it at the same
    // time; `to`, which may be null, gets those of all. Where no step is on the stream. Throws Error(Exit::worker_lost)
    // where another does not come within `patience` seconds.
    void gather_states(WholeStates* to, double patience) { training_->gather_states(to, patience); }
    // What the step did whose update came first of those not finished yet; waits for it. Throws Error(Exit::diverged)
    // with the layer where the loss or, if it is wanted, the norm of the gradients is not finite, unless the loss is
    // scaled; the parameters are then those before that step.
    StepResult finish_step() { return training_->finish_step(); }
    // How many updates may be put on the stream before the first of them is finished.
    [[nodiscard]] std::size_t steps_ahead() const;

    // How the loss is scaled, if it is.
    [[nodiscard]] const LossScaler& loss_scaler() const { return training_->loss_scaler(); }
    // Goes on from there: where no step is on the stream. The loss of a step is multiplied by the scale, and its
    // gradients are divided by it before they are clipped.
    void go_on_from(const LossScale& scale, std::uint64_t updates) { training_->go_on_from(scale, updates); }
    // Where the step finished last, by which too many in a row were skipped, was not finite: "in a gradient of layer
    // 'x'".
    [[nodiscard]] std::string overflow_place() { return training_->faults().place(); }
    // Whether its loss was not finite: then no scale of it is to blame.
    [[nodiscard]] bool overflowed_forward() const { return training_->faults().is_in_forward(); }

    // Measures kernels and takes memory for batches of such shapes, where that is not done yet.
    void prepare_to_evaluate(const data::Batch& batch) { inference_.prepare(batch); }
    // Evaluation and prediction compute with the average of the weights where one is kept. Adds what each of its shards
    // of the batch that has samples gives. Pictures of a size that the network does not take are padded for it; loss
    // and metrics are those of the pictures themselves.
    void evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards) { inference_.evaluate(batch, shards); }
    // Pictures of the batch last evaluated or predicted, or of its last piece: "input", "output", "target", float32
    // NHWC in 0..1.
    [[nodiscard]] std::vector<data::NamedTensor> images() { return read_images(runner_.used(), runner_.reader()); }
    void predict(const data::Batch& batch) { inference_.predict(batch); }
    // In which the network takes pictures.
    [[nodiscard]] FittingSizes& sizes() { return inference_.sizes(); }

    [[nodiscard]] Weights& weights() { return runner_.weights(); }
    // Of the first mode asked for, and of the batch last computed.
    [[nodiscard]] const plan::Plan& plan() const { return runner_.plan(); }
    [[nodiscard]] const plan::Plan& last_plan() const { return runner_.used().plan; }
    // What was measured for its kernels, and in its run.
    [[nodiscard]] registry::Choices& choices() const { return *tools_.choices; }
    // The candidate that the pipeline's policy stands for; empty where it has none.
    [[nodiscard]] const std::string& chosen_policy() const {
        return tools_.policies[tools_.measured.value_or(0)].chosen;
    }
    [[nodiscard]] const registry::Device& device() const { return *runner_.device(); }
    [[nodiscard]] void* stream() const { return runner_.stream(); }
    // Tells `watch` of every launch from now on; null: nobody. It outlives the replica or is taken back.
    void watch_launches(LaunchWatch* watch) { runner_.watch_launches(watch); }
    // For a watch of launches: a tensor of the batch last computed and its gradient (empty where it has none), as
    // float32. Which of them lie in the arena depends on the launch. The values stay until the next call.
    [[nodiscard]] std::span<const float> tensor(plan::TensorId id) { return runner_.tensor(id); }
    [[nodiscard]] std::span<const float> gradient(plan::TensorId id) { return runner_.gradient(id); }
    // The same of `count` gradients of parameters, from `offset` on in their buffer.
    [[nodiscard]] std::span<const float> parameter_gradients(std::uint64_t offset, std::int64_t count) {
        return runner_.parameter_gradients(offset, count);
    }
    // After weights were written from outside.
    void parameters_changed() { weights().mark_changed(); }

private:
    // Null: there are no other replicas.
    [[nodiscard]] Exchange* exchange() const { return training_ ? training_->exchange() : nullptr; }

    const plan::Toolbox& tools_;
    NetworkRunner runner_;
    OwnShards shards_;
    Inference inference_;
    std::optional<ReplicaTraining> training_;  // if it is trained
};

}  // namespace sluice::run

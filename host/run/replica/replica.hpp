// One replica of the network on one device, with its stream: what it makes of batches, and its steps.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/loader/loader.hpp"
#include "plan/plan.hpp"
#include "run/collective/exchange.hpp"
#include "run/collective/joint_sums.hpp"
#include "run/collective/local_shards.hpp"
#include "run/collective/own_shards.hpp"
#include "run/collective/vote.hpp"
#include "run/network/fitting_size.hpp"
#include "run/network/loss_scaler.hpp"
#include "run/network/network.hpp"
#include "run/network/running_backup.hpp"
#include "run/network/schedule.hpp"
#include "run/network/scores.hpp"
#include "run/network/step_state.hpp"
#include "run/network/tensor_reader.hpp"
#include "run/network/threads.hpp"
#include "run/replica/parameter_update.hpp"
#include "run/upload/batch_feed.hpp"
#include "run/upload/held_parts.hpp"
#include "run/weights/gradient_backup.hpp"

namespace sluice::run {

// Which part of which step is computed, and how its update will be.
struct StepPart {
    std::uint64_t step = 1;        // from 1
    std::uint64_t part = 0;        // the batch's number in the step, from 0
    bool is_last = true;           // of its parts
    double patience = 0.0;         // seconds that other replicas are waited for; 0: at any time
    double said = word::kNothing;  // by this process to the others
    bool is_common = true;         // all replicas compute it
    Rates rates{};
};

// What a step did.
struct StepResult {
    LossSum loss;          // of all parts
    double norm = 0.0;     // of the mean's gradient, before it is clipped; where it is clipped or the loss is scaled
    double rate = 0.0;     // learning rate of its update
    bool skipped = false;  // under a scaled loss: something is not finite, and nothing was changed
    LossScale scale;       // of the step behind it
    bool stops = false;    // where there are several processes: one of them has asked to
    bool lacks_input = false;  // the same: the next steps of one of them may wait for their data
};

class Replica {
public:
    // `fields` are those of its part of a batch, with their largest shapes known; `optimizer` may be null: then nothing
    // is trained. Throws Error(Exit::device) with what would help where it does not fit into the device's memory.
    Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
            std::span<const registry::Field> fields, int threads, const ReplicaPlace& place = {});

    // Makes ready for batches of these fields, which otherwise the first of them does; throws as the constructor.
    const plan::Plan& prepare(plan::Mode mode, std::span<const registry::Field> fields) {
        return network_.prepare(mode, fields);
    }

    // Waits until its device has nothing to do.
    void rest() const { tools_.device->wait(stream_.handle()); }
    // Takes what it needs to train on batches of these shapes, which otherwise the first of them does: where it may not
    // share a step with other replicas, since their devices may wait for it while it takes memory. All rest.
    void make_ready(const data::Batch& batch);
    // Puts forward and backward of its samples of a batch on the stream; the gradients of all parts of the step so far
    // will be in weights().gradients(), with the last part those of all replicas. On a CPU, which has then done it,
    // throws Error(Exit::diverged) with the layer where the loss is not finite and either the data are not or the loss
    // is not scaled.
    void compute_gradients(const data::Batch& batch, const StepPart& part);
    // As Exchange::cut(), where there are other replicas.
    void cut_gradients(std::uint64_t bucket) { exchange_->cut(bucket); }
    // Takes back what the parts of an unfinished step have changed: the running statistics.
    void abandon_step();
    // As Exchange::waited(), of the step computed last; 0 where there are no other replicas.
    [[nodiscard]] double waited_for_others() const { return exchange_ ? exchange_->waited() : 0.0; }
    // As Collectives::busy_since() and Exchange::missed() [any thread]
    [[nodiscard]] double busy_since() const { return exchange_ ? exchange_->collectives().busy_since() : 0.0; }
    [[nodiscard]] std::string missed() const { return exchange_ ? exchange_->missed() : std::string(); }
    // Puts one update with those gradients on the stream.
    void update();
    // Where the replicas share the update: brings its optimizer states to all replicas, which all call it at the same
    // time; `to`, which may be null, gets those of all. Where no step is on the stream. Throws Error(Exit::worker_lost)
    // where another does not come within `patience` seconds.
    void gather_states(WholeStates* to, double patience) { parameter_update_->gather_states(to, patience); }
    // What the step did whose update came first of those not finished yet; waits for it. Throws Error(Exit::diverged)
    // with the layer where the loss or, if it is wanted, the norm of the gradients is not finite, unless the loss is
    // scaled; the parameters are then those before that step.
    StepResult finish_step();
    // How many updates may be put on the stream before the first of them is finished.
    [[nodiscard]] std::size_t steps_ahead() const;

    // How the loss is scaled, if it is.
    [[nodiscard]] const LossScaler& loss_scaler() const { return scaler_; }
    // Goes on from there: where no step is on the stream. The loss of a step is multiplied by the scale, and its
    // gradients are divided by it before they are clipped.
    void go_on_from(const LossScale& scale, std::uint64_t updates);
    // Where the step finished last, by which too many in a row were skipped, was not finite: "in a gradient of layer
    // 'x'".
    [[nodiscard]] std::string overflow_place();
    // Whether its loss was not finite: then no scale of it is to blame.
    [[nodiscard]] bool overflowed_forward() const { return fault_.has_value(); }

    // Measures kernels and takes memory for batches of such shapes, where that is not done yet.
    void prepare_to_evaluate(const data::Batch& batch);
    // Evaluation and prediction compute with the average of the weights where one is kept. Adds what each of its shards
    // of the batch that has samples gives. Pictures of a size that the network does not take are padded for it; loss
    // and metrics are those of the pictures themselves.
    void evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards);
    // Pictures of the batch last evaluated or predicted, or of its last piece: "input", "output", "target", float32
    // NHWC in 0..1.
    [[nodiscard]] std::vector<data::NamedTensor> images() { return read_images(*last_, reader_); }
    void predict(const data::Batch& batch);
    // In which the network takes pictures.
    [[nodiscard]] FittingSizes& sizes() { return sizes_; }

    [[nodiscard]] Weights& weights() { return network_.weights(); }
    // Of the first mode asked for, and of the batch last computed.
    [[nodiscard]] const plan::Plan& plan() const { return network_.first().plan; }
    [[nodiscard]] const plan::Plan& last_plan() const { return last_->plan; }
    // What was measured for its kernels, and in its run.
    [[nodiscard]] registry::Choices& choices() const { return *tools_.choices; }
    // The candidate that the pipeline's policy stands for; empty where it has none.
    [[nodiscard]] const std::string& chosen_policy() const {
        return tools_.policies[tools_.measured.value_or(0)].chosen;
    }
    [[nodiscard]] const registry::Device& device() const { return *tools_.device; }
    [[nodiscard]] void* stream() const { return stream_.handle(); }
    // Tells `watch` of every launch from now on; null: nobody. It outlives the replica or is taken back.
    void watch_launches(LaunchWatch* watch) { network_.watch_launches(watch); }
    // For a watch of launches: a tensor of the batch last computed and its gradient (empty where it has none), as
    // float32. Which of them lie in the arena depends on the launch. The values stay until the next call.
    [[nodiscard]] std::span<const float> tensor(plan::TensorId id) { return reader_.read(*last_, id); }
    [[nodiscard]] std::span<const float> gradient(plan::TensorId id);
    // The same of `count` gradients of parameters, from `offset` on in their buffer.
    [[nodiscard]] std::span<const float> parameter_gradients(std::uint64_t offset, std::int64_t count);
    // After weights were written from outside.
    void parameters_changed() { weights().mark_changed(); }

private:
    // What loss and metrics are computed of, and by which plan.
    struct Judged {
        plan::Mode mode;
        const data::Batch& batch;
    };
    [[nodiscard]] Judged to_judge(const data::Batch& own);
    void predict_padded();
    [[nodiscard]] std::string layer_not_finite(plan::Mode mode, const data::Batch& batch);
    void expect_whole_batches() const;
    void join(const ReplicaPlace& place);
    Program& program(plan::Mode mode, const data::Batch& batch);
    void compute_own_gradients(const data::Batch& batch, const StepPart& part);
    void compute_shard(const data::Batch& batch, const StepPart& part, std::int64_t shard);
    void skip_shard(const data::Batch& batch, const StepPart& part, std::int64_t shard);
    // One run of the recorded work: which of the step's pieces it is.
    struct Turn {
        std::int64_t number;  // over all shards of the batch
        bool is_first;
        bool exchanges;  // gradients with the other replicas, on the way
        bool is_recorded;
        bool is_of_one = false;   // the whole batch has one sample
        bool is_nothing = false;  // the sample that is computed is not the replica's: it brings nothing to the step
    };
    [[nodiscard]] bool exchanges_itself(const StepPart& part) const;
    sluice_step_start start_turn(const StepPart& part, std::int64_t number);
    void set_loss_elements(const Program& program, const data::Batch& batch, const StepPart& part);
    void compute_piece(Program& program, const data::Batch& piece, const StepPart& part, const Turn& turn);
    void compute_part(Program& program, const Turn& turn);
    template <class Work>
    void run_recorded(Recorded& recorded, bool is_joint, const Work& work);
    void wait_for_each(bool waits);
    void expect_finite_losses() const;
    [[nodiscard]] std::optional<std::string> layer_not_finite(const data::Batch& piece);
    void round_parameters(bool averaged);
    void find_cause(std::uint64_t step, const sluice_step_report& report, double scale);
    [[noreturn]] void give_up(std::uint64_t step, double loss) const;
    [[nodiscard]] std::optional<std::string> overflowing_layer();
    template <class Search>
    void keep_running(const Search& search);

    const config::PipelineSpec& spec_;
    const plan::Toolbox& tools_;
    Threads threads_;
    registry::Stream stream_;
    TensorReader reader_;
    registry::Block scalars_;  // device memory
    JointSums joint_sums_;
    Network network_;
    LossScaler scaler_;
    LossScale scale_;  // after the step that was finished last
    BatchFeed feed_;
    std::optional<StepState> state_;  // where it is trained
    std::optional<HeldParts> held_;   // where it is trained and the device's work runs later
    OwnShards own_shards_;
    std::optional<LocalShards> kept_shards_;          // where it has several
    std::optional<Exchange> exchange_;                // where there are other replicas
    std::optional<Vote> vote_;                        // likewise
    std::optional<GradientBackup> gradients_before_;  // where layers join the replicas
    std::optional<ParameterUpdate> parameter_update_;
    Recorded recorded_update_;
    std::optional<RunningBackup> running_before_;  // where steps may be taken back
    // Of layers that may normalise one value, of this replica alone and of all together.
    std::optional<RunningBackup> single_values_[2];
    std::uint64_t step_ = 0;               // the one at hand
    std::vector<std::uint64_t> updated_;   // the steps that are not finished yet, the oldest first
    bool unfinished_ = false;              // some parts of such a step are done
    bool own_loss_is_finite_ = true;       // of the parts of the step so far, where the device is a CPU
    std::optional<Fault> fault_;           // where the loss of the step at hand is not finite
    std::optional<std::string> overflow_;  // the layer whose gradient was not, in the last of too many
    const Program* last_ = nullptr;
    FittingSizes sizes_;
    data::Batch padded_;      // of an evaluation: the input as the network takes it
    data::Batch prediction_;  // what the network makes of it, in the size of the pictures, with the fields of the batch
    double loss_elements_ = 1.0;  // terms of the loss in the batch at hand: keeps gradients near those of the mean
};

}  // namespace sluice::run

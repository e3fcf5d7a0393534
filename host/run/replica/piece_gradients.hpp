// Forward and backward of one piece of a shard: its gradients are added to those of the step.
#pragma once

#include <cstdint>
#include <optional>

#include "run/collective/exchange.hpp"
#include "run/collective/vote.hpp"
#include "run/network/single_value_backup.hpp"
#include "run/network/step_rollback.hpp"
#include "run/replica/network_runner.hpp"
#include "run/replica/step_part.hpp"
#include "run/upload/held_parts.hpp"
#include "run/weights/gradient_backup.hpp"

namespace sluice::run {

class PieceGradients {
public:
    // What a replica lends. Null: exchange and vote if there are no other replicas, `held` if nothing is held.
    struct Loan {
        NetworkRunner& runner;
        StepState& state;
        const StepRollback& rollback;
        HeldParts* held;
        Exchange* exchange;
        const Vote* vote;
    };
    PieceGradients(const config::PipelineSpec& spec, const Loan& loan);

    // Which of the step's pieces it is.
    struct Turn {
        std::int64_t number;  // over all shards of the batch
        bool is_first;
        bool exchanges;  // gradients with the other replicas, on the way
        bool is_recorded;
        bool is_of_one = false;   // the whole batch has one sample
        bool is_nothing = false;  // the sample that is computed is not the replica's: it brings nothing to the step
    };

    // The loss of a step has so many terms, over all replicas: this keeps gradients near those of the mean.
    void set_loss_elements(double count) { loss_elements_ = count; }
    // By that program, which is in use. Returns false if the device is a CPU and the own loss of the step so far is not
    // finite.
    [[nodiscard]] bool compute(Program& program, const data::Batch& piece, const StepPart& part, const Turn& turn);
    // Of a replica without samples, unless its layers join those of others: then it computes a piece that is nothing.
    void skip(const StepPart& part, const Turn& turn);
    [[nodiscard]] bool joins_others() const { return gradients_before_.has_value(); }

private:
    sluice_step_start start(const StepPart& part, std::int64_t number);
    void run(Program& program, const StepPart& part, const Turn& turn);
    void run_once(const Program& program, const Turn& turn);
    void wait_for_each(bool waits) const;

    Loan loan_;
    std::uint64_t parts_of_step_;
    std::optional<GradientBackup> gradients_before_;  // where layers join the replicas
    SingleValueBackup single_values_;
    double loss_elements_ = 1.0;
    bool own_loss_is_finite_ = true;
};

}  // namespace sluice::run

#include "run/replica/replica.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/counted.hpp"
#include "base/error.hpp"
#include "plan/fits.hpp"
#include "plan/listing.hpp"
#include "plan/single_values.hpp"
#include "run/collective/sharing.hpp"
#include "run/network/lost.hpp"
#include "run/network/overflow.hpp"
#include "run/upload/batch_pieces.hpp"

namespace sluice::run {

static_assert(plan::kStepsAhead < StepState::kAhead);

Replica::Replica(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
                 std::span<const registry::Field> fields, int threads, const ReplicaPlace& place)
    : spec_(spec),
      tools_(tools),
      threads_(threads),
      stream_(tools.device),
      reader_(tools.device, stream_.handle()),
      scalars_(tools.device, sizeof(sluice_step_scalars)),
      network_(spec, tools, optimizer, fields,
               {.stream = stream_.handle(),
                .scalars = reinterpret_cast<const sluice_step_scalars*>(scalars_.data()),
                .threads = threads_.api(),
                .seed = static_cast<std::uint64_t>(spec.seed),
                .replicas = place.world > 1 ? joint_sums_.table() : nullptr,
                .own_shards = place.shards / place.world,
                .ends_where_others_are_lost = place.is_one_of_several_processes && tools.device->is_host_memory()},
               optimizer != nullptr ? update_share(spec, place.world, place.number) : plan::UpdateShare{}),
      scaler_(tools),
      // One of the batches that are held may turn out not to be finite.
      feed_(tools.device, stream_.handle(), plan::staged_batches(plan(), spec, *tools.device)),
      own_shards_(place),
      sizes_(spec, tools) {
    updated_.reserve(StepState::kAhead);
    const bool trains = optimizer != nullptr;
    if (trains) {
        sluice_step_rule rule{};
        rule.clip_norm = spec.clip_norm;
        rule.has_norm = spec.clip_norm > 0.0 || scaler_.scales() ? 1 : 0;
        scaler_.add_to(rule);
        state_.emplace(tools.device, stream_.handle(), threads_.api(),
                       reinterpret_cast<sluice_step_scalars*>(scalars_.data()), rule,
                       weights().layout().parameter_count);
        recorded_update_ = network_.make_recorded();
        go_on_from(scaler_.begin(), 0);
        join(place);
        parameter_update_.emplace(
            ParameterUpdate::Loan{.device = *tools.device,
                                  .optimizer = *optimizer,
                                  .weights = weights(),
                                  .state = *state_,
                                  .exchange = exchange_ ? &*exchange_ : nullptr,
                                  .threads = tools.device->is_host_memory() ? threads_.api() : nullptr,
                                  .stream = stream_.handle()});
    }
    if (trains && feed_.is_staged()) {
        held_.emplace(*feed_.stage(), *state_, reader_);
    }
    for (const bool joins : {false, true}) {
        const auto norms = plan::norms_of_single_values(plan().graph, joins);
        if (trains && !norms.empty()) {
            single_values_[joins ? 1 : 0].emplace(tools.device, stream_.handle(), weights(),
                                                  plan::running_ranges(norms, plan().graph, weights().layout()));
        }
    }
    if (trains && (spec.train.accumulate > 1 || scaler_.scales() || exchange_)) {
        running_before_.emplace(tools.device, stream_.handle(), weights());
    }
}

// Shards and pieces are computed one after the other.
void Replica::expect_whole_batches() const {
    const plan::Node* const joining = plan::joins_replicas(plan().graph);
    if (joining == nullptr) {
        return;
    }
    const std::string what =
        fmt::format("{}: layer '{}' has the statistics of a whole batch", to_string(joining->origin), joining->path);
    if (own_shards_.count() > 1) {
        throw Error(Exit::config, fmt::format("{}, and strategy.micro_shards = {} gives parts of one to each of {}; "
                                              "leave out one of the two",
                                              what, own_shards_.of_batch(),
                                              counted(own_shards_.of_batch() / own_shards_.count(), "replica")));
    }
    if (plan().pieces > 1) {
        throw Error(Exit::config, fmt::format("{}, and {}; leave it out, or make data.batch smaller", what,
                                              plan::pieces_text(plan())));
    }
}

// What it does with its shards and with the other replicas in a step.
void Replica::join(const ReplicaPlace& place) {
    expect_whole_batches();
    if (own_shards_.count() > 1) {
        kept_shards_.emplace(weights(), state_->report(), static_cast<std::uint64_t>(own_shards_.count()));
    }
    if (place.world > 1) {
        exchange_.emplace(place, spec_.sharing,
                          Exchange::Loan{.weights = weights(),
                                         .device = *tools_.device,
                                         .report = state_->report(),
                                         .word = state_->word(),
                                         .wants_norm = state_->wants_norm(),
                                         .threads = tools_.device->is_host_memory() ? threads_.api() : nullptr,
                                         .stream = stream_.handle()});
        vote_.emplace(tools_.device, stream_.handle(), exchange_->collectives());
        joint_sums_.join(exchange_->collectives(), *tools_.device, stream_.handle());
    }
    if (exchange_ && plan::joins_replicas(plan().graph) != nullptr) {
        gradients_before_.emplace(tools_.device, stream_.handle(), weights(),
                                  plan::keeps_gradients(plan(), spec_, true));
    }
}

Program& Replica::program(plan::Mode mode, const data::Batch& batch) {
    return network_.program(mode, batch, [&](const Program& dropped) {
        if (held_) {
            held_->drop(dropped);
        }
    });
}

void Replica::make_ready(const data::Batch& batch) {
    for (std::int64_t shard = own_shards_.begin(); shard < own_shards_.end(); ++shard) {
        const data::Batch& own = own_shards_.samples(shard, batch);
        feed_.make_room(program(plan::Mode::train, own.count > 0 ? own : own_shards_.first_sample(batch)));
    }
}

std::span<const float> Replica::gradient(plan::TensorId id) {
    const std::byte* const from = last_->executor->gradient(id);
    return from != nullptr ? reader_.read(last_->plan.graph.tensors[id].spec, from) : std::span<const float>{};
}

std::span<const float> Replica::parameter_gradients(std::uint64_t offset, std::int64_t count) {
    const auto* const from = reinterpret_cast<const std::byte*>(weights().gradients() + offset);
    return reader_.read(make_spec(kFloat32, {{count}}), from);
}

// Of what was missed, where another process is lost meanwhile.
void Replica::compute_gradients(const data::Batch& batch, const StepPart& part) {
    try {
        compute_own_gradients(batch, part);
    } catch (const Lost& lost) {
        throw Error(lost.exit(),
                    fmt::format("{}; it was missed in step {}, before {}", lost.what(), part.step, missed()));
    }
}

void Replica::compute_own_gradients(const data::Batch& batch, const StepPart& part) {
    step_ = part.step;
    if (part.part == 0) {
        fault_.reset();
        unfinished_ = running_before_.has_value();
    }
    if (exchange_) {
        exchange_->collectives().begin_part(part.patience);
    }
    for (std::int64_t shard = own_shards_.begin(); shard < own_shards_.end(); ++shard) {
        const auto kept = static_cast<std::uint64_t>(shard - own_shards_.begin());
        if (kept_shards_) {
            kept_shards_->bring(kept, part.part == 0);
        }
        compute_shard(batch, part, shard);
        if (kept_shards_) {
            kept_shards_->keep(kept);
        }
    }
    if (kept_shards_ && part.is_last) {
        kept_shards_->add_up();
        if (exchange_) {
            exchange_->finish();
        }
    }
    if (exchange_ && part.is_last && !fault_) {
        expect_finite_losses();
    }
}

// What replicas exchange all of them record, or none, as NCCL wants it. They have computed as many whole batches each;
// short ones leave some without samples, or with as many as a whole one.
void Replica::compute_shard(const data::Batch& batch, const StepPart& part, std::int64_t shard) {
    const data::Batch& own = own_shards_.samples(shard, batch);
    if (own.count == 0) {
        skip_shard(batch, part, shard);
        return;
    }
    Program& train = program(plan::Mode::train, own);
    last_ = &train;
    set_loss_elements(train, batch, part);
    Pieces pieces(own, train.plan.pieces);
    for (std::int64_t i = 0; i < train.plan.pieces; ++i) {
        compute_piece(train, pieces[i], part,
                      {.number = i * own_shards_.of_batch() + shard,
                       .is_first = part.part == 0 && i == 0,
                       .exchanges = exchanges_itself(part) && i + 1 == train.plan.pieces,
                       .is_recorded = !exchange_ || batch.count == spec_.data.batch,
                       .is_of_one = batch.count == 1});
    }
}

// At the end of this part; shards that are kept are added up first.
bool Replica::exchanges_itself(const StepPart& part) const { return exchange_ && !kept_shards_ && part.is_last; }

// A short batch has no sample for it: it brings nothing to the step.
void Replica::skip_shard(const data::Batch& batch, const StepPart& part, std::int64_t shard) {
    const data::Batch& sample = own_shards_.first_sample(batch);
    Program& train = program(plan::Mode::train, sample);
    set_loss_elements(train, batch, part);
    if (gradients_before_) {  // what the others sum, it sums with them
        last_ = &train;
        compute_piece(train, sample, part,
                      {.number = shard,
                       .is_first = part.part == 0,
                       .exchanges = exchanges_itself(part),
                       .is_recorded = false,
                       .is_of_one = batch.count == 1,
                       .is_nothing = true});
        return;
    }
    start_turn(part, shard);
    state_->begin();
    if (part.part == 0) {
        tools_.device->zero(weights().gradients(), weights().count() * sizeof(float), stream_.handle());
        state_->calls().add_loss(nullptr, 0, true, state_->report());
        if (running_before_) {
            running_before_->take();
        }
    }
    if (exchanges_itself(part)) {
        exchange_->finish();
    }
}

// All parts of a step share it, and all replicas.
void Replica::set_loss_elements(const Program& program, const data::Batch& batch, const StepPart& part) {
    if (part.part == 0) {
        const plan::Graph& graph = program.plan.graph;
        const std::int64_t of_sample = element_count(graph.tensors[graph.prediction].spec) / program.plan.batch;
        loss_elements_ = static_cast<double>(of_sample * batch.count);
    }
}

// Returns what the part starts with.
sluice_step_start Replica::start_turn(const StepPart& part, std::int64_t number) {
    constexpr int kPartBits = 40;  // of a random counter; pieces are counted above them
    const std::uint64_t parts_before = (part.step - 1) * static_cast<std::uint64_t>(spec_.train.accumulate) + part.part;
    sluice_step_start start{.loss_seed = 1.0 / loss_elements_,
                            .random_counter = (static_cast<std::uint64_t>(number) << kPartBits) + parts_before + 1,
                            .first_update = part.rates.first_update,
                            .rates = {},
                            .reserved = {}};
    std::ranges::copy(part.rates.values, std::begin(start.rates));
    state_->write_start(start, part.said);
    return start;
}

void Replica::compute_piece(Program& program, const data::Batch& piece, const StepPart& part, const Turn& turn) {
    const std::uint64_t staged = feed_.feed(program, piece);
    const sluice_step_start start = start_turn(part, turn.number);
    if (held_) {
        held_->add({part.step, staged, &program, start});
    }
    if (program.first_step == 0) {
        program.first_step = part.step;
    }
    round_parameters(false);
    joint_sums_.set(!part.is_common   ? JointSums::Share::alone
                    : turn.is_nothing ? JointSums::Share::nothing
                                      : JointSums::Share::equal);
    const std::array<bool, 2> keeps{single_values_[0] && piece.count == 1, single_values_[1] && turn.is_of_one};
    for (const std::size_t joined : {0, 1}) {
        if (keeps[joined]) {
            single_values_[joined]->take();
        }
    }
    const bool is_first_step = program.first_step == part.step;
    if (!turn.is_recorded) {
        wait_for_each(is_first_step);
        compute_part(program, turn);
    } else {
        // Which one exchanges does not depend on how many pieces there are: other replicas may have others.
        const bool is_first = turn.exchanges ? part.part == 0 : turn.is_first;
        Recorded& recorded =
            part.is_common ? program.parts[is_first ? 1 : 0][turn.exchanges ? 1 : 0] : program.alone[is_first ? 1 : 0];
        wait_for_each(is_first_step && !recorded.has_begun());
        run_recorded(recorded, part.is_common && (turn.exchanges || gradients_before_),
                     [&] { compute_part(program, turn); });
    }
    for (const std::size_t joined : {0, 1}) {
        if (keeps[joined]) {
            single_values_[joined]->put_back();
        }
    }
    if (!own_loss_is_finite_ && !fault_) {
        fault_ = {layer_not_finite(piece).value_or("loss"), is_finite(piece)};
        if (!scaler_.scales() || !fault_->data_is_finite) {
            give_up(part.step, state_->report()->loss_sum);
        }
    }
}

void Replica::wait_for_each(bool waits) {
    if (exchange_) {
        exchange_->collectives().wait_for_each(waits);
    }
}

// Of the replicas all together: one of them says why not.
void Replica::expect_finite_losses() const {
    if (!scaler_.scales() && tools_.device->is_host_memory() && !std::isfinite(state_->report()->loss_sum)) {
        throw Error(Exit::worker_lost, "the loss of another replica is not finite");
    }
}

void Replica::compute_part(Program& program, const Turn& turn) {
    if (turn.is_first && running_before_) {
        running_before_->take();
    }
    state_->begin();
    program.executor->forward(network_.weights().version());
    const plan::TensorId loss = program.plan.graph.loss;
    const auto losses = static_cast<std::uint64_t>(element_count(program.plan.graph.tensors[loss].spec)) / 2;
    state_->calls().add_loss(reinterpret_cast<const float*>(program.executor->tensor(loss)),
                             turn.is_nothing ? 0 : losses, turn.is_first, state_->report());
    own_loss_is_finite_ = !tools_.device->is_host_memory() || std::isfinite(state_->report()->loss_sum);
    if (turn.is_nothing) {
        gradients_before_->take(turn.is_first);
    }
    const auto filled = [&](std::uint64_t elements) {
        if (turn.is_nothing) {
            gradients_before_->put_back(elements);
        }
        if (turn.exchanges) {
            exchange_->gradients_filled(elements);
        }
    };
    program.executor->backward(network_.weights().version(), !turn.is_first,
                               std::ref(filled));  // a copy would be allocated
    if (turn.exchanges) {
        exchange_->finish();
    }
}

// is_joint: the other replicas do it at the same time, and exchange something in it. Then all of them run it as
// recorded, or none.
template <class Work>
void Replica::run_recorded(Recorded& recorded, bool is_joint, const Work& work) {
    recorded.run(
        [&] {
            if (exchange_) {
                exchange_->restart();
            }
            work();
        },
        [&](bool is_recorded) {
            return is_joint ? vote_->all_say(is_recorded, "whether steps are recorded") : is_recorded;
        });
}

// What kernels read of the parameters in 16 bits.
void Replica::round_parameters(bool averaged) {
    weights().refresh_rounded(averaged, stream_.handle(), *threads_.api());
}

void Replica::abandon_step() {
    if (std::exchange(unfinished_, false)) {
        running_before_->put_back();
        tools_.device->wait(stream_.handle());
    }
}

void Replica::update() {
    parameter_update_->begin();
    run_recorded(recorded_update_, parameter_update_->is_shared(), [&] {
        parameter_update_->restart();
        parameter_update_->decide();
        if (running_before_) {
            running_before_->put_back_unless_done(*state_);
        }
        parameter_update_->make();
        if (weights().average().is_kept()) {
            state_->move_averages(weights(), spec_.train.ema);
        }
    });
    state_->send_report();
    updated_.push_back(step_);
    weights().mark_changed();
    round_parameters(false);
    unfinished_ = false;
}

std::size_t Replica::steps_ahead() const { return feed_.is_staged() ? plan::kStepsAhead : 0; }

void Replica::go_on_from(const LossScale& scale, std::uint64_t updates) {
    scale_ = scale;
    state_->write_report(report_of(scale, updates));
}

}  // namespace sluice::run

#include "diagnose/precision/precision_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "data/loader/loader.hpp"
#include "diagnose/precision/tensor_reading.hpp"
#include "run/replica/replica.hpp"
#include "run/schedule/schedule.hpp"
#include "run/setup/batch_fields.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/setup/open_optimizer.hpp"
#include "run/tuning/policy_rounds.hpp"

namespace sluice::diagnose {
namespace {

constexpr std::size_t kUntimed = 2;  // first steps, which include kernel warm-up

config::PipelineSpec all_float32(config::PipelineSpec spec) {
    spec.precision = {"float32", spec.precision.origin, {}};
    spec.precision_rules.clear();
    config::visit_layers(spec.model.layers, [](config::LayerSpec& layer) { layer.precision.clear(); });
    return spec;
}

// Turns on clipping with a limit that is never reached, because only clipping computes the gradient norm.
config::PipelineSpec with_norm(config::PipelineSpec spec) {
    spec.clip_norm = spec.clip_norm > 0.0 ? spec.clip_norm : 1e300;
    return spec;
}

// One of the two runs, in float32 or under the policy.
class TrialRun {
public:
    TrialRun(config::PipelineSpec spec, const registry::Registry& registry, const data::Chain& chain)
        : spec_(with_norm(std::move(spec))),
          tools_(plan::open_toolbox(spec_, registry)),
          optimizer_(run::open_optimizer(spec_, registry, tools_.device->kind())),
          fields_(run::batch_fields(chain, run::model_fields(spec_.model), spec_.data.batch)),
          replica_(spec_, tools_, &optimizer_, fields_,
                   run::thread_plan(spec_, tools_, fields_, plan::Mode::train, usable_cores()).threads),
          scale_(replica_.training().loss_scaler().begin()) {}

    void compute(const data::Batch& batch, std::uint64_t number, const run::Schedule& schedule) {
        const double start = now();
        spent_ = number == 0 ? 0.0 : spent_;
        const double rate = schedule.rate(step_ - scale_.skipped);
        replica_.training().compute_gradients(batch,
                                              {.step = step_ + 1, .number = number, .rates = run::constant_rate(rate)});
        replica_.runner().wait();
        spent_ += now() - start;
    }

    TrialStep update() {
        const double start = now();
        replica_.training().update();
        const run::StepResult done = replica_.training().finish_step();
        spent_ += now() - start;
        ++step_;
        scale_ = done.scale;
        return {.loss = done.loss.mean(), .gradient_norm = done.norm, .skipped = done.skipped};
    }

    // Returns the seconds of the last updated step.
    [[nodiscard]] double spent() const { return spent_; }
    [[nodiscard]] run::Replica& replica() { return replica_; }
    [[nodiscard]] const run::LossScale& scale() const { return scale_; }
    [[nodiscard]] const plan::Toolbox& tools() const { return tools_; }

private:
    config::PipelineSpec spec_;
    plan::Toolbox tools_;
    registry::Optimizer optimizer_;
    std::vector<registry::Field> fields_;
    run::Replica replica_;
    run::LossScale scale_;
    std::uint64_t step_ = 0;
    double spent_ = 0.0;
};

void expect_policy(const config::PipelineSpec& spec, const plan::Toolbox& tools) {
    if (spec.precision.use == "float32" && tools.policies.size() == 1) {
        throw Error(
            Exit::config,
            "the pipeline's precision policy is float32, so there is nothing to compare; choose another with --policy");
    }
    if (tools.measured) {
        throw Error(Exit::config, fmt::format("the policy '{}' chooses another policy by measuring; name the one "
                                              "to compare with --policy",
                                              tools.policies[*tools.measured].name));
    }
}

class Trial {
public:
    Trial(const config::PipelineSpec& spec, const registry::Registry& registry, const TrialRequest& request)
        : spec_(spec),
          request_(request),
          chain_(spec.data.train, registry, static_cast<std::uint64_t>(spec.seed), "data.train"),
          loader_(chain_, run::loader_options(spec, true, usable_cores())),
          plain_(all_float32(spec), registry, chain_),
          mixed_(spec, registry, chain_),
          batches_((loader_.batches_per_epoch())),
          accumulate_(static_cast<std::uint64_t>(spec.train.accumulate)) {
        expect_policy(spec, mixed_.tools());
        if (batches_ == 0) {
            throw Error(Exit::data, "the training data has no samples");
        }
        loader_.expect_labels(plain_.replica().network().plan().graph.labels);
        loader_.seek(0, 0);
    }

    PrecisionTrial run() {
        found_.pipeline = spec_.name;
        found_.device = plain_.tools().device->info().name;
        found_.policy = mixed_.tools().policies.front().name;
        list_layers();
        const std::uint64_t per_epoch = (batches_ + accumulate_ - 1) / accumulate_;
        const run::Schedule schedule(spec_.schedule, run::scaled_rate(spec_),
                                     per_epoch * static_cast<std::uint64_t>(spec_.train.epochs), per_epoch);
        std::vector<double> plain;
        std::vector<double> mixed;
        for (std::size_t i = 0; i < request_.steps; ++i) {
            request_.progress(fmt::format("step {} of {}", i + 1, request_.steps));
            take_step(schedule, i == 0 || i + 1 == request_.steps);
            if (!found_.diverged.empty()) {
                break;
            }
            if (i >= kUntimed && i + 1 < request_.steps && !found_.mixed.back().skipped) {
                plain.push_back(plain_.spent());
                mixed.push_back(mixed_.spent());
            }
        }
        found_.speed = speed_of(plain, mixed);
        found_.loss_scale = mixed_.scale().value;
        return std::move(found_);
    }

private:
    void list_layers() {
        const plan::Graph& graph = mixed_.replica().network().plan().graph;
        for (const plan::Node& node : graph.nodes) {
            places_[node.path] = found_.layers.size();
            found_.layers.push_back({.path = node.path,
                                     .stored = to_string(graph.tensors[node.outputs.front()].spec.dtype),
                                     .outputs = {},
                                     .gradients = {},
                                     .parameters = {}});
        }
    }

    void take_step(const run::Schedule& schedule, bool looks) {
        const std::uint64_t batch_count = std::min(accumulate_, batches_ - batch_);
        for (std::uint64_t number = 0; number < batch_count && found_.diverged.empty(); ++number) {
            const data::Batch& batch = loader_.next();
            compute_plain(batch, number, schedule, looks && number + 1 == batch_count);
            compute_mixed(batch, number, schedule, looks && number + 1 == batch_count);
        }
        batch_ = (batch_ + batch_count) % batches_;
        not_zero_.clear();
        if (found_.diverged.empty()) {
            found_.float32.push_back(plain_.update());
            attempt([&] { found_.mixed.push_back(mixed_.update()); });
        }
    }

    // If the policy diverges, the trial stops and reports the steps so far.
    template <class Action>
    void attempt(Action action) {
        try {
            action();
        } catch (const Error& error) {
            if (error.exit() != Exit::diverged) {
                throw;
            }
            found_.diverged = error.what();
        }
    }

    void compute_plain(const data::Batch& batch, std::uint64_t number, const run::Schedule& schedule, bool looks) {
        std::optional<TensorReading> reading;
        if (looks) {
            reading.emplace(plain_.replica(),
                            [this](const plan::Node& node, TensorKind kind, sluice_dtype,
                                   std::span<const float> values) { note_plain(node, kind, values); });
        }
        plain_.compute(batch, number, schedule);
    }

    void compute_mixed(const data::Batch& batch, std::uint64_t number, const run::Schedule& schedule, bool looks) {
        std::optional<TensorReading> reading;
        if (looks) {
            reading.emplace(mixed_.replica(),
                            [this](const plan::Node& node, TensorKind kind, sluice_dtype,
                                   std::span<const float> values) { note_mixed(node, kind, values); });
        }
        attempt([&] { mixed_.compute(batch, number, schedule); });
    }

    TensorNumbers* numbers_of(const std::string& path, TensorKind kind) {
        const auto place = places_.find(path);
        if (place == places_.end()) {
            return nullptr;
        }
        TrialLayer& layer = found_.layers[place->second];
        return kind == TensorKind::output     ? &layer.outputs
               : kind == TensorKind::gradient ? &layer.gradients
                                              : &layer.parameters;
    }

    void note_plain(const plan::Node& node, TensorKind kind, std::span<const float> values) {
        if (TensorNumbers* const numbers = numbers_of(node.path, kind); numbers != nullptr) {
            numbers->float32.add(values);
            std::vector<bool>& not_zero = not_zero_[{node.path, kind}];
            std::ranges::transform(values, std::back_inserter(not_zero), [](float value) { return value != 0.0F; });
        }
    }

    void note_mixed(const plan::Node& node, TensorKind kind, std::span<const float> values) {
        TensorNumbers& numbers = *numbers_of(node.path, kind);
        numbers.policy.add(values);
        const auto counterpart = not_zero_.find({node.path, kind});
        if (counterpart != not_zero_.end() && counterpart->second.size() == values.size()) {
            if (!numbers.underflow) {
                numbers.underflow.emplace();
            }
            numbers.underflow->add(counterpart->second, values);
        }
    }

    const config::PipelineSpec& spec_;
    const TrialRequest& request_;
    data::Chain chain_;
    data::Loader loader_;
    TrialRun plain_;
    TrialRun mixed_;
    std::uint64_t batches_;  // per epoch
    std::uint64_t accumulate_;
    std::uint64_t batch_ = 0;  // number of the next batch in its epoch
    PrecisionTrial found_;
    std::map<std::string, std::size_t> places_;                                 // layer path to index in found_.layers
    std::map<std::pair<std::string, TensorKind>, std::vector<bool>> not_zero_;  // in float32, for the current step
};

}  // namespace

TrialSpeed speed_of(std::span<const double> float32, std::span<const double> policy) {
    if (policy.empty()) {
        return {};
    }
    std::vector<double> ratios;
    std::ranges::transform(float32, policy, std::back_inserter(ratios), std::divides());
    return {.steps = policy.size(),
            .float32_seconds = bench::spread_of({float32.begin(), float32.end()}),
            .policy_seconds = bench::spread_of({policy.begin(), policy.end()}),
            .ratio = bench::spread_of(ratios).median,
            .share = run::share_of(policy, float32)};
}

std::optional<bool> TrialSpeed::is_faster() const {
    return steps < run::kFewestRounds ? std::nullopt : std::optional(run::is_gain(share));
}

PrecisionTrial::Difference PrecisionTrial::largest_difference() const {
    Difference largest;
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        const double share = std::abs(mixed[i].loss - float32[i].loss) / std::max(std::abs(float32[i].loss), 1e-30);
        if (!(share <= largest.share)) {  // also true for NaN
            largest = {share, i + 1};
        }
    }
    return largest;
}

PrecisionTrial try_precision(const config::PipelineSpec& spec, const registry::Registry& registry,
                             const TrialRequest& request) {
    return Trial(spec, registry, request).run();
}

}  // namespace sluice::diagnose

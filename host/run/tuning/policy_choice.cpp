#include "run/tuning/policy_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "base/sha256.hpp"
#include "run/replica/replica.hpp"
#include "run/tuning/policy_rounds.hpp"

namespace sluice::run {
namespace {

constexpr const char* kPrecisionChoice = "precision";  // provider name of this entry in registry::TuningCache
constexpr const char* kDefaultPolicy = "float32";
constexpr int kMostSteps = 3;         // in one turn
constexpr double kTurnSeconds = 0.2;  // after which a turn begins no further step

std::vector<std::string> split(const std::string& names) {
    std::istringstream words(names);
    std::vector<std::string> all;
    for (std::string word; words >> word;) {
        all.push_back(word);
    }
    return all;
}

// Returns a key with everything that the time of a step depends on.
std::string key_of(const PolicyCase& wanted, const plan::Toolbox& tools, std::span<const std::string> candidates) {
    const plan::Graph graph = plan::build_graph(wanted.spec, tools, wanted.fields, plan::Mode::train);
    std::string all;
    for (const plan::Node& node : graph.nodes) {
        all += fmt::format("{} {} {}", node.type, tools.policies[node.policy].name, to_toml({node.options, {}}));
        for (const plan::TensorId id : node.outputs) {
            all += to_string(graph.tensors[id].spec);
        }
    }
    for (const plan::Feed& feed : graph.feeds) {
        all += to_string(graph.tensors[feed.tensor].spec);
    }
    for (const registry::KernelProvider& provider : tools.providers) {
        all += provider.label();
    }
    const config::PipelineSpec& spec = wanted.spec;
    for (const config::ComponentSpec& provider : spec.kernels) {
        all += to_toml({provider.options, {}});
    }
    all += fmt::format("{} {} {} {}", spec.optimizer.use, spec.deterministic, static_cast<int>(spec.train.recompute),
                       spec.pin);
    const std::string_view text = all;
    return fmt::format("{} on {}, {} thread(s), {}", fmt::join(candidates, " "), tools.device->info().name,
                       wanted.threads, sha256(std::span(&text, 1)).substr(0, 16));
}

// Returns a batch of random pictures. All other fields are zero, so classes are 0.
data::Batch make_batch(const PolicyCase& wanted) {
    data::Batch batch;
    batch.count = wanted.spec.data.batch;
    for (const registry::Field& field : wanted.fields) {
        data::NamedTensor tensor{field.name, field.role, {field.spec, {}}};
        tensor.tensor.bytes.resize(byte_count(field.spec));
        if (field.role == SLUICE_FIELD_IMAGE) {
            for (std::size_t i = 0; i < tensor.tensor.bytes.size(); ++i) {
                tensor.tensor.bytes[i] = static_cast<std::uint8_t>(random_bits({1, stable_hash(field.name), 0}, i));
            }
        }
        batch.fields.push_back(std::move(tensor));
    }
    return batch;
}

std::unique_ptr<registry::Precision> open_candidate(const std::string& name, const plan::Toolbox& tools) {
    const plan::Policy& asked = tools.policies[*tools.measured];
    const registry::Component component = tools.registry->find(registry::Kind::precision, name, asked.origin);
    auto policy = std::make_unique<registry::Precision>(
        component, tools.registry->options(component, {name, asked.origin, {}}), asked.origin);
    if (policy->traits().candidates.len > 0) {
        throw Error(Exit::config, fmt::format("{}: '{}' is a candidate of precision policy '{}' but has candidates "
                                              "itself; choose one without",
                                              to_string(asked.origin), name, asked.name));
    }
    return policy;
}

// A policy that is measured. It keeps its replica between turns if there is memory for one of each candidate.
// Otherwise each turn makes a new one.
class Candidate {
public:
    Candidate(const std::string& name, const PolicyCase& wanted, plan::Toolbox& tools)
        : wanted_(wanted), tools_(tools), policy_(open_candidate(name, tools)) {}

    // Returns the seconds of the fastest of some steps; infinity if a step overflows, because it then does less work.
    // The learning rate is 0, so that nothing diverges. `memory`: bytes that the replica may keep after the turn.
    double turn(const data::Batch& batch, double memory) {
        if (!replica_) {
            prepare();
            step(batch);
        }
        double fastest = std::numeric_limits<double>::infinity();
        double spent = 0.0;
        for (int i = 0; i < kMostSteps && (i == 0 || spent < kTurnSeconds); ++i) {
            const double start = now();
            if (!step(batch)) {
                return std::numeric_limits<double>::infinity();
            }
            const double seconds = now() - start;
            spent += seconds;
            fastest = std::min(fastest, seconds);
        }
        if (static_cast<double>(bytes()) > memory) {
            replica_.reset();
        }
        return fastest;
    }

private:
    // Makes the replica's plan with this policy. After that, nothing uses the policy.
    void prepare() {
        std::unique_ptr<registry::Precision>& place = tools_.policies[*tools_.measured].precision;
        std::swap(place, policy_);
        replica_ = std::make_unique<Replica>(wanted_.spec, tools_, &wanted_.optimizer, wanted_.fields, wanted_.threads);
        std::swap(place, policy_);
    }

    // Returns false if the step was skipped.
    bool step(const data::Batch& batch) {
        ++steps_;
        replica_->training().compute_gradients(batch, {.step = steps_});
        replica_->training().update();
        return !replica_->training().finish_step().skipped;
    }

    [[nodiscard]] std::uint64_t bytes() const {
        const plan::Plan& plan = replica_->network().plan();
        return plan.memory.arena_bytes +
               plan::weight_bytes(plan, wanted_.optimizer.states().size(), wanted_.spec.train.ema > 0.0).total();
    }

    const PolicyCase& wanted_;
    plan::Toolbox& tools_;
    std::unique_ptr<registry::Precision> policy_;
    std::unique_ptr<Replica> replica_;
    std::uint64_t steps_ = 0;
};

std::string text_of(std::span<const PolicyTime> times) {
    std::string text;
    for (const PolicyTime& time : times) {
        const std::string share = time.share == 1.0 ? "" : fmt::format(" (x{:.2f})", time.share);
        text += fmt::format("{}{} {:.4g} ms{}", text.empty() ? "" : ", ", time.name, 1e3 * time.seconds, share);
    }
    return text + " a step";
}

// Parses a remembered choice: "mixed_bfloat16: float32 12.3 ms, ...". Returns no choice if that policy is not a
// candidate any more.
PolicyChoice parse(const std::string& remembered, std::span<const std::string> candidates) {
    const std::size_t colon = remembered.find(": ");
    const std::string name = remembered.substr(0, colon);
    if (colon == std::string::npos || std::ranges::find(candidates, name) == candidates.end()) {
        return {};
    }
    return {.name = name, .why = remembered.substr(colon + 2)};
}

PolicyChoice measure(const PolicyCase& wanted, plan::Toolbox& tools, std::span<const std::string> candidates) {
    log::info(fmt::format("precision {}: measuring the training steps of {} policies",
                          tools.policies[*tools.measured].name, candidates.size()));
    const data::Batch batch = make_batch(wanted);
    std::vector<Candidate> policies;
    for (const std::string& name : candidates) {
        policies.emplace_back(name, wanted, tools);
    }
    const double memory = wanted.memory * static_cast<double>(tools.device->info().free_bytes);
    const auto times = measure_in_rounds(candidates, [&](std::size_t i) {
        return policies[i].turn(batch, memory / static_cast<double>(policies.size()));
    });
    return {.name = choose_fastest(times).name, .why = text_of(times)};
}

std::vector<std::string> candidates_of(const plan::Toolbox& tools) {
    if (!tools.measured) {
        return {};
    }
    const sluice_text names = tools.policies[*tools.measured].precision->traits().candidates;
    return split(std::string(names.ptr, names.len));
}

void put(const std::string& name, plan::Toolbox& tools) {
    plan::Policy& policy = tools.policies[*tools.measured];
    policy.precision = open_candidate(name, tools);
    policy.chosen = name;
}

}  // namespace

PolicyChoice settle_policy(const PolicyCase& wanted, plan::Toolbox& tools) {
    const std::vector<std::string> candidates = candidates_of(tools);
    if (candidates.empty()) {
        return {};
    }
    const std::string& asked = tools.policies[*tools.measured].name;
    const std::string key = key_of(wanted, tools, candidates);
    PolicyChoice choice = parse(tools.choices->recall(kPrecisionChoice, key), candidates);
    if (choice.name.empty() && !tools.choices->may_measure()) {
        return {.name = kDefaultPolicy, .why = "nothing is measured, because device.measure is false", .asked = asked};
    }
    if (choice.name.empty()) {
        choice = measure(wanted, tools, candidates);
        tools.choices->remember(kPrecisionChoice, key, choice.name + ": " + choice.why);
        tools.choices->save();
    }
    choice.asked = asked;
    put(choice.name, tools);
    return choice;
}

void adopt_policy(const std::string& name, plan::Toolbox& tools) {
    const std::vector<std::string> candidates = candidates_of(tools);
    if (std::ranges::find(candidates, name) != candidates.end()) {
        put(name, tools);
    }
}

}  // namespace sluice::run

#include "run/policy_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "run/replica.hpp"

namespace sluice::run {
namespace {

constexpr const char* kProvider = "precision";  // in what is remembered
constexpr const char* kBaseline = "float32";
constexpr double kGain = 0.95;  // of float32's time, at most
constexpr std::uint64_t kWarmUp = 2;
constexpr std::uint64_t kFewestSteps = 3;
constexpr std::uint64_t kMostSteps = 20;
constexpr double kSeconds = 1.0;  // of steps, where the fewest do not take longer

std::vector<std::string> split(const std::string& names) {
    std::istringstream words(names);
    std::vector<std::string> all;
    for (std::string word; words >> word;) {
        all.push_back(word);
    }
    return all;
}

// All that the time of a step depends on.
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
    all += fmt::format("{} {} {} {}", spec.optimizer.use, spec.deterministic, static_cast<int>(spec.train.recompute),
                       spec.pin);
    const std::string_view text = all;
    return fmt::format("{} on {}, {} thread(s), {}", fmt::join(candidates, " "), tools.device->info().name,
                       wanted.threads, sha256(std::span(&text, 1)).substr(0, 16));
}

// Noise for pictures and numbers, and class 0.
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

// Seconds of the fastest of some steps, at rate 0: nothing is learnt, so that nothing diverges.
double fastest_step(const PolicyCase& wanted, const plan::Toolbox& tools, const data::Batch& batch) {
    Replica replica(wanted.spec, tools, &wanted.optimizer, wanted.fields, wanted.threads);
    double fastest = std::numeric_limits<double>::infinity();
    double spent = 0.0;
    for (std::uint64_t i = 0; i < kWarmUp + kMostSteps && (i < kWarmUp + kFewestSteps || spent < kSeconds); ++i) {
        const double start = now();
        const LossSum loss = replica.compute_gradients(batch, i + 1, 0);
        replica.update(0.0, loss.weight, i + 1);
        replica.device().wait(replica.stream());
        const double seconds = now() - start;
        if (i >= kWarmUp) {
            spent += seconds;
            fastest = std::min(fastest, seconds);
        }
    }
    return fastest;
}

std::unique_ptr<registry::Precision> open_candidate(const std::string& name, const PolicyCase& wanted,
                                                    const plan::Toolbox& tools) {
    const config::ComponentSpec& asked = wanted.spec.precision;
    const registry::Component component = tools.registry->find(registry::Kind::precision, name, asked.origin);
    auto policy = std::make_unique<registry::Precision>(
        component, tools.registry->options(component, {name, asked.origin, {}}), asked.origin);
    if (policy->traits().candidates.len > 0) {
        throw Error(Exit::config, fmt::format("{}: '{}' is a candidate of precision policy '{}' and has candidates too",
                                              to_string(asked.origin), name, asked.use));
    }
    return policy;
}

std::string text_of(std::span<const PolicyTime> times) {
    std::string text;
    for (const PolicyTime& time : times) {
        text += fmt::format("{}{} {:.4g} ms", text.empty() ? "" : ", ", time.name, 1e3 * time.seconds);
    }
    return text + " a step";
}

// "mixed_bfloat16: float32 12.3 ms, ..." as it is remembered; a name that is no candidate any more is not taken.
PolicyChoice parse(const std::string& remembered, std::span<const std::string> candidates) {
    const std::size_t colon = remembered.find(": ");
    const std::string name = remembered.substr(0, colon);
    if (colon == std::string::npos || std::ranges::find(candidates, name) == candidates.end()) {
        return {};
    }
    return {.name = name, .why = remembered.substr(colon + 2)};
}

PolicyChoice measure(const PolicyCase& wanted, plan::Toolbox& tools, std::span<const std::string> candidates) {
    log::info(fmt::format("precision {}: the steps of {} policies are measured", wanted.spec.precision.use,
                          candidates.size()));
    const data::Batch batch = make_batch(wanted);
    std::vector<PolicyTime> times;
    for (const std::string& name : candidates) {
        tools.policies.front().precision = open_candidate(name, wanted, tools);
        times.push_back({name, fastest_step(wanted, tools, batch)});
    }
    return {.name = choose_fastest(times).name, .why = text_of(times)};
}

}  // namespace

const PolicyTime& choose_fastest(std::span<const PolicyTime> times) {
    const auto fastest = std::ranges::min_element(times, {}, &PolicyTime::seconds);
    const auto baseline = std::ranges::find(times, kBaseline, &PolicyTime::name);
    const bool in_doubt = baseline != times.end() && fastest->seconds > kGain * baseline->seconds;
    return in_doubt ? *baseline : *fastest;
}

PolicyChoice settle_policy(const PolicyCase& wanted, plan::Toolbox& tools) {
    const sluice_text names = tools.policies.front().precision->traits().candidates;
    const std::vector<std::string> candidates = split(std::string(names.ptr, names.len));
    if (candidates.empty()) {
        return {};
    }
    const std::string key = key_of(wanted, tools, candidates);
    PolicyChoice choice = parse(tools.choices->recall(kProvider, key), candidates);
    if (choice.name.empty() && !tools.choices->may_measure()) {
        return {.name = kBaseline, .why = "nothing is measured, because device.measure is false"};
    }
    if (choice.name.empty()) {
        choice = measure(wanted, tools, candidates);
        tools.choices->remember(kProvider, key, choice.name + ": " + choice.why);
        tools.choices->save();
    }
    tools.policies.front().precision = open_candidate(choice.name, wanted, tools);
    return choice;
}

}  // namespace sluice::run

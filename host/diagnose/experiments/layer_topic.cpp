// Finds parts of the network that take more time than their work needs, and measures the training without them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kLargeShare = 0.15;  // share of a step above which a layer is examined
constexpr double kPoor = 0.5;         // a layer is poor if it reaches less than this part of the network's rate
constexpr const char* kLoss = "loss";
constexpr const char* kPlainLoss = "mean_absolute_error";

// The times of all operations of a layer or a block are summed here.
struct Cost {
    double seconds = 0.0;
    double limit = 0.0;  // seconds that they take at least

    [[nodiscard]] double reached() const { return seconds > 0.0 ? limit / seconds : 0.0; }
};

// The cost of each layer and block of the model, by its path, and of the first words of other paths: the loss, the
// optimizer.
std::map<std::string, Cost> costs_of(const Evidence& evidence) {
    std::map<std::string, Cost> costs;
    for (const Operation& operation : evidence.facts.operations) {
        const auto& layers = evidence.spec.model.layers;
        const auto layer = std::ranges::find_if(layers, [&](const config::LayerSpec& one) {
            return operation.layer == one.path || operation.layer.starts_with(one.path + "/");
        });
        Cost& cost = costs[layer != layers.end() ? layer->path : operation.layer.substr(0, operation.layer.find('/'))];
        cost.seconds += operation.seconds;
        cost.limit += std::min(operation.limit, operation.seconds);
    }
    return costs;
}

// An entry of model.layers. With `repeat` it has several layers or blocks.
struct Entry {
    std::size_t number = 0;
    std::string name;  // in the table of layers, of the first
    Cost cost{};
};

std::vector<Entry> entries_of(const Evidence& evidence) {
    const std::map<std::string, Cost> costs = costs_of(evidence);
    std::vector<Entry> entries;
    std::string key;
    for (const config::LayerSpec& layer : evidence.spec.model.layers) {
        if (layer.key != key) {
            key = layer.key;
            entries.push_back({.number = entries.size(), .name = layer.path});
        }
        if (const auto found = costs.find(layer.path); found != costs.end()) {
            entries.back().cost.seconds += found->second.seconds;
            entries.back().cost.limit += found->second.limit;
        }
    }
    return entries;
}

Cost cost_of_all(const Evidence& evidence) {
    Cost all;
    for (const auto& [name, cost] : costs_of(evidence)) {
        all.seconds += cost.seconds;
        all.limit += cost.limit;
    }
    return all;
}

// The entries that take a large share of the step, and more than their work needs; the most expensive first.
std::vector<Entry> poor_entries(const Evidence& evidence) {
    constexpr std::size_t kMost = 2;
    const double reached = cost_of_all(evidence).reached();
    std::vector<Entry> entries = entries_of(evidence);
    std::erase_if(entries, [&](const Entry& entry) {
        return share_of(evidence.facts, entry.cost.seconds) < kLargeShare || entry.cost.reached() > kPoor * reached;
    });
    std::ranges::stable_sort(entries, std::ranges::greater{}, [](const Entry& entry) { return entry.cost.seconds; });
    entries.resize(std::min(entries.size(), kMost));
    return entries;
}

std::string without_name(const Entry& entry) { return fmt::format("without layer {}", entry.name); }

// The layers of the model as they are written, without one.
std::string layers_set(const Evidence& evidence, std::size_t left_out) {
    const Table* const model = evidence.spec.resolved.find("model")->as_table();
    Array layers = *model->find("layers")->as_array();
    layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(left_out));
    return "model.layers=" + to_toml(Value{layers, {}});
}

double loss_share(const Evidence& evidence) {
    const std::map<std::string, Cost> costs = costs_of(evidence);
    const auto loss = costs.find(kLoss);
    return loss != costs.end() ? share_of(evidence.facts, loss->second.seconds) : 0.0;
}

}  // namespace

void propose_layers(const Evidence& evidence, Proposals& proposals) {
    if (!proposals.wanted.empty() || hides_network(evidence) != nullptr) {
        return;
    }
    for (const Entry& entry : poor_entries(evidence)) {
        proposals.wanted.push_back({.name = without_name(entry),
                                    .what = fmt::format("the layer '{}' is left out", entry.name),
                                    .sets = {layers_set(evidence, entry.number)},
                                    .is_hint = batch_pays(evidence),
                                    .starts_anew = true});
    }
    if (loss_share(evidence) >= kLargeShare && evidence.spec.loss.use != kPlainLoss) {
        proposals.wanted.push_back({.name = kPlainLoss,
                                    .what = fmt::format("the loss is {}", kPlainLoss),
                                    .sets = {fmt::format("loss={{ use = \"{}\" }}", kPlainLoss)}});
    }
}

void explain_layers(const Evidence& evidence, std::vector<Finding>& findings) {
    const Cost all = cost_of_all(evidence);
    for (const Entry& entry : poor_entries(evidence)) {
        const Ratio* const ratio = evidence.ratio_of(without_name(entry));
        if (is_gain(ratio, kWorthOtherResults)) {
            findings.push_back(
                {.cause = "layer",
                 .subject = entry.name,
                 .sentence = fmt::format("the layer '{}' takes more time than its work needs", entry.name),
                 .evidence = fmt::format("it takes {:.0f} % of the step at {:.0f} % of the peak rates, and all layers "
                                         "together reach {:.0f} %; without it a sample takes {:.2f} times as long",
                                         100.0 * share_of(evidence.facts, entry.cost.seconds),
                                         100.0 * entry.cost.reached(), 100.0 * all.reached(), ratio->value),
                 .without = *ratio,
                 .probe = without_name(entry)});
        }
    }
    const Ratio* const plain = evidence.ratio_of(kPlainLoss);
    if (is_gain(plain, kWorthOtherResults)) {
        findings.push_back(
            {.cause = "loss",
             .subject = evidence.spec.loss.use,
             .sentence = fmt::format("the loss '{}' takes {:.0f} % of the time", evidence.spec.loss.use,
                                     100.0 * loss_share(evidence)),
             .evidence = fmt::format("with {} a sample takes {:.2f} times as long", kPlainLoss, plain->value),
             .without = *plain,
             .probe = kPlainLoss});
    }
}

}  // namespace sluice::diagnose

#include "run/pretrained/match.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

#include "run/pretrained/torch_tensors.hpp"

namespace sluice::run {
namespace {

using Index = std::unordered_map<std::string, const NamedBytes*>;
using NameOf = std::function<std::string(const OwnTensor&)>;

struct Naming {
    std::string name;
    NameOf name_of;
    bool is_own;  // tensors have our layout
};

// The moving average of a checkpoint is what it predicts with.
std::string name_in_checkpoint(const OwnTensor& tensor, const Index& index) {
    const std::string average = "average/" + tensor.name;
    return index.contains(average) ? average : tensor.name;
}

// The prefix that names of the file have before those that are wanted: that of the first which is found with one.
std::string prefix_of(std::span<const OwnTensor> own, const SafetensorsFile& file, const NameOf& name_of) {
    for (const OwnTensor& tensor : own) {
        const std::string wanted = name_of(tensor);
        for (const NamedBytes& theirs : file.tensors) {
            if (theirs.name == wanted) {
                return {};
            }
            if (theirs.name.ends_with("." + wanted)) {
                return theirs.name.substr(0, theirs.name.size() - wanted.size());
            }
        }
    }
    return {};
}

std::optional<std::vector<float>> own_values(const OwnTensor& tensor, const NamedBytes& theirs) {
    if (!(theirs.spec == tensor.spec)) {
        return std::nullopt;
    }
    std::vector<float> values(theirs.bytes.size() / sizeof(float));
    std::memcpy(values.data(), theirs.bytes.data(), values.size() * sizeof(float));
    return values;
}

// Tensors that have no counterpart in any network: counters and optimizer states.
bool is_of_no_network(const std::string& name) {
    return name.ends_with("num_batches_tracked") || name.starts_with("optimizer/") || name.starts_with("average/");
}

}  // namespace

std::size_t Matches::loaded() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(tensors, [](const TensorMatch& one) { return one.values.has_value(); }));
}

Matches match_tensors(std::span<const OwnTensor> own, const SafetensorsFile& file,
                      std::span<const config::NameSet> sets) {
    Index index;
    for (const NamedBytes& tensor : file.tensors) {
        index.emplace(tensor.name, &tensor);
    }
    std::vector<Naming> namings{
        {"sluice", [&](const OwnTensor& tensor) { return name_in_checkpoint(tensor, index); }, true},
        {"torch", [](const OwnTensor& tensor) { return torch_name(tensor, {}); }, false}};
    for (const config::NameSet& set : sets) {
        namings.push_back({set.name, [&set](const OwnTensor& tensor) { return torch_name(tensor, set.rules); }, false});
    }
    const Naming* best = &namings[1];
    std::string best_prefix;
    std::size_t most = 0;
    for (const Naming& naming : namings) {
        const std::string prefix = naming.is_own ? "" : prefix_of(own, file, naming.name_of);
        const auto found = static_cast<std::size_t>(std::ranges::count_if(
            own, [&](const OwnTensor& tensor) { return index.contains(prefix + naming.name_of(tensor)); }));
        if (found > most) {
            best = &naming;
            best_prefix = prefix;
            most = found;
        }
    }
    Matches matches{.naming = best->name, .tensors = {}, .unexpected = {}};
    std::set<std::string> used;
    for (const OwnTensor& tensor : own) {
        TensorMatch match{.own = &tensor, .wanted = best_prefix + best->name_of(tensor)};
        if (const auto found = index.find(match.wanted); found != index.end()) {
            match.theirs = found->second;
            match.values = best->is_own ? own_values(tensor, *match.theirs) : from_torch(tensor, *match.theirs);
            used.insert(match.wanted);
        }
        matches.tensors.push_back(std::move(match));
    }
    for (const NamedBytes& tensor : file.tensors) {
        const bool is_averaged = used.contains("average/" + tensor.name);
        if (!used.contains(tensor.name) && !is_averaged && !is_of_no_network(tensor.name)) {
            matches.unexpected.push_back(tensor.name);
        }
    }
    return matches;
}

}  // namespace sluice::run

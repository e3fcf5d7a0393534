#include "plan/single_value_norms.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "base/tensor.hpp"
#include "base/text/counted.hpp"

namespace sluice::plan {
namespace {

bool has_single_values(const Node& node, const Graph& graph) {
    if (node.type != "batch_norm" || node.states.empty()) {
        return false;
    }
    const auto extents = shape_of(graph.tensors[node.inputs.front()].spec);
    std::int64_t values = 1;
    for (std::size_t axis = 1; axis + 1 < extents.size(); ++axis) {
        values *= extents[axis];
    }
    return values == 1;
}

// True if a shard has one sample. Shards of a batch differ by at most one sample.
bool has_single_sample(std::int64_t samples, std::int64_t shards) { return samples > 0 && samples < 2 * shards; }

// "each batch"; "a share of the last batch of an epoch (3 samples in 2 shares)"
std::string place_text(const BatchSizes& batches, std::int64_t shards) {
    const bool always = has_single_sample(batches.whole, shards);
    const std::string batch = always ? "each batch" : "the last batch of an epoch";
    const std::int64_t samples = always ? batches.whole : batches.last;
    return shards == 1 ? batch
                       : fmt::format("{} share of {} ({} in {} shares)", samples > shards ? "a" : "every", batch,
                                     counted(samples, "sample"), shards);
}

std::string remedy_text(const BatchSizes& batches, std::int64_t shards) {
    std::string text =
        has_single_sample(batches.whole, shards)
            ? fmt::format("make data.batch {} or more", 2 * shards)
            : fmt::format("choose a data.batch so that the last batch is full or has at least {} samples", 2 * shards);
    return text + (shards > 1 ? ", set synchronized = true or use group_norm" : " or use group_norm");
}

}  // namespace

std::vector<const Node*> norms_of_single_values(const Graph& graph, bool joins) {
    std::vector<const Node*> found;
    for (const Node& node : graph.nodes) {
        if (joins_replicas(node) == joins && has_single_values(node, graph)) {
            found.push_back(&node);
        }
    }
    return found;
}

std::vector<Range> running_ranges(const std::vector<const Node*>& nodes, const Graph& graph, const Layout& layout) {
    std::vector<Range> ranges;
    for (const Node* const node : nodes) {
        for (const std::size_t state : node->states) {
            const std::uint64_t begin = layout.states[state];
            ranges.push_back({begin, begin + static_cast<std::uint64_t>(element_count(graph.states[state].spec))});
        }
    }
    return ranges;
}

void warn_of_single_values(const Graph& graph, const BatchSizes& batches) {
    for (const bool joins : {false, true}) {
        const std::vector<const Node*> nodes = norms_of_single_values(graph, joins);
        const std::int64_t shards = joins ? 1 : batches.shards;
        const bool always = has_single_sample(batches.whole, shards);
        if (!nodes.empty() && (always || has_single_sample(batches.last, shards))) {
            log::warn(
                fmt::format("{}: batch_norm '{}' has one value per channel in {}, so there it learns nothing and "
                            "does not update its running statistics; {}",
                            to_string(nodes.front()->origin), nodes.front()->path, place_text(batches, shards),
                            remedy_text(batches, shards)));
            return;
        }
    }
}

}  // namespace sluice::plan

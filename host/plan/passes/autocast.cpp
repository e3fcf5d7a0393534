#include "plan/passes/autocast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sluice/kind/layer.h"

namespace sluice::plan {
namespace {

class AutocastSolver {
public:
    explicit AutocastSolver(const std::vector<AutocastNode>& nodes)
        : nodes_(nodes), readers_(nodes.size()), decisions_(nodes.size()) {
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            for (const std::size_t read : nodes[n].reads) {
                readers_[read].push_back(n);
            }
        }
    }

    std::vector<AutocastDecision> decide_autocast() && {
        decide_allow_and_deny();
        push_float32_forward();
        join_between_low();
        join_clear();
        std::vector<AutocastDecision> decisions;
        for (const std::optional<AutocastDecision>& mine : decisions_) {
            decisions.push_back(mine.value_or(AutocastDecision{false, "is not between 16-bit layers"}));
        }
        return decisions;
    }

private:
    using Nodes = std::vector<std::size_t>;

    void decide_allow_and_deny() {
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            if (nodes_[n].category == SLUICE_COLOUR_ALLOW) {
                decisions_[n] = {true, "gains from fewer bits"};
            } else if (nodes_[n].category == SLUICE_COLOUR_DENY) {
                decisions_[n] = {false, "needs float32"};
            }
        }
    }

    void push_float32_forward() {
        std::vector<bool> leads(nodes_.size(), false);  // to an infer or deny node, directly or by clear nodes
        for (std::size_t n = nodes_.size(); n-- > 0;) {
            leads[n] = std::ranges::any_of(readers_[n], [&](std::size_t reader) {
                const std::int32_t category = nodes_[reader].category;
                return category == SLUICE_COLOUR_INFER || category == SLUICE_COLOUR_DENY ||
                       (category == SLUICE_COLOUR_CLEAR && leads[reader]);
            });
        }
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const auto source = std::ranges::find_if(
                nodes_[n].reads, [&](std::size_t read) { return decisions_[read] && !decisions_[read]->low; });
            const bool follows = nodes_[n].category == SLUICE_COLOUR_INFER || leads[n];
            if (!decisions_[n] && follows && source != nodes_[n].reads.end()) {
                decisions_[n] = {false, fmt::format("reads '{}' in float32", nodes_[*source].path)};
            }
        }
    }

    void join_between_low() {
        const auto low_or_joined = [&](const std::vector<bool>& joined, const Nodes& neighbours) {
            return std::ranges::any_of(neighbours, [&](std::size_t node) {
                return decisions_[node] ? decisions_[node]->low : bool{joined[node]};
            });
        };
        std::vector<bool> follows_low(nodes_.size(), false);   // a low node precedes it
        std::vector<bool> precedes_low(nodes_.size(), false);  // a low node follows it
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            follows_low[n] = !decisions_[n] && low_or_joined(follows_low, nodes_[n].reads);
        }
        for (std::size_t n = nodes_.size(); n-- > 0;) {
            precedes_low[n] = !decisions_[n] && low_or_joined(precedes_low, readers_[n]);
        }
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            if (follows_low[n] && precedes_low[n]) {
                decisions_[n] = {true, "is between 16-bit layers"};
            }
        }
    }

    void join_clear() {
        const auto is_low = [&](std::size_t node) { return decisions_[node] && decisions_[node]->low; };
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t n = 0; n < nodes_.size(); ++n) {
                if (!decisions_[n] && nodes_[n].category == SLUICE_COLOUR_CLEAR &&
                    (std::ranges::any_of(nodes_[n].reads, is_low) || std::ranges::any_of(readers_[n], is_low))) {
                    decisions_[n] = {true, "takes any type, next to a 16-bit layer"};
                    changed = true;
                }
            }
        }
    }

    const std::vector<AutocastNode>& nodes_;
    std::vector<Nodes> readers_;
    std::vector<std::optional<AutocastDecision>> decisions_;
};

}  // namespace

std::vector<AutocastDecision> decide_autocast(const std::vector<AutocastNode>& nodes) {
    return AutocastSolver(nodes).decide_autocast();
}

}  // namespace sluice::plan
